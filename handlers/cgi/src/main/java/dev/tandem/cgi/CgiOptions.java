package dev.tandem.cgi;

import dev.tandem.http.Bounds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Options of a [Cgi]. Immutable.
///
/// @param processesMax maximum number of programs that run at once; 1 to 4,096
/// @param queueMax maximum number of requests that wait for a program to end; 0 to 65,536. Each
///     holds a worker. Further requests are rejected with 503 and `Retry-After`
/// @param queueWait maximum time that a request waits there; then it is rejected in the same way
/// @param inactivityTimeout maximum time without output written or input read by the program; after
///     it, the program and its process group are killed and the response is 504, or is aborted if
///     it has begun
/// @param lifetimeMax maximum run time of a program, including the time after it has closed its
///     output; the consequence is the same
/// @param headMax maximum length of a response head, in bytes; 256 to 1 MiB
/// @param inherited variables of the server's own environment that programs get; all others are
///     withheld
/// @param variables additional variables for programs. They cannot override those of the RFC, but
///     replace those of request headers: `HTTP_X_ROLE` is never a client's then
/// @param documentRoot base of `PATH_TRANSLATED`: the folder that `/` stands for (RFC 3875, section
///     4.1.6); null omits the variable
/// @param isPassingAuthorization whether programs get the `Authorization` header, which holds a
///     password or something equivalent (section 9.2); otherwise it is dropped
/// @param isFollowingLinks whether symbolic links are followed; links that lead out of the folder
///     are rejected in any case
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
        boolean isFollowingLinks)
        implements CgiOptionsWith {

    // Declared before the default, whose constructor uses them.
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Duration WAIT_MAX = Duration.ofDays(1);

    /// - Four processes for each processor: scripts mostly wait for disks and databases, but
    ///   interpreters take memory.
    /// - 64 requests may wait, for at most 10 s: about as long as a user does.
    /// - 60 s of inactivity, as in httpd and nginx; one hour in total, so that a long download is
    ///   not aborted and a hanging program ends eventually.
    /// - 64 KiB of head: enough for many cookies.
    /// - Only `PATH` is inherited; links are followed.
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

    /// @throws IllegalArgumentException if a value is out of range; names the value
    public CgiOptions {
        inherited = List.copyOf(inherited);
        variables = Map.copyOf(variables);
        Bounds.check("processesMax", processesMax, 1, 4_096);
        Bounds.check("queueMax", queueMax, 0, 65_536);
        Bounds.check("headMax", headMax, 256, 1 << 20);
        Bounds.check("queueWait", queueWait, Duration.ZERO, WAIT_MAX);
        Bounds.check("inactivityTimeout", inactivityTimeout, Duration.ofMillis(1), WAIT_MAX);
        Bounds.check("lifetimeMax", lifetimeMax, Duration.ofMillis(1), WAIT_MAX);
        inherited.forEach(CgiOptions::checkName);
        variables.keySet().forEach(CgiOptions::checkName);
        for (String value : variables.values()) {
            if (value.indexOf(0) >= 0) {
                throw new IllegalArgumentException("a variable's value must not contain NUL");
            }
        }
    }

    private static void checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a variable's name must consist of letters, digits and _, was '" + name + "'");
        }
    }
}
