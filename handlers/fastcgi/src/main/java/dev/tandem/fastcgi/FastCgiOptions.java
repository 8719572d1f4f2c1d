package dev.tandem.fastcgi;

import dev.tandem.http.Bounds;
import dev.tandem.upstream.UpstreamOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Options of a [FastCgi]. Immutable.
///
/// @param upstream connections to applications. An application such as php-fpm dedicates a process
///     to each open connection: allow at most as many idle ones as it has processes to spare
/// @param suffixes suffixes of scripts' names, in any case; paths with one are never served in
///     another way
/// @param indexFile the script that represents a folder; empty for none
/// @param frontController the script that handles paths that are not found; null for none
/// @param remoteRoot the root's path as the application sees it, for example in a container; null
///     if it is the same
/// @param headMax maximum length of a response head, in bytes; 256 to 1 MiB
/// @param variables additional variables for scripts. They cannot override those of the RFC
/// @param isPassingAuthorization whether scripts get the `Authorization` header
/// @param isFollowingLinks whether symbolic links are followed; links that lead out of the folder
///     are rejected in any case
/// @param healthInterval interval of health checks, by a management record; null for none. php-fpm
///     needs a free process to respond
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
        @Nullable Duration healthInterval)
        implements FastCgiOptionsWith {

    /// `.php` and `index.php`; no front controller; 64 KiB of head; no idle connections, no health
    /// checks.
    public static final FastCgiOptions DEFAULT =
            new FastCgiOptions(
                    UpstreamOptions.DEFAULT
                            .withIdleConnectionsMax(0)
                            .withIdleTimeout(Duration.ofSeconds(4)),
                    List.of(".php"),
                    "index.php",
                    null,
                    null,
                    64 << 10,
                    Map.of(),
                    false,
                    true,
                    null);

    /// @throws IllegalArgumentException if a value is out of range; names the value
    public FastCgiOptions {
        suffixes = List.copyOf(suffixes);
        variables = Map.copyOf(variables);
        checkScripts(suffixes, indexFile);
        checkPaths(frontController, remoteRoot);
        Bounds.check("headMax", headMax, 256, 1 << 20);
        if (healthInterval != null && healthInterval.compareTo(Duration.ofMillis(100)) < 0) {
            throw new IllegalArgumentException(
                    "healthInterval must be at least PT0.1S, was " + healthInterval);
        }
    }

    private static void checkScripts(List<String> suffixes, String indexFile) {
        boolean areSuffixes =
                suffixes.stream().allMatch(s -> s.startsWith(".") && !s.contains("/"));
        if (suffixes.isEmpty() || !areSuffixes) {
            throw new IllegalArgumentException(
                    "suffixes must be like .php, at least one, were " + suffixes);
        }
        if (indexFile.contains("/") || indexFile.startsWith(".")) {
            throw new IllegalArgumentException(
                    "indexFile must be the name of a file, was '" + indexFile + "'");
        }
    }

    private static void checkPaths(@Nullable String frontController, @Nullable String remoteRoot) {
        if (frontController != null
                && (frontController.startsWith("/") || frontController.isEmpty())) {
            throw new IllegalArgumentException(
                    "frontController must be a path below the root, was '" + frontController + "'");
        }
        if (remoteRoot != null && (!remoteRoot.startsWith("/") || remoteRoot.indexOf(0) >= 0)) {
            throw new IllegalArgumentException(
                    "remoteRoot must be an absolute path, was '" + remoteRoot + "'");
        }
    }
}
