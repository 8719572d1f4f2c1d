package dev.tandem.testkit;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A response as received.
///
/// @param status three digits
/// @param reason the text after the status
/// @param fieldLines the header section's lines, in order
/// @param body the content, without its framing
/// @param trailerLines the lines after a chunked body
public record RawResponse(
        int status,
        String reason,
        List<String> fieldLines,
        byte[] body,
        List<String> trailerLines) {

    /// Returns the value of the only header of that name, or null if there is none.
    ///
    /// @throws IllegalStateException if there are several
    public @Nullable String field(String name) {
        String found = null;
        for (String line : fieldLines) {
            int colon = line.indexOf(':');
            if (line.substring(0, colon).equalsIgnoreCase(name)) {
                if (found != null) {
                    throw new IllegalStateException("two fields " + name + ": " + fieldLines);
                }
                found = line.substring(colon + 1).strip();
            }
        }
        return found;
    }

    /// Whether the server announces that it closes the connection.
    public boolean saysClose() {
        String connection = field("Connection");
        return connection != null && connection.equalsIgnoreCase("close");
    }

    /// The content in UTF-8.
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
