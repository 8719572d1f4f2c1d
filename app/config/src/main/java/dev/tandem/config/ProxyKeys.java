package dev.tandem.config;

import dev.tandem.proxy.ProxyOptions;
import dev.tandem.upstream.Address;
import java.util.ArrayList;
import java.util.List;

/// `proxy`: keys of [ProxyOptions].
final class ProxyKeys {
    /// Addresses of upstream servers.
    static final ValueType<List<String>> ADDRESSES =
            ValueType.list(
                    ValueType.text(
                            "HOST:PORT or unix:/PATH", ProxyKeys::checked, address -> address));

    private static final List<Key<ProxyOptions, ?>> OPTIONS =
            List.of(
                    new Key<>(
                            "attempts_max",
                            ValueTypes.NUMBER,
                            "Maximum number of servers that one request is sent to. 1 to 16.",
                            ProxyOptions::attemptsMax,
                            ProxyOptions::withAttemptsMax),
                    new Key<>(
                            "prefix",
                            ValueTypes.TEXT,
                            "Prefix removed from paths, such as /api.",
                            ProxyOptions::prefix,
                            ProxyOptions::withPrefix),
                    new Key<ProxyOptions, String>(
                            "host",
                            ValueTypes.TEXT,
                            "The Host header to send; without it, the client's own.",
                            ProxyOptions::host,
                            ProxyOptions::withHost),
                    new Key<>(
                            "trust_forwarded",
                            ValueTypes.FLAG,
                            "Trusts the client's Forwarded and X-Forwarded-* headers: where only"
                                    + " proxies can connect.",
                            ProxyOptions::isTrustingForwarded,
                            ProxyOptions::withTrustingForwarded),
                    new Key<ProxyOptions, String>(
                            "health_path",
                            ValueTypes.TEXT,
                            "Path requested for health checks of each server.",
                            ProxyOptions::healthPath,
                            ProxyOptions::withHealthPath),
                    new Key<>(
                            "health_interval",
                            ValueTypes.DURATION,
                            "Interval of health checks; 100 ms to a day.",
                            ProxyOptions::healthInterval,
                            ProxyOptions::withHealthInterval));

    static final Section<Service.ReverseProxy> SECTION = section();

    private ProxyKeys() {}

    private static String checked(String address) {
        Address.of(address); // throws if it is invalid
        return address;
    }

    private static Section<Service.ReverseProxy> section() {
        var keys = new ArrayList<Key<Service.ReverseProxy, ?>>();
        keys.add(
                new Key<Service.ReverseProxy, List<String>>(
                        "to",
                        ADDRESSES,
                        "The upstream servers: HOST:PORT or unix:/PATH.",
                        Service.ReverseProxy::to,
                        Service.ReverseProxy::withTo));
        for (Key<ProxyOptions, ?> key : OPTIONS) {
            keys.add(key.within(Service.ReverseProxy::options, Service.ReverseProxy::withOptions));
        }
        keys.addAll(
                UpstreamKeys.of(
                        p -> p.options().upstream(),
                        (p, upstream) -> p.withOptions(o -> o.withUpstream(upstream))));
        var start = new Service.ReverseProxy(List.of(), ProxyOptions.DEFAULT);
        return Section.of(start, keys)
                .requiring("to")
                .checkedBy(p -> UpstreamKeys.checkNotEmpty(p.to()));
    }
}
