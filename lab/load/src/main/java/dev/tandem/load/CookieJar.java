package dev.tandem.load;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// A user's cookies for the one server (RFC 6265), without dates: cookies that expire are kept for
/// the session, and `Max-Age=0` or the date in the past that servers delete cookies by (`Thu, 01
/// Jan 1970`) deletes them. Confined to one load thread.
final class CookieJar {
    private static final int COOKIES_MAX = 100;
    private static final int BYTES_MAX = 8_192;

    private final Map<String, Cookie> cookies = new LinkedHashMap<>();

    private record Cookie(String value, String path) {
        /// RFC 6265, section 5.1.4.
        boolean fits(String asked) {
            return asked.equals(path)
                    || asked.startsWith(path)
                            && (path.endsWith("/") || asked.charAt(path.length()) == '/');
        }
    }

    /// @param text of a `Set-Cookie` header
    void set(String text) {
        String[] parts = text.split(";", -1); // one at least, also of semicolons alone
        int equals = parts[0].indexOf('=');
        if (equals < 1) {
            return;
        }
        String name = parts[0].substring(0, equals).strip();
        String path = "/";
        boolean isDeleted = false;
        for (int i = 1; i < parts.length; i++) {
            String part = parts[i].strip();
            String lower = part.toLowerCase(Locale.ROOT);
            if (lower.startsWith("path=/")) {
                path = part.substring("path=".length());
            }
            isDeleted |= lower.matches("max-age=(0|-.*)") || lower.matches("expires=.*\\D1970 .*");
        }
        cookies.remove(name);
        if (!isDeleted && text.length() <= BYTES_MAX) {
            cookies.put(name, new Cookie(parts[0].substring(equals + 1).strip(), path));
        }
        shrink();
    }

    /// Removes the oldest first.
    private void shrink() {
        Iterator<Map.Entry<String, Cookie>> oldest = cookies.entrySet().iterator();
        while (cookies.size() > COOKIES_MAX || field("/").length() > BYTES_MAX) {
            oldest.next();
            oldest.remove();
        }
    }

    /// Returns the `Cookie` line for a target; empty if there is none.
    String field(String target) {
        int query = target.indexOf('?');
        String path = query < 0 ? target : target.substring(0, query);
        var field = new StringBuilder();
        for (var entry : cookies.entrySet()) {
            if (entry.getValue().fits(path)) {
                field.append(field.isEmpty() ? "Cookie: " : "; ");
                field.append(entry.getKey()).append('=').append(entry.getValue().value());
            }
        }
        return field.isEmpty() ? "" : field.append("\r\n").toString();
    }
}
