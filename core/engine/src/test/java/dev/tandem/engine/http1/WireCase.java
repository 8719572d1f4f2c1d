package dev.tandem.engine.http1;

import dev.tandem.testkit.WireText;
import java.io.ByteArrayOutputStream;

/// Bytes of requests, and the bytes that must come back.
///
/// @param name says what is shown
/// @param request a text block
/// @param answer a text block, with dates as `Date: *`
/// @param isLast whether the server ends the connection afterwards
public record WireCase(String name, String request, String answer, boolean isLast) {

    public static WireCase kept(String name, String request, String answer) {
        return new WireCase(name, request, answer, false);
    }

    static WireCase last(String name, String request, String answer) {
        return new WireCase(name, request, answer, true);
    }

    byte[] requestBytes() {
        return WireText.bytes(request);
    }

    /// How many bytes the answer has, with its dates written out.
    public int answerLength() {
        String dated = answer.replace("Date: *", "Date: Sun, 06 Nov 1994 08:49:37 GMT");
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
