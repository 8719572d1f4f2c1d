package dev.tandem.testkit;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// Bytes on the wire as text blocks, and the reverse.
///
/// A text block's line ends stand for CRLF. In the other direction a CR or LF that stands alone,
/// and every other control character, becomes visible, so that no such difference is hidden.
public final class WireText {
    private static final Pattern DATE =
            Pattern.compile(
                    "Date: [A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT");

    private WireText() {}

    /// Returns the bytes of a text block: Latin-1, each line end a CRLF.
    public static byte[] bytes(String block) {
        return raw(block.replace("\n", "\r\n"));
    }

    /// Returns the characters unchanged, in Latin-1.
    public static byte[] raw(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Returns the bytes as a text block, with a well-formed date replaced by `Date: *`.
    public static String block(byte[] bytes) {
        var shown = new StringBuilder();
        for (int i = 0; i < bytes.length; i++) {
            char c = (char) (bytes[i] & 0xff);
            if (c == '\r' && i + 1 < bytes.length && bytes[i + 1] == '\n') {
                shown.append('\n');
                i++;
            } else if (c >= ' ' && c != 0x7f) {
                shown.append(c);
            } else {
                shown.append("<%02x>".formatted((int) c));
            }
        }
        return DATE.matcher(shown).replaceAll("Date: *");
    }
}
