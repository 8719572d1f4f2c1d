package dev.tandem.engine;

import dev.tandem.engine.site.RouteCounts;

/// The kinds by which active requests are counted: a method with a scheme, as OpenTelemetry's
/// conventions for HTTP metrics have them. A kind is a number from 0 to 31.
public final class RequestKind {
    private RequestKind() {}

    static int of(String method, boolean isSecure) {
        int index = RouteCounts.METHODS.indexOf(method);
        int known = index < 0 ? RouteCounts.METHODS.size() : index;
        return 2 * known + (isSecure ? 1 : 0);
    }

    /// Returns the method of a kind; `_OTHER` for unknown ones.
    public static String method(int kind) {
        int known = kind / 2;
        return known < RouteCounts.METHODS.size()
                ? RouteCounts.METHODS.get(known)
                : RouteCounts.OTHER;
    }

    /// Returns `http` or `https`.
    public static String scheme(int kind) {
        return kind % 2 == 0 ? "http" : "https";
    }
}
