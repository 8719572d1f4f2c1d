package dev.tandem.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// What a [Target] serves, to the byte. Immutable.
final class SoakContents {
    static final String LARGE = "/static/1m.bin";

    private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);

    private final Map<String, byte[]> bytes;
    private final List<String> paths;

    /// @param workFolder whose files are served
    SoakContents(WorkFolder workFolder) throws LabException {
        bytes =
                Map.of(
                        "/hello",
                        HELLO,
                        "/hello-loop",
                        HELLO,
                        "/block?ms=1",
                        "ok".getBytes(StandardCharsets.US_ASCII),
                        "/static/1k.bin",
                        workFolder.bytes("1k"),
                        "/static/100k.bin",
                        workFolder.bytes("100k"),
                        LARGE,
                        workFolder.bytes("1m"));
        paths = bytes.keySet().stream().sorted().toList();
    }

    String anyPath(Random random) {
        return paths.get(random.nextInt(paths.size()));
    }

    byte[] of(String path) {
        return bytes.getOrDefault(path, new byte[0]);
    }

    void expect(String path, Caller.Reply reply) throws IOException {
        expect(path, reply.status(), reply.body());
    }

    void expect(String path, int status, byte[] body) throws IOException {
        SoakClient.expect(status == 200, path + " gets status " + status);
        SoakClient.expect(Arrays.equals(body, of(path)), path + " has other bytes: " + body.length);
    }
}
