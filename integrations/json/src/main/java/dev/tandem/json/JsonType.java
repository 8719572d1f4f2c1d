package dev.tandem.json;

import dev.tandem.http.HttpException;
import org.jspecify.annotations.Nullable;

/// What both mappers have in common: media types (RFC 8259; RFC 6839, section 3.1) and messages.
final class JsonType {
    static final String NOT_UTF_8 = "it is not UTF-8";

    /// How much of a place and of a library's message a client gets, in characters each. Both may
    /// repeat names of the document, whose author chooses their length and number.
    private static final int SHOWN_MAX = 200;

    /// A million values and brackets: an empty list takes three bytes of a body, and fifty of the
    /// heap.
    static final long TOKENS_MAX = 1_000_000;

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
        String at = place.isEmpty() ? "" : " at " + shown(place);
        return "the body does not map" + at + ": " + shown(reason == null ? "" : reason);
    }

    private static String shown(String text) {
        String line = text.lines().findFirst().orElse("malformed");
        String part = line.length() > SHOWN_MAX ? line.substring(0, SHOWN_MAX) + "..." : line;
        return part.replaceAll("\\p{Cntrl}", "?");
    }
}
