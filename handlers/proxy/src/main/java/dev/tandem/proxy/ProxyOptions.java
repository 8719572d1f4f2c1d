package dev.tandem.proxy;

import dev.tandem.http.FieldSyntax;
import dev.tandem.upstream.UpstreamOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How a [Proxy] passes requests on. Immutable.
///
/// @param upstream how upstreams are connected to: time-outs, pools, health
/// @param attemptsMax how many upstreams one request is sent to at most; 1 to 16. Only one that
///     could not be sent, or may be sent twice and has brought no byte of an answer, is sent
///     again
/// @param prefix what is taken from the beginning of paths: `/api` makes `/users` of
///     `/api/users`; empty for nothing
/// @param host the Host field to send; null sends the client's own
/// @param isTrustingForwarded whether `Forwarded` and `X-Forwarded-*` of the client are kept and
///     added to, for where only proxies can ask; else they are replaced
/// @param healthPath what is asked of each upstream to see whether it is well, which an answer of
///     200 to 399 says; null asks nothing
/// @param healthInterval how often; 100 ms to a day
public record ProxyOptions(
        UpstreamOptions upstream,
        int attemptsMax,
        String prefix,
        @Nullable String host,
        boolean isTrustingForwarded,
        @Nullable String healthPath,
        Duration healthInterval) {

    // Before the default, which is checked by them.
    private static final int ATTEMPTS_MAX = 16;
    private static final Duration HEALTH_MIN = Duration.ofMillis(100);
    private static final Duration HEALTH_MAX = Duration.ofDays(1);

    /// Two tries, the path and host as they came, no trust, no health checks (every 5 s, if any).
    public static final ProxyOptions DEFAULT =
            new ProxyOptions(
                    UpstreamOptions.DEFAULT, 2, "", null, false, null, Duration.ofSeconds(5));

    /// @throws IllegalArgumentException if a value is out of range; names it
    public ProxyOptions {
        if (attemptsMax < 1 || attemptsMax > ATTEMPTS_MAX) {
            throw new IllegalArgumentException(
                    "triesMax must be 1.." + ATTEMPTS_MAX + ", was " + attemptsMax);
        }
        if (!prefix.isEmpty() && (!prefix.startsWith("/") || prefix.endsWith("/"))) {
            throw new IllegalArgumentException(
                    "prefix must begin with a slash and not end with one, was '" + prefix + "'");
        }
        if (host != null && (host.isEmpty() || !FieldSyntax.isValue(host) || host.contains(" "))) {
            throw new IllegalArgumentException("host must be a host's name, was '" + host + "'");
        }
        if (healthPath != null && !healthPath.matches("/[!-~]*")) {
            throw new IllegalArgumentException(
                    "healthPath must be a path, percent-encoded, was '" + healthPath + "'");
        }
        if (healthInterval.compareTo(HEALTH_MIN) < 0 || healthInterval.compareTo(HEALTH_MAX) > 0) {
            throw new IllegalArgumentException(
                    "healthEvery must be "
                            + HEALTH_MIN
                            + " to "
                            + HEALTH_MAX
                            + ", was "
                            + healthInterval);
        }
    }

    public ProxyOptions withUpstream(UpstreamOptions upstream) {
        return new ProxyOptions(
                upstream,
                attemptsMax,
                prefix,
                host,
                isTrustingForwarded,
                healthPath,
                healthInterval);
    }

    public ProxyOptions withAttemptsMax(int attemptsMax) {
        return new ProxyOptions(
                upstream,
                attemptsMax,
                prefix,
                host,
                isTrustingForwarded,
                healthPath,
                healthInterval);
    }

    public ProxyOptions withPrefix(String prefix) {
        return new ProxyOptions(
                upstream,
                attemptsMax,
                prefix,
                host,
                isTrustingForwarded,
                healthPath,
                healthInterval);
    }

    public ProxyOptions withHost(@Nullable String host) {
        return new ProxyOptions(
                upstream,
                attemptsMax,
                prefix,
                host,
                isTrustingForwarded,
                healthPath,
                healthInterval);
    }

    public ProxyOptions withTrustingForwarded(boolean isTrustingForwarded) {
        return new ProxyOptions(
                upstream,
                attemptsMax,
                prefix,
                host,
                isTrustingForwarded,
                healthPath,
                healthInterval);
    }

    public ProxyOptions withHealth(@Nullable String healthPath, Duration healthInterval) {
        return new ProxyOptions(
                upstream,
                attemptsMax,
                prefix,
                host,
                isTrustingForwarded,
                healthPath,
                healthInterval);
    }
}
