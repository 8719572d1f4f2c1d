package dev.tandem.engine.http1;

import dev.tandem.testkit.WireText;
import java.io.ByteArrayOutputStream;

/// Bytes of requests, and the bytes of the expected responses.
///
/// @param name describes the case
/// @param request a text block
/// @param response a text block, with dates as `Date: *`
/// @param isLast whether the server ends the connection afterwards
public record WireCase(String name, String request, String response, boolean isLast) {

    public static WireCase kept(String name, String request, String response) {
        return new WireCase(name, request, response, false);
    }

    static WireCase last(String name, String request, String response) {
        return new WireCase(name, request, response, true);
    }

    byte[] requestBytes() {
        return WireText.bytes(request);
    }

    /// Returns the number of bytes of the response, with its dates written out.
    public int responseLength() {
        String dated = response.replace("Date: *", "Date: Sun, 06 Nov 1994 08:49:37 GMT");
        return WireText.bytes(dated.replace("<0a>", " ")).length;
    }

    public static String shown(ByteArrayOutputStream bytes) {
        return WireText.block(bytes.toByteArray());
    }

    @Override
    public String toString() {
        return name;
    }
}
