package dev.tandem.engine.site;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/// The sites of a server by host name. Immutable; safe for use by any thread.
public final class Hosts {
    private final Site fallback;
    private final Map<String, Site> exact = new HashMap<>();

    /// By the part after the asterisk, which begins with a dot.
    private final Map<String, Site> wild = new HashMap<>();

    /// Length of the longest of these.
    private int wildMax;

    private Hosts(Site fallback) {
        this.fallback = fallback;
    }

    /// Returns hosts with one site for all.
    public static Hosts only(Site site) {
        return new Hosts(site);
    }

    /// A site and the names of its hosts.
    ///
    /// @param names in lower case; `*.example.org` is every name below `example.org`
    public record Named(List<String> names, Site site) {
        /// Takes a copy of the list.
        public Named {
            names = List.copyOf(names);
        }
    }

    /// @param fallback the site of all other names
    /// @throws IllegalArgumentException if two have the same name; names it
    public static Hosts of(Site fallback, List<Named> others) {
        var hosts = new Hosts(fallback);
        for (Named other : others) {
            other.names().forEach(name -> hosts.add(name, other.site()));
        }
        return hosts;
    }

    private void add(String name, Site site) {
        boolean isWild = name.startsWith("*");
        Site known = isWild ? wild.put(name.substring(1), site) : exact.put(name, site);
        wildMax = isWild ? Math.max(wildMax, name.length() - 1) : wildMax;
        if (known != null) {
            throw new IllegalArgumentException("two sites have the name " + name);
        }
    }

    /// Whether there is only one site.
    public boolean isSingle() {
        return exact.isEmpty() && wild.isEmpty();
    }

    public Site fallback() {
        return fallback;
    }

    /// Returns the site of a host: one of that name, else that of the longest matching wildcard,
    /// else the fallback.
    ///
    /// @param authority as in a request: a host in any case, perhaps with a trailing dot and with a
    ///     port; empty if it names none
    public Site named(String authority) {
        String name = name(authority);
        Site site = exact.get(name);
        // A client may send thousands of dots: those too far from the end cost nothing.
        for (int dot = name.indexOf('.', name.length() - wildMax);
                site == null && dot >= 0;
                dot = name.indexOf('.', dot + 1)) {
            site = wild.get(name.substring(dot));
        }
        return site == null ? fallback : site;
    }

    /// Whether the site of a host has a route for CONNECT.
    ///
    /// @param name empty for any host
    public boolean hasConnectRoute(String name) {
        if (!name.isEmpty() || isSingle()) {
            return named(name).hasConnectRoute();
        }
        return fallback.hasConnectRoute()
                || Stream.concat(exact.values().stream(), wild.values().stream())
                        .anyMatch(Site::hasConnectRoute);
    }

    private static String name(String authority) {
        int colon = authority.lastIndexOf(':');
        int end = colon > authority.lastIndexOf(']') ? colon : authority.length();
        if (end > 1 && authority.charAt(end - 1) == '.') {
            end--;
        }
        return authority.substring(0, end).toLowerCase(Locale.ROOT);
    }
}
