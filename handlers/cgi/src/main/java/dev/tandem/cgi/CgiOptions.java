package dev.tandem.cgi;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// How a [Cgi] runs its programs. Immutable.
///
/// @param processesMax the most programs that run at once, in processes; 1 to 4,096
/// @param queueMax how many requests may wait for one of them to end; 0 to 65,536. Each holds a
///     worker. Beyond it requests are refused with 503 and `Retry-After`
/// @param queueWait how long a request waits there at most; then it is refused the same way
/// @param inactivityTimeout how long a program may go without giving output or taking input; beyond
///     it, it and its process group are killed and the answer is 504, or is cut if it has begun
/// @param lifetimeMax how long a program may run in all, also after it has closed its output; then
///     the same
/// @param headMax the longest head of an answer, in bytes; 256 to 1 MiB
/// @param inherited the variables of the server's own environment that programs get; all others
///     are kept from them
/// @param variables more variables that programs get. None can take the place of one of the RFC's
/// @param documentRoot what `PATH_TRANSLATED` is made of: the folder that `/` stands for (RFC 3875,
///     section 4.1.6); null leaves the variable out
/// @param isPassingAuthorization whether programs see the `Authorization` field, which holds a
///     password or what is as good as one (section 9.2); else it is dropped
/// @param isFollowingLinks whether symbolic links are followed; those that lead out of the folder
///     are refused either way
public record CgiOptions(
        int processesMax,
        int queueMax,
        Duration queueWait,
        Duration inactivityTimeout,
        Duration lifetimeMax,
        int headMax,
        List<String> inherited,
        Map<String, String> variables,
        @Nullable Path documentRoot,
        boolean isPassingAuthorization,
        boolean isFollowingLinks) {

    // Before the default, which is checked by them.
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Duration WAIT_MAX = Duration.ofDays(1);

    /// - Four processes a processor: scripts wait for disks and databases for most of their time,
    ///   but interpreters take memory.
    /// - 64 may wait, for 10 s at most: about as long as a visitor does.
    /// - 60 s of silence, as in httpd and nginx; an hour in all, so that a long download is not cut
    ///   and what hangs is not kept for ever.
    /// - 64 KiB of head: room for many cookies.
    /// - `PATH` alone is inherited; links are followed.
    public static final CgiOptions DEFAULT =
            new CgiOptions(
                    4 * Runtime.getRuntime().availableProcessors(),
                    64,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(60),
                    Duration.ofHours(1),
                    64 << 10,
                    List.of("PATH"),
                    Map.of(),
                    null,
                    false,
                    true);

    /// @throws IllegalArgumentException if a value is out of range; names it
    public CgiOptions {
        inherited = List.copyOf(inherited);
        variables = Map.copyOf(variables);
        check("processesMax", processesMax, 1, 4_096);
        check("queueMax", queueMax, 0, 65_536);
        check("headMax", headMax, 256, 1 << 20);
        check("queueWait", queueWait, Duration.ZERO);
        check("silenceMax", inactivityTimeout, Duration.ofMillis(1));
        check("lifetimeMax", lifetimeMax, Duration.ofMillis(1));
        inherited.forEach(CgiOptions::checkName);
        variables.keySet().forEach(CgiOptions::checkName);
        for (String value : variables.values()) {
            if (value.indexOf(0) >= 0) {
                throw new IllegalArgumentException("a variable's value must have no NUL");
            }
        }
    }

    private static void check(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    what + " must be " + least + ".." + most + ", was " + value);
        }
    }

    private static void check(String what, Duration value, Duration least) {
        if (value.compareTo(least) < 0 || value.compareTo(WAIT_MAX) > 0) {
            throw new IllegalArgumentException(
                    what + " must be " + least + " to " + WAIT_MAX + ", was " + value);
        }
    }

    private static void checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a variable's name must be letters, digits and _, was '" + name + "'");
        }
    }

    public CgiOptions withProcessesMax(int processesMax) {
        return with(d -> d.processesMax = processesMax);
    }

    /// @param queueMax in requests
    /// @param queueWait for each
    public CgiOptions withQueue(int queueMax, Duration queueWait) {
        return with(
                d -> {
                    d.queueMax = queueMax;
                    d.queueWait = queueWait;
                });
    }

    public CgiOptions withTimeouts(Duration inactivityTimeout, Duration lifetimeMax) {
        return with(
                d -> {
                    d.inactivityTimeout = inactivityTimeout;
                    d.lifetimeMax = lifetimeMax;
                });
    }

    public CgiOptions withHeadMax(int headMax) {
        return with(d -> d.headMax = headMax);
    }

    public CgiOptions withEnvironment(List<String> inherited, Map<String, String> variables) {
        return with(
                d -> {
                    d.inherited = inherited;
                    d.variables = variables;
                });
    }

    public CgiOptions withDocumentRoot(@Nullable Path documentRoot) {
        return with(d -> d.documentRoot = documentRoot);
    }

    public CgiOptions withPassingAuthorization(boolean isPassingAuthorization) {
        return with(d -> d.isPassingAuthorization = isPassingAuthorization);
    }

    public CgiOptions withFollowingLinks(boolean isFollowingLinks) {
        return with(d -> d.isFollowingLinks = isFollowingLinks);
    }

    private CgiOptions with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.done();
    }

    /// A copy that is being changed.
    private static final class Draft {
        private int processesMax;
        private int queueMax;
        private Duration queueWait;
        private Duration inactivityTimeout;
        private Duration lifetimeMax;
        private int headMax;
        private List<String> inherited;
        private Map<String, String> variables;
        private @Nullable Path documentRoot;
        private boolean isPassingAuthorization;
        private boolean isFollowingLinks;

        Draft(CgiOptions o) {
            processesMax = o.processesMax;
            queueMax = o.queueMax;
            queueWait = o.queueWait;
            inactivityTimeout = o.inactivityTimeout;
            lifetimeMax = o.lifetimeMax;
            headMax = o.headMax;
            inherited = o.inherited;
            variables = o.variables;
            documentRoot = o.documentRoot;
            isPassingAuthorization = o.isPassingAuthorization;
            isFollowingLinks = o.isFollowingLinks;
        }

        CgiOptions done() {
            return new CgiOptions(
                    processesMax,
                    queueMax,
                    queueWait,
                    inactivityTimeout,
                    lifetimeMax,
                    headMax,
                    inherited,
                    variables,
                    documentRoot,
                    isPassingAuthorization,
                    isFollowingLinks);
        }
    }
}
