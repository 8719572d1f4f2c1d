package dev.tandem.proxy;

import dev.tandem.http.Bounds;
import dev.tandem.http.FieldSyntax;
import dev.tandem.upstream.UpstreamOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Options of a [Proxy]. Immutable.
///
/// @param upstream connections to upstreams: time-outs, pools, health
/// @param attemptsMax maximum number of upstreams to which one request is sent; 1 to 16. A request
///     is sent again only if it could not be sent, or if it may be repeated and no byte of a
///     response was received
/// @param prefix removed from the beginning of paths: `/api` changes `/api/users` to `/users`;
///     empty for none
/// @param host value of the Host header; null for the client's own
/// @param isTrustingForwarded whether the client's `Forwarded` and `X-Forwarded-*` are kept and
///     extended, where all clients are proxies; otherwise they are replaced
/// @param healthPath path for health checks, for which a status of 200 to 399 means healthy; null
///     for no checks
/// @param healthInterval interval of health checks; 100 ms to a day
public record ProxyOptions(
        UpstreamOptions upstream,
        int attemptsMax,
        String prefix,
        @Nullable String host,
        boolean isTrustingForwarded,
        @Nullable String healthPath,
        Duration healthInterval)
        implements ProxyOptionsWith {

    // Declared before the default, whose constructor uses them.
    private static final Duration HEALTH_MIN = Duration.ofMillis(100);
    private static final Duration HEALTH_MAX = Duration.ofDays(1);

    /// Two attempts, path and host unchanged, no trust, no health checks (every 5 s, if enabled).
    public static final ProxyOptions DEFAULT =
            new ProxyOptions(
                    UpstreamOptions.DEFAULT, 2, "", null, false, null, Duration.ofSeconds(5));

    /// @throws IllegalArgumentException if a value is out of range; names the value
    public ProxyOptions {
        Bounds.check("attemptsMax", attemptsMax, 1, 16);
        Bounds.check("healthInterval", healthInterval, HEALTH_MIN, HEALTH_MAX);
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
    }
}
