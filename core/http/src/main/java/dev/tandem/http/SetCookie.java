package dev.tandem.http;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/// A cookie to set (RFC 6265, section 4.1). Immutable: each attribute's method returns another
/// cookie.
///
/// Careful unless told otherwise: `Path=/`, `HttpOnly` (scripts do not see it), `SameSite=Lax`
/// (other sites' forms and frames do not send it), no domain (this host alone), until the browser
/// closes. Only [#secure(boolean)] must be said, since a server without TLS could not set such a
/// cookie.
public final class SetCookie {

    /// Whether the cookie goes with requests that other sites cause.
    public enum SameSite {
        /// Never, not even when a link is followed.
        STRICT("Strict"),
        /// When a link is followed.
        LAX("Lax"),
        /// Always; browsers take it on secure cookies only.
        NONE("None");

        private final String word;

        SameSite(String word) {
            this.word = word;
        }
    }

    /// In the order written.
    private enum Attribute {
        PATH,
        DOMAIN,
        MAX_AGE,
        SECURE,
        HTTP_ONLY,
        SAME_SITE
    }

    private static final String HOST_PREFIX = "__host-";
    private static final String SECURE_PREFIX = "__secure-";

    private final String name;
    private final String value;

    /// Each as written; not changed after construction.
    private final Map<Attribute, String> attributes;

    private SetCookie(String name, String value, Map<Attribute, String> attributes) {
        this.name = name;
        this.value = value;
        this.attributes = attributes;
    }

    /// A cookie of that name. One whose name begins with `__Secure-` or `__Host-` is secure from
    /// the start, as those names promise.
    ///
    /// @throws IllegalArgumentException if the name is no token, or the value has a character other
    ///     than the visible ones of ASCII without `"`, `,`, `;` and the backslash: encode such
    ///     values
    public static SetCookie of(String name, String value) {
        if (!FieldSyntax.isToken(name)) {
            throw new IllegalArgumentException("not a cookie name: " + FieldSyntax.quoted(name));
        }
        if (!isVisible(value, "\",;\\")) {
            // The value itself may be a secret.
            throw new IllegalArgumentException("not a cookie value, of cookie " + name);
        }
        var cookie = new SetCookie(name, value, new EnumMap<>(Attribute.class));
        return cookie.path("/")
                .secure(hasPrefix(name, HOST_PREFIX) || hasPrefix(name, SECURE_PREFIX))
                .httpOnly(true)
                .sameSite(SameSite.LAX);
    }

    /// Tells the browser to forget the cookie of that name; path and domain must be as it was set.
    public static SetCookie expired(String name) {
        return of(name, "").maxAge(Duration.ZERO);
    }

    public String name() {
        return name;
    }

    public String value() {
        return value;
    }

    /// The paths that the cookie is sent to: this one and those below.
    ///
    /// @throws IllegalArgumentException unless it begins with `/` and has visible ASCII without
    ///     `;`, or if the name's prefix `__Host-` asks for `/`
    public SetCookie path(String path) {
        if (!path.startsWith("/") || !isVisible(path, ";")) {
            throw new IllegalArgumentException("not a path: " + FieldSyntax.quoted(path));
        }
        if (hasPrefix(name, HOST_PREFIX) && path.length() > 1) {
            throw new IllegalArgumentException("a __Host- cookie has the path /, not " + path);
        }
        return with(Attribute.PATH, "Path=" + path);
    }

    /// Sends the cookie to that host and every one below, not to this host alone.
    ///
    /// @throws IllegalArgumentException unless it is letters, digits, hyphens and dots, or if the
    ///     name's prefix `__Host-` forbids it
    public SetCookie domain(String domain) {
        boolean isName = !domain.isEmpty();
        for (int i = 0; i < domain.length(); i++) {
            char c = domain.charAt(i);
            isName &= Authority.isUnreserved(c) && c != '_' && c != '~';
        }
        if (!isName) {
            throw new IllegalArgumentException("not a domain: " + FieldSyntax.quoted(domain));
        }
        if (hasPrefix(name, HOST_PREFIX)) {
            throw new IllegalArgumentException("a __Host- cookie has no domain");
        }
        return with(Attribute.DOMAIN, "Domain=" + domain);
    }

    /// How long the browser keeps it, in whole seconds (the rest is cut off); zero and less means
    /// not any longer.
    public SetCookie maxAge(Duration maxAge) {
        return with(Attribute.MAX_AGE, "Max-Age=" + Math.max(0, maxAge.toSeconds()));
    }

    /// Whether it is sent over TLS alone.
    ///
    /// @throws IllegalArgumentException if it is not to be, against its name's prefix or its
    ///     `SameSite=None`
    public SetCookie secure(boolean secure) {
        if (!secure && mustBeSecure()) {
            throw new IllegalArgumentException("cookie " + name + " must be secure");
        }
        return with(Attribute.SECURE, secure ? "Secure" : "");
    }

    /// Whether scripts are kept from it.
    public SetCookie httpOnly(boolean httpOnly) {
        return with(Attribute.HTTP_ONLY, httpOnly ? "HttpOnly" : "");
    }

    /// Whether other sites' requests carry it; [SameSite#NONE] makes it secure too.
    public SetCookie sameSite(SameSite sameSite) {
        var cookie = with(Attribute.SAME_SITE, "SameSite=" + sameSite.word);
        return sameSite == SameSite.NONE ? cookie.secure(true) : cookie;
    }

    /// The value of the Set-Cookie field.
    @Override
    public String toString() {
        var text = new StringBuilder(name).append('=').append(value);
        for (String attribute : attributes.values()) {
            if (!attribute.isEmpty()) {
                text.append("; ").append(attribute);
            }
        }
        return text.toString();
    }

    private boolean mustBeSecure() {
        return hasPrefix(name, HOST_PREFIX)
                || hasPrefix(name, SECURE_PREFIX)
                || "SameSite=None".equals(attributes.get(Attribute.SAME_SITE));
    }

    private SetCookie with(Attribute attribute, String written) {
        var changed = new EnumMap<Attribute, String>(attributes);
        changed.put(attribute, written);
        return new SetCookie(name, value, changed);
    }

    /// Browsers compare the prefixes without case.
    private static boolean hasPrefix(String name, String prefix) {
        return name.regionMatches(true, 0, prefix, 0, prefix.length());
    }

    private static boolean isVisible(String text, String except) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c >= 0x7f || except.indexOf(c) >= 0) {
                return false;
            }
        }
        return true;
    }
}
