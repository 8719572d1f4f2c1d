import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;

/// What a back has read as one request. Each back of this folder prints it as a line, and sends it
/// in the header X-Saw, which responses to HEAD have, too.
final class Saw {
    static final byte[] BODY = "seen\n".getBytes(StandardCharsets.US_ASCII);
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private Saw() {}

    /// Reads the content, and returns the value of X-Saw.
    ///
    /// @param port the client's, by which the script finds the connection
    /// @param hosts the values of all Host headers
    /// @param name the host as the server understands it, which may be the target's, or "-"
    static String request(
            int port,
            String method,
            String target,
            List<String> hosts,
            String name,
            InputStream content)
            throws IOException {
        byte[] bytes;
        try {
            bytes = content.readAllBytes();
        } catch (IOException | RuntimeException e) {
            print("broken " + port + " 0 " + plain(method) + " " + plain(target));
            throw e;
        }
        return request(port, method, target, hosts, name, bytes);
    }

    static String request(
            int port,
            String method,
            String target,
            List<String> hosts,
            String name,
            byte[] content) {
        var hash = new CRC32();
        hash.update(content);
        String value =
                "%d %s %s %s %s %d %08x"
                        .formatted(
                                NUMBERS.incrementAndGet(),
                                plain(method),
                                plain(target),
                                plain(hosts.isEmpty() ? "none" : String.join("|", hosts)),
                                plain(name),
                                content.length,
                                hash.getValue());
        print("saw " + port + " " + value);
        return value;
    }

    private static void print(String line) {
        synchronized (NUMBERS) {
            System.out.println(line);
            System.out.flush();
        }
    }

    /// Returns the text with everything but visible ASCII as percent codes in lower case.
    private static String plain(String text) {
        if (text == null || text.isEmpty()) {
            return text == null ? "-" : "empty";
        }
        var out = new ByteArrayOutputStream();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b > ' ' && b < 0x7f) {
                out.write(b);
            } else {
                out.writeBytes("%%%02x".formatted(b & 0xff).getBytes(StandardCharsets.US_ASCII));
            }
        }
        return out.toString(StandardCharsets.US_ASCII);
    }
}
