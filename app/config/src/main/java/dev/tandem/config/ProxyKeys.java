package dev.tandem.config;

import dev.tandem.proxy.ProxyOptions;
import dev.tandem.upstream.Address;
import java.util.ArrayList;
import java.util.List;

/// `proxy`: what [ProxyOptions] has.
final class ProxyKeys {
    /// As other servers are named.
    static final Kind<List<String>> ADDRESSES =
            Kind.list(Kind.text("HOST:PORT or unix:/PATH", ProxyKeys::checked, address -> address));

    private static final List<Key<ProxyOptions, ?>> OPTIONS =
            List.of(
                    new Key<>(
                            "tries",
                            Kinds.NUMBER,
                            "How many servers one request is sent to at most. 1 to 16.",
                            ProxyOptions::attemptsMax,
                            ProxyOptions::withAttemptsMax),
                    new Key<>(
                            "prefix",
                            Kinds.TEXT,
                            "What is taken from the beginning of paths, such as /api.",
                            ProxyOptions::prefix,
                            ProxyOptions::withPrefix),
                    new Key<ProxyOptions, String>(
                            "host",
                            Kinds.TEXT,
                            "The Host field to send; without it, the client's own.",
                            ProxyOptions::host,
                            ProxyOptions::withHost),
                    new Key<>(
                            "trust_forwarded",
                            Kinds.FLAG,
                            "Keeps what clients say in Forwarded and X-Forwarded-*: where only"
                                    + " proxies can ask.",
                            ProxyOptions::isTrustingForwarded,
                            ProxyOptions::withTrustingForwarded),
                    new Key<ProxyOptions, String>(
                            "health_path",
                            Kinds.TEXT,
                            "What each server is asked to see whether it is well.",
                            ProxyOptions::healthPath,
                            (p, path) -> p.withHealth(path, p.healthInterval())),
                    new Key<>(
                            "health_every",
                            Kinds.DURATION,
                            "How often; 100 ms to a day.",
                            ProxyOptions::healthInterval,
                            (p, every) -> p.withHealth(p.healthPath(), every)));

    static final Section<Service.Proxied> SECTION = section();

    private ProxyKeys() {}

    private static String checked(String address) {
        Address.of(address); // says what is wrong
        return address;
    }

    private static Section<Service.Proxied> section() {
        var keys = new ArrayList<Key<Service.Proxied, ?>>();
        keys.add(
                new Key<Service.Proxied, List<String>>(
                        "to",
                        ADDRESSES,
                        "The servers that answer: HOST:PORT or unix:/PATH.",
                        Service.Proxied::to,
                        (p, to) -> new Service.Proxied(to, p.options())));
        for (Key<ProxyOptions, ?> key : OPTIONS) {
            keys.add(
                    key.within(
                            Service.Proxied::options,
                            (p, options) -> new Service.Proxied(p.to(), options)));
        }
        keys.addAll(
                UpstreamKeys.of(
                        p -> p.options().upstream(),
                        (p, upstream) ->
                                new Service.Proxied(p.to(), p.options().withUpstream(upstream))));
        var start = new Service.Proxied(List.of(), ProxyOptions.DEFAULT);
        return Section.of(start, keys)
                .requiring("to")
                .checkedBy(p -> UpstreamKeys.checkNotEmpty(p.to()));
    }
}
