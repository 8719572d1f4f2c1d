package dev.tandem.http;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Header fields that were checked, to be added to answers. Compared by identity, which is enough
/// for who keeps what was made of them.
final class StaticHeaders {
    /// What frames or describes one answer cannot be the same for all.
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

    /// @throws IllegalArgumentException if a name or value may not be sent, or the field is not for
    ///     every answer; names it
    static StaticHeaders of(Map<String, String> fields) {
        var checked = new LinkedHashMap<String, String>();
        fields.forEach(
                (name, value) -> {
                    FieldSyntax.requireName(name);
                    FieldSyntax.requireValue(value);
                    if (PER_RESPONSE.contains(name.toLowerCase(Locale.ROOT))) {
                        throw new IllegalArgumentException(
                                name + " cannot be the same in every answer");
                    }
                    checked.put(name, value);
                });
        return new StaticHeaders(checked);
    }

    Map<String, String> headers() {
        return headers;
    }

    /// `section` and those of the fields that it has not: an answer's own word goes before.
    ///
    /// @param section lines, each ended by CRLF
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
