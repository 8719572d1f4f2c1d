package dev.tandem.http;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Validated headers that are added to every response. Compared by identity, which is enough for
/// caching the results.
final class StaticHeaders {
    /// Headers that frame or describe a single response cannot be the same in all.
    private static final Set<String> PER_RESPONSE =
            Set.of(
                    "connection",
                    "content-length",
                    "content-range",
                    "date",
                    "keep-alive",
                    "transfer-encoding",
                    "upgrade");

    private final Map<String, String> headers;

    private StaticHeaders(Map<String, String> fields) {
        this.headers = fields;
    }

    /// @throws IllegalArgumentException if a name or value is not allowed, or the header cannot be
    ///     the same in every response; names the header
    static StaticHeaders of(Map<String, String> fields) {
        var checked = new LinkedHashMap<String, String>();
        fields.forEach(
                (name, value) -> {
                    FieldSyntax.requireName(name);
                    FieldSyntax.requireValue(value);
                    if (PER_RESPONSE.contains(name.toLowerCase(Locale.ROOT))) {
                        throw new IllegalArgumentException(
                                name + " cannot be the same in every response");
                    }
                    checked.put(name, value);
                });
        return new StaticHeaders(checked);
    }

    Map<String, String> headers() {
        return headers;
    }

    /// Returns `section` followed by those of the headers that it lacks: a response's own header
    /// takes precedence.
    ///
    /// @param section header lines, each terminated by CRLF
    String appendTo(String section) {
        String own = "\r\n" + section.toLowerCase(Locale.ROOT);
        var all = new StringBuilder(section);
        headers.forEach(
                (name, value) -> {
                    if (!own.contains("\r\n" + name.toLowerCase(Locale.ROOT) + ":")) {
                        all.append(name).append(": ").append(value).append("\r\n");
                    }
                });
        return all.toString();
    }
}
