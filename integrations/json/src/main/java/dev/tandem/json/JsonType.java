package dev.tandem.json;

import dev.tandem.http.HttpException;
import org.jspecify.annotations.Nullable;

/// What both mappers have in common: media types (RFC 8259; RFC 6839, section 3.1) and messages.
final class JsonType {
    /// How much of a library's message a client gets, in characters.
    private static final int REASON_MAX = 200;

    private JsonType() {}

    static boolean matches(String mediaType) {
        return mediaType.equals("application/json")
                || mediaType.startsWith("application/") && mediaType.endsWith("+json");
    }

    /// @throws HttpException 400 if the document is `null`
    static Object notNull(@Nullable Object read) {
        if (read == null) {
            throw new HttpException(400, "the body must not be null");
        }
        return read;
    }

    /// @param place in the document; may be empty
    /// @param reason by the library; its first line counts
    static String problem(String place, @Nullable String reason) {
        String line = reason == null ? "malformed" : reason.lines().findFirst().orElse("malformed");
        String shown = line.length() > REASON_MAX ? line.substring(0, REASON_MAX) + "..." : line;
        return "the body does not map" + (place.isEmpty() ? "" : " at " + place) + ": " + shown;
    }
}
