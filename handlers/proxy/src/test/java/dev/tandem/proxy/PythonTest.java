package dev.tandem.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.testkit.server.Web;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Third-party servers as upstreams: Python's `http.server`, and one that uses its `asyncio`.
@Timeout(60)
class PythonTest {
    private static final Pattern PORT = Pattern.compile("(?:port )?(\\d+)");

    private final Path folder;
    private AutoCloseable running = () -> {};

    PythonTest(@TempDir Path folder) {
        this.folder = folder;
    }

    /// Starts a program that prints its port in the first line, and a proxy for it.
    private Web start(String... arguments) throws IOException {
        assumeTrue(isThere(), "skipped: needs python3");
        var command = new ArrayList<>(List.of("python3", "-u"));
        command.addAll(List.of(arguments));
        Process python =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        running = () -> python.destroyForcibly().waitFor();
        BufferedReader said = python.inputReader();
        Matcher port = PORT.matcher(String.valueOf(said.readLine()).replace("127.0.0.1", ""));
        assertTrue(port.find(), "it says its port");
        Proxy proxy = Proxy.to(List.of("127.0.0.1:" + port.group(1)));
        Web web = new Web(site -> site.route("*", "/{path...}", proxy));
        running =
                () -> {
                    web.close();
                    proxy.close();
                    python.destroyForcibly().waitFor();
                };
        return web;
    }

    private Web startAsyncio() throws IOException {
        Path script = folder.resolve("server.py");
        try (InputStream in = PythonTest.class.getResourceAsStream("server.py")) {
            Files.copy(Objects.requireNonNull(in), script);
        }
        return start(script.toString());
    }

    private static boolean isThere() {
        return List.of(System.getenv("PATH").split(":")).stream()
                .anyMatch(path -> Files.isExecutable(Path.of(path, "python3")));
    }

    @AfterEach
    void stop() throws Exception {
        running.close();
    }

    /// HTTP/1.0: each response ends with its connection, with or without a length.
    @Test
    void filesOfPythonsServerAreForwarded() throws IOException {
        byte[] bytes = "0123456789".repeat(50_000).getBytes(StandardCharsets.US_ASCII);
        Files.write(folder.resolve("big.txt"), bytes);
        String root = folder.toString();
        Web web = start("-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", root);
        for (int i = 0; i < 3; i++) {
            Web.Response response = web.get("/big.txt");
            assertEquals(200, response.status());
            assertEquals("text/plain", response.field("Content-Type"));
            assertArrayEquals(bytes, response.body());
        }
        assertEquals(404, web.get("/not-there").status());
        assertEquals(0, web.ask("HEAD", "/big.txt").body().length);
    }

    @Test
    void bodiesAreForwardedInBothDirections() throws IOException {
        Web web = startAsyncio();
        for (int size : new int[] {0, 10, 200_000, 10}) {
            try (Socket socket = web.connect()) {
                Web.send(socket, "POST", "/a?b", "Content-Length: " + size);
                socket.getOutputStream().write(new byte[size]);
                Web.Response response = Web.read(socket.getInputStream());
                assertEquals("POST /a?b " + size + "\n" + "\0".repeat(size), response.text());
            }
        }
    }

    @Test
    void streamsAreForwarded() throws IOException {
        Web web = startAsyncio();
        var expected = new StringBuilder();
        for (int number = 0; number < 100; number++) {
            expected.append("line ").append(number).append('\n');
        }
        // One that is complete before any of it is sent has a length.
        Web.Response response = web.get("/stream");
        boolean isChunked = "chunked".equals(response.field("Transfer-Encoding"));
        String text = response.text();
        assertEquals(expected.toString(), isChunked ? unchunked(text) : text);
    }

    /// Chunks may end anywhere: where a read of the proxy ended.
    private static String unchunked(String text) {
        var content = new StringBuilder();
        int at = 0;
        int size;
        do {
            int end = text.indexOf("\r\n", at);
            size = Integer.parseInt(text.substring(at, end), 16);
            content.append(text, end + 2, end + 2 + size);
            at = end + 2 + size + 2;
        } while (size > 0);
        assertEquals(text.length(), at);
        return content.toString();
    }

    @Test
    void webSocketsWorkThroughTheProxy() throws IOException {
        Web web = startAsyncio();
        try (Socket socket = web.connect()) {
            socket.getOutputStream()
                    .write(
                            ("GET /chat HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n"
                                            + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            String head = new String(readHead(in), StandardCharsets.US_ASCII);
            assertTrue(head.startsWith("HTTP/1.1 101 "), head);
            // RFC 6455, section 1.3.
            assertTrue(head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), head);
            for (String word : List.of("one", "two")) {
                socket.getOutputStream().write(frame(0x81, word));
                assertArrayEquals(plain(0x81, word), in.readNBytes(2 + word.length()));
            }
            socket.getOutputStream().write(frame(0x88, ""));
            assertArrayEquals(plain(0x88, ""), in.readNBytes(2));
            assertEquals(-1, in.read());
        }
    }

    private static byte[] readHead(InputStream in) throws IOException {
        var head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            int b = in.read();
            assertTrue(b >= 0, head.toString(StandardCharsets.US_ASCII));
            head.write(b);
        }
        return head.toByteArray();
    }

    /// A frame of a client: masked (RFC 6455, section 5.3).
    private static byte[] frame(int first, String text) {
        byte[] mask = {1, 2, 3, 4};
        byte[] data = text.getBytes(StandardCharsets.US_ASCII);
        var frame = new byte[6 + data.length];
        frame[0] = (byte) first;
        frame[1] = (byte) (0x80 | data.length);
        System.arraycopy(mask, 0, frame, 2, 4);
        for (int i = 0; i < data.length; i++) {
            frame[6 + i] = (byte) (data[i] ^ mask[i % 4]);
        }
        return frame;
    }

    private static byte[] plain(int first, String text) {
        var frame = new byte[2 + text.length()];
        frame[0] = (byte) first;
        frame[1] = (byte) text.length();
        System.arraycopy(text.getBytes(StandardCharsets.US_ASCII), 0, frame, 2, text.length());
        return frame;
    }
}
