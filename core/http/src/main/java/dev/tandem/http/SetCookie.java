package dev.tandem.http;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/// A cookie to set (RFC 6265, section 4.1). Immutable: each attribute method returns a modified
/// copy.
///
/// Safe by default: `Path=/`, `HttpOnly` (hidden from scripts), `SameSite=Lax` (not sent by forms
/// and frames of other sites), no domain (this host only), until the browser closes. Only
/// [#secure(boolean)] must be set explicitly, because a server without TLS could not set such a
/// cookie.
public final class SetCookie {

    /// Whether the cookie is sent with requests that originate from other sites.
    public enum SameSite {
        /// Never, not even when a link is followed.
        STRICT("Strict"),
        /// Only when a link is followed.
        LAX("Lax"),
        /// Always; browsers accept this only for secure cookies.
        NONE("None");

        private final String value;

        SameSite(String word) {
            this.value = word;
        }
    }

    /// In the order in which they are written.
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

    /// Each as written; not modified after construction.
    private final Map<Attribute, String> attributes;

    private SetCookie(String name, String value, Map<Attribute, String> attributes) {
        this.name = name;
        this.value = value;
        this.attributes = attributes;
    }

    /// Returns a cookie with that name. One whose name begins with `__Secure-` or `__Host-` is
    /// secure initially, as these prefixes require.
    ///
    /// @throws IllegalArgumentException if the name is not a token, or the value contains a
    ///     character other than visible ASCII without `"`, `,`, `;` and the backslash: encode such
    ///     values
    public static SetCookie of(String name, String value) {
        if (!FieldSyntax.isToken(name)) {
            throw new IllegalArgumentException("not a cookie name: " + FieldSyntax.quoted(name));
        }
        if (!isVisible(value, "\",;\\")) {
            // The value is omitted, because it may be a secret.
            throw new IllegalArgumentException("not a cookie value, of cookie " + name);
        }
        var cookie = new SetCookie(name, value, new EnumMap<>(Attribute.class));
        return cookie.path("/")
                .secure(hasPrefix(name, HOST_PREFIX) || hasPrefix(name, SECURE_PREFIX))
                .httpOnly(true)
                .sameSite(SameSite.LAX);
    }

    /// Returns a cookie that makes the browser delete the cookie with that name; path and domain
    /// must be those with which it was set.
    public static SetCookie expired(String name) {
        return of(name, "").maxAge(Duration.ZERO);
    }

    public String name() {
        return name;
    }

    public String value() {
        return value;
    }

    /// Sets the path: the cookie is sent for this path and those below it.
    ///
    /// @throws IllegalArgumentException unless it begins with `/` and contains only visible ASCII
    ///     without `;`, or if the name's prefix `__Host-` requires `/`
    public SetCookie path(String path) {
        if (!path.startsWith("/") || !isVisible(path, ";")) {
            throw new IllegalArgumentException("not a path: " + FieldSyntax.quoted(path));
        }
        if (hasPrefix(name, HOST_PREFIX) && path.length() > 1) {
            throw new IllegalArgumentException("a __Host- cookie has the path /, not " + path);
        }
        return with(Attribute.PATH, "Path=" + path);
    }

    /// Sets the domain: the cookie is sent to this host and its subdomains, not to the current host
    /// only.
    ///
    /// @throws IllegalArgumentException unless it consists of letters, digits, hyphens and dots, or
    ///     if the name's prefix `__Host-` forbids it
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

    /// Sets the lifetime, truncated to whole seconds; zero or less deletes the cookie.
    public SetCookie maxAge(Duration maxAge) {
        return with(Attribute.MAX_AGE, "Max-Age=" + Math.max(0, maxAge.toSeconds()));
    }

    /// Sets whether the cookie is sent over TLS only.
    ///
    /// @throws IllegalArgumentException if it is false, although the name's prefix or
    ///     `SameSite=None` requires it
    public SetCookie secure(boolean secure) {
        if (!secure && mustBeSecure()) {
            throw new IllegalArgumentException("cookie " + name + " must be secure");
        }
        return with(Attribute.SECURE, secure ? "Secure" : "");
    }

    /// Sets whether the cookie is hidden from scripts.
    public SetCookie httpOnly(boolean httpOnly) {
        return with(Attribute.HTTP_ONLY, httpOnly ? "HttpOnly" : "");
    }

    /// Sets whether requests from other sites contain the cookie; [SameSite#NONE] also makes it
    /// secure.
    public SetCookie sameSite(SameSite sameSite) {
        var cookie = with(Attribute.SAME_SITE, "SameSite=" + sameSite.value);
        return sameSite == SameSite.NONE ? cookie.secure(true) : cookie;
    }

    /// Returns the value of the Set-Cookie header.
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

    /// Browsers compare the prefixes case-insensitively.
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
