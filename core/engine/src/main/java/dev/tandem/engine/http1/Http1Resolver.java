package dev.tandem.engine.http1;

import dev.tandem.engine.Engine;
import dev.tandem.engine.container.Container;
import dev.tandem.engine.site.Hosts;
import dev.tandem.engine.site.Resolution;
import dev.tandem.engine.site.Resolved;
import dev.tandem.engine.site.Site;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.MalformedMessage;
import dev.tandem.http.ParsedTarget;
import dev.tandem.http.RequestTarget;
import dev.tandem.http.h1.Http1RequestHead;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the site and the route of a request, by its `Host` header and its request line. Caches the
/// last ones. Confined to its thread.
final class Http1Resolver {
    private final Engine engine;
    private final int targets;

    /// Results by site; most servers have few sites.
    private final Map<Site, TargetCache> caches = new IdentityHashMap<>(2);

    private @Nullable Site lastSite;
    private @Nullable TargetCache lastCache;

    /// The last request's host, and its site by `hosts`.
    private String lastHost = "";

    private @Nullable Site lastNamed;
    private Hosts hosts;

    /// @param targets number of request lines that are cached for each site; a power of two
    Http1Resolver(Engine engine, int targets) {
        this.engine = engine;
        this.targets = targets;
        this.hosts = engine.hosts();
    }

    /// Returns the result of a request line. The head then knows its target.
    Resolution resolve(Http1RequestHead head, boolean isSecure) {
        Site site = site(head).over(isSecure);
        TargetCache cache = targets(site);
        Resolved known = head.isHttp09() ? null : cache.find(head);
        if (known != null) {
            head.target(known.target());
            return known;
        }
        ParsedTarget parsed = parsed(head);
        if (parsed instanceof ParsedTarget.Invalid(MalformedMessage bad)) {
            return new Resolution.Rejected(bad);
        }
        var target = (RequestTarget) parsed;
        head.target(target);
        String authority = target.authority();
        if (authority != null) { // which goes before Host (RFC 9112, section 3.2.2)
            Site meant = hosts.named(authority).over(isSecure);
            return meant.resolve(head.method(), target);
        }
        Resolved resolved = site.resolve(head.method(), target);
        boolean isKnown = !resolved.route().pattern().equals(Container.NOT_KNOWN_YET);
        if (isKnown && !head.isHttp09()) {
            cache.put(head, resolved);
        }
        return resolved;
    }

    private ParsedTarget parsed(Http1RequestHead head) {
        byte[] bytes = head.bytes();
        int from = head.targetFrom();
        int to = head.targetTo();
        return engine.tuning().container().areAmbiguousPathsAccepted()
                ? RequestTarget.parseLenient(head.method(), bytes, from, to)
                : RequestTarget.parse(head.method(), bytes, from, to);
    }

    /// Returns the site of a request's `Host` header.
    private Site site(Http1RequestHead head) {
        Hosts now = engine.hosts();
        if (now != hosts) {
            reset(now);
        }
        if (now.isSingle()) {
            return now.fallback();
        }
        Site known = lastNamed;
        if (known == null || !head.isExactly(KnownHeader.HOST, lastHost)) {
            lastHost = head.host();
            known = now.named(lastHost);
            lastNamed = known;
        }
        return known;
    }

    /// Clears the caches: the server has other sites from now on.
    private void reset(Hosts now) {
        hosts = now;
        caches.clear();
        lastSite = null;
        lastCache = null;
        lastNamed = null;
    }

    private TargetCache targets(Site site) {
        TargetCache known = lastCache;
        if (known == null || site != lastSite) {
            known = caches.computeIfAbsent(site, _ -> new TargetCache(targets));
            lastSite = site;
            lastCache = known;
        }
        return known;
    }
}
