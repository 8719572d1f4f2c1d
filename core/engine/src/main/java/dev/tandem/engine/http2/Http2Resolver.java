package dev.tandem.engine.http2;

import dev.tandem.engine.Engine;
import dev.tandem.engine.container.Container;
import dev.tandem.engine.site.Hosts;
import dev.tandem.engine.site.Resolution;
import dev.tandem.engine.site.Resolved;
import dev.tandem.engine.site.Site;
import dev.tandem.http.MalformedMessage;
import dev.tandem.http.ParsedTarget;
import dev.tandem.http.RequestTarget;
import dev.tandem.http.h2.Http2RequestHead;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Finds the site and the route of a request by its `:authority`, `:method` and `:path`. Remembers
/// recent ones: most requests repeat an earlier one. Confined to its loop.
final class Http2Resolver {
    /// How many targets are remembered; a power of two.
    private static final int TARGETS = 1024;

    /// RFC 9220, section 3, which says it of RFC 8441, too.
    private static final Resolution OTHER_PROTOCOL =
            new Resolution.Rejected(new MalformedMessage(501, "a protocol that is not known here"));

    private final Engine engine;
    private final boolean isLenient;
    private final @Nullable Entry[] entries = new Entry[TARGETS];
    private Hosts hosts;

    /// The last host that was named, and its site by `hosts`.
    private String lastHost = "";

    private @Nullable Site lastNamed;

    private record Entry(Site site, String method, String path, Resolved resolved) {}

    Http2Resolver(Engine engine, boolean isLenient) {
        this.engine = engine;
        this.isLenient = isLenient;
        this.hosts = engine.hosts();
    }

    /// Returns what a request's head leads to. The head then knows its target.
    Resolution resolve(Http2RequestHead head, boolean isSecure) {
        String protocol = head.protocol();
        if (protocol != null && !protocol.equalsIgnoreCase("websocket")) {
            return OTHER_PROTOCOL;
        }
        Site site = site(head.authority()).over(isSecure);
        String method = head.method();
        String path = head.path();
        int place = place(path);
        Entry known = entries[place];
        if (known != null
                && known.site == site
                && known.path.equals(path)
                && known.method.equals(method)) {
            head.target(known.resolved.target());
            return known.resolved;
        }
        ParsedTarget parsed = head.parseTarget(isLenient);
        if (parsed instanceof ParsedTarget.Invalid(MalformedMessage bad)) {
            return new Resolution.Rejected(bad);
        }
        var target = (RequestTarget) parsed;
        head.target(target);
        Resolved resolved = site.resolve(method, target);
        boolean isOrigin = target.form() == RequestTarget.Form.ORIGIN;
        boolean isKnown = !resolved.route().pattern().equals(Container.NOT_KNOWN_YET);
        if (isOrigin && isKnown && path.length() <= Http2RequestHead.SHARED_PATH_MAX) {
            entries[place] = new Entry(site, method, path, resolved);
        }
        return resolved;
    }

    private static int place(String path) {
        int hash = path.hashCode();
        return (hash ^ hash >>> 16) & TARGETS - 1;
    }

    private Site site(String authority) {
        Hosts now = engine.hosts();
        if (now != hosts) {
            hosts = now;
            lastNamed = null;
            Arrays.fill(entries, null);
        }
        if (now.isSingle()) {
            return now.fallback();
        }
        Site known = lastNamed;
        if (known == null || !authority.equals(lastHost)) {
            lastHost = authority;
            known = now.named(authority);
            lastNamed = known;
        }
        return known;
    }
}
