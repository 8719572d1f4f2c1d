package dev.tandem.http.h2;

import dev.tandem.http.PreparedResponse;
import java.nio.charset.StandardCharsets;

/// Encodes headers in advance, independently of any dynamic table: the same bytes are valid on each
/// connection, so sending them costs a copy. They refer to the static table only (RFC 7541, section
/// 2.3.1).
public final class PreparedHead {

    private PreparedHead() {}

    /// Returns the status and headers of a prepared response, without `date`.
    public static byte[] of(PreparedResponse response) {
        var block = new HeaderBlock();
        FieldName status = FieldName.of(":status");
        HpackEncoder.encodeStatic(block, status, HeadWriter.statusText(response.status()));
        String lines = new String(response.headerLines(), StandardCharsets.ISO_8859_1);
        for (String line : lines.split("\r\n")) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                add(block, line.substring(0, colon), line.substring(colon + 1));
            }
        }
        return block.copy();
    }

    /// Returns one header, such as the `date` of a second.
    ///
    /// @throws IllegalArgumentException if the name or the value is invalid
    public static byte[] header(String name, String value) {
        var block = new HeaderBlock();
        add(block, name, value);
        return block.copy();
    }

    private static void add(HeaderBlock block, String name, String value) {
        FieldName known = FieldName.of(name);
        String sent = HeadWriter.sentValue(value);
        if (HeadWriter.isSent(known, sent)) {
            HpackEncoder.encodeStatic(block, known, sent);
        }
    }
}
