package dev.tandem.config;

import dev.tandem.proxy.ProxyOptions;
import dev.tandem.upstream.Address;
import java.util.ArrayList;
import java.util.List;

/// `proxy`: what [ProxyOptions] has.
final class ProxyKeys {
    /// As other servers are named.
    static final ValueType<List<String>> ADDRESSES =
            ValueType.list(
                    ValueType.text(
                            "HOST:PORT or unix:/PATH", ProxyKeys::checked, address -> address));

    private static final List<Key<ProxyOptions, ?>> OPTIONS =
            List.of(
                    new Key<>(
                            "tries",
                            ValueTypes.NUMBER,
                            "How many servers one request is sent to at most. 1 to 16.",
                            ProxyOptions::attemptsMax,
                            ProxyOptions::withAttemptsMax),
                    new Key<>(
                            "prefix",
                            ValueTypes.TEXT,
                            "What is taken from the beginning of paths, such as /api.",
                            ProxyOptions::prefix,
                            ProxyOptions::withPrefix),
                    new Key<ProxyOptions, String>(
                            "host",
                            ValueTypes.TEXT,
                            "The Host field to send; without it, the client's own.",
                            ProxyOptions::host,
                            ProxyOptions::withHost),
                    new Key<>(
                            "trust_forwarded",
                            ValueTypes.FLAG,
                            "Keeps what clients say in Forwarded and X-Forwarded-*: where only"
                                    + " proxies can ask.",
                            ProxyOptions::isTrustingForwarded,
                            ProxyOptions::withTrustingForwarded),
                    new Key<ProxyOptions, String>(
                            "health_path",
                            ValueTypes.TEXT,
                            "What each server is asked to see whether it is well.",
                            ProxyOptions::healthPath,
                            (p, path) -> p.withHealth(path, p.healthInterval())),
                    new Key<>(
                            "health_every",
                            ValueTypes.DURATION,
                            "How often; 100 ms to a day.",
                            ProxyOptions::healthInterval,
                            (p, every) -> p.withHealth(p.healthPath(), every)));

    static final Section<Service.ReverseProxy> SECTION = section();

    private ProxyKeys() {}

    private static String checked(String address) {
        Address.of(address); // says what is wrong
        return address;
    }

    private static Section<Service.ReverseProxy> section() {
        var keys = new ArrayList<Key<Service.ReverseProxy, ?>>();
        keys.add(
                new Key<Service.ReverseProxy, List<String>>(
                        "to",
                        ADDRESSES,
                        "The servers that answer: HOST:PORT or unix:/PATH.",
                        Service.ReverseProxy::to,
                        (p, to) -> new Service.ReverseProxy(to, p.options())));
        for (Key<ProxyOptions, ?> key : OPTIONS) {
            keys.add(
                    key.within(
                            Service.ReverseProxy::options,
                            (p, options) -> new Service.ReverseProxy(p.to(), options)));
        }
        keys.addAll(
                UpstreamKeys.of(
                        p -> p.options().upstream(),
                        (p, upstream) ->
                                new Service.ReverseProxy(
                                        p.to(), p.options().withUpstream(upstream))));
        var start = new Service.ReverseProxy(List.of(), ProxyOptions.DEFAULT);
        return Section.of(start, keys)
                .requiring("to")
                .checkedBy(p -> UpstreamKeys.checkNotEmpty(p.to()));
    }
}
