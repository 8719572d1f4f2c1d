package dev.tandem.fastcgi;

import dev.tandem.upstream.UpstreamOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// How a [FastCgi] has scripts run. Immutable.
///
/// @param upstream how applications are connected to. An application as php-fpm gives each
///     connection a process of its own for as long as it is open: keep no more of them idle than
///     it has processes to spare
/// @param suffixes what a script's name ends with, in any case; what has one is never answered by
///     anything else
/// @param indexFile the script that stands for a folder; empty for none
/// @param frontController the script that answers where nothing is found: the front controller of
///     an application; null for none
/// @param remoteRoot the root's path as the application sees it, in a container perhaps; null if
///     it is the same
/// @param headMax the longest head of an answer, in bytes; 256 to 1 MiB
/// @param variables more variables that scripts get. None can take the place of one of the RFC's
/// @param isPassingAuthorization whether scripts see the `Authorization` field
/// @param isFollowingLinks whether symbolic links are followed; those that lead out of the folder
///     are refused either way
/// @param healthInterval how often each application is asked whether it is well, by a record of
///     management; null for never. php-fpm needs a free process to answer
public record FastCgiOptions(
        UpstreamOptions upstream,
        List<String> suffixes,
        String indexFile,
        @Nullable String frontController,
        @Nullable String remoteRoot,
        int headMax,
        Map<String, String> variables,
        boolean isPassingAuthorization,
        boolean isFollowingLinks,
        @Nullable Duration healthInterval) {

    /// `.php` and `index.php`; no front controller; 64 KiB of head; no connection kept, no
    /// checks.
    public static final FastCgiOptions DEFAULT =
            new FastCgiOptions(
                    UpstreamOptions.DEFAULT.withIdle(0, Duration.ofSeconds(4)),
                    List.of(".php"),
                    "index.php",
                    null,
                    null,
                    64 << 10,
                    Map.of(),
                    false,
                    true,
                    null);

    /// @throws IllegalArgumentException if a value is out of range; names it
    public FastCgiOptions {
        suffixes = List.copyOf(suffixes);
        variables = Map.copyOf(variables);
        if (suffixes.isEmpty()
                || suffixes.stream().anyMatch(s -> !s.startsWith(".") || s.contains("/"))) {
            throw new IllegalArgumentException(
                    "suffixes must be as .php, at least one, were " + suffixes);
        }
        if (indexFile.contains("/") || indexFile.startsWith(".")) {
            throw new IllegalArgumentException(
                    "indexFile must be a file's name, was '" + indexFile + "'");
        }
        if (frontController != null
                && (frontController.startsWith("/") || frontController.isEmpty())) {
            throw new IllegalArgumentException(
                    "front must be a path below the root, was '" + frontController + "'");
        }
        if (remoteRoot != null && (!remoteRoot.startsWith("/") || remoteRoot.indexOf(0) >= 0)) {
            throw new IllegalArgumentException(
                    "remoteRoot must be an absolute path, was '" + remoteRoot + "'");
        }
        if (headMax < 256 || headMax > 1 << 20) {
            throw new IllegalArgumentException("headMax must be 256..1048576, was " + headMax);
        }
        if (healthInterval != null && healthInterval.compareTo(Duration.ofMillis(100)) < 0) {
            throw new IllegalArgumentException(
                    "checkEvery must be at least PT0.1S, was " + healthInterval);
        }
    }

    public FastCgiOptions withUpstream(UpstreamOptions upstream) {
        return with(d -> d.upstream = upstream);
    }

    public FastCgiOptions withScripts(List<String> suffixes, String indexFile) {
        return with(
                d -> {
                    d.suffixes = suffixes;
                    d.indexFile = indexFile;
                });
    }

    public FastCgiOptions withFrontController(@Nullable String frontController) {
        return with(d -> d.frontController = frontController);
    }

    public FastCgiOptions withRemoteRoot(@Nullable String remoteRoot) {
        return with(d -> d.remoteRoot = remoteRoot);
    }

    public FastCgiOptions withHeadMax(int headMax) {
        return with(d -> d.headMax = headMax);
    }

    public FastCgiOptions withVariables(Map<String, String> variables) {
        return with(d -> d.variables = variables);
    }

    public FastCgiOptions withPassingAuthorization(boolean isPassingAuthorization) {
        return with(d -> d.isPassingAuthorization = isPassingAuthorization);
    }

    public FastCgiOptions withFollowingLinks(boolean isFollowingLinks) {
        return with(d -> d.isFollowingLinks = isFollowingLinks);
    }

    public FastCgiOptions withHealthInterval(@Nullable Duration healthInterval) {
        return with(d -> d.healthInterval = healthInterval);
    }

    private FastCgiOptions with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.done();
    }

    /// A copy that is being changed.
    private static final class Draft {
        private UpstreamOptions upstream;
        private List<String> suffixes;
        private String indexFile;
        private @Nullable String frontController;
        private @Nullable String remoteRoot;
        private int headMax;
        private Map<String, String> variables;
        private boolean isPassingAuthorization;
        private boolean isFollowingLinks;
        private @Nullable Duration healthInterval;

        Draft(FastCgiOptions o) {
            upstream = o.upstream;
            suffixes = o.suffixes;
            indexFile = o.indexFile;
            frontController = o.frontController;
            remoteRoot = o.remoteRoot;
            headMax = o.headMax;
            variables = o.variables;
            isPassingAuthorization = o.isPassingAuthorization;
            isFollowingLinks = o.isFollowingLinks;
            healthInterval = o.healthInterval;
        }

        FastCgiOptions done() {
            return new FastCgiOptions(
                    upstream,
                    suffixes,
                    indexFile,
                    frontController,
                    remoteRoot,
                    headMax,
                    variables,
                    isPassingAuthorization,
                    isFollowingLinks,
                    healthInterval);
        }
    }
}
