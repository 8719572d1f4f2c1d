package dev.tandem.tls;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// Creates ClientHello messages, byte by byte.
final class ClientHellos {
    private final ByteArrayOutputStream extensions = new ByteArrayOutputStream();
    int version = 0x0303;
    byte[] sessionId = new byte[32];
    String suites = "1301 c02b c02f";
    String compressions = "00";

    static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    /// Returns a message like that of a browser.
    static ClientHellos usual() {
        return new ClientHellos()
                .name("a.example")
                .with(43, "04 0304 0303")
                .with(13, "0004 0403 0804")
                .with(16, "000c 02 6832 08 687474702f312e31");
    }

    ClientHellos with(int type, String body) {
        return with(type, hex(body));
    }

    ClientHellos with(int type, byte[] body) {
        extensions.writeBytes(number(type, 2));
        extensions.writeBytes(part(2, body));
        return this;
    }

    ClientHellos name(String name) {
        byte[] host = part(2, name.getBytes(StandardCharsets.ISO_8859_1));
        return with(0, part(2, join(new byte[1], host)));
    }

    /// Returns the message with its header.
    byte[] message() {
        byte[] body =
                join(
                        number(version, 2),
                        new byte[32],
                        part(1, sessionId),
                        part(2, hex(suites)),
                        part(1, hex(compressions)),
                        extensions.size() == 0 ? new byte[0] : part(2, extensions.toByteArray()));
        return join(new byte[] {1}, part(3, body));
    }

    /// Returns the message in one record.
    byte[] record() {
        return records(message(), 16_384);
    }

    /// Returns the message in records of the given size.
    static byte[] records(byte[] message, int size) {
        var out = new ByteArrayOutputStream();
        for (int at = 0; at < message.length; at += size) {
            int length = Math.min(size, message.length - at);
            out.writeBytes(new byte[] {22, 3, 1});
            out.writeBytes(number(length, 2));
            out.write(message, at, length);
        }
        return out.toByteArray();
    }

    static byte[] join(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] part(int width, byte[] body) {
        return join(number(body.length, width), body);
    }

    private static byte[] number(int number, int width) {
        var bytes = new byte[width];
        for (int i = 0; i < width; i++) {
            bytes[i] = (byte) (number >> 8 * (width - 1 - i));
        }
        return bytes;
    }
}
