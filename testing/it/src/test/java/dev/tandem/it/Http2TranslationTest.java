package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.proxy.Proxy;
import dev.tandem.testkit.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests of HTTP/2 that a proxy translates to HTTP/1.1, over sockets, to an upstream that
/// records each byte: no malformed one reaches it (RFC 9113, sections 8.1.1, 8.2 and 10.3).
@Timeout(60)
class Http2TranslationTest {
    private static final String GET = ":method=GET;:scheme=http;:authority=localhost;:path=/a";
    private static final String POST = ":method=POST;:scheme=http;:authority=localhost;:path=/a";

    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private TestServer upstream;
    private Proxy proxy;
    private Server server;

    @BeforeEach
    void start() throws IOException {
        upstream = new TestServer((socket, _) -> record(socket));
        proxy = Proxy.to(List.of(upstream.address()));
        server = Tandem.listen("127.0.0.1", 0).route("*", "/{path...}", proxy).start();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        proxy.close();
        upstream.close();
    }

    /// Records everything, and responds to each empty line.
    private void record(Socket socket) throws IOException {
        byte[] response = ascii("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        InputStream in = socket.getInputStream();
        int last = 0;
        for (int b = in.read(); b >= 0; b = in.read()) {
            last = last << 8 | b;
            synchronized (received) {
                received.write(b);
            }
            if (last == 0x0D0A0D0A) {
                socket.getOutputStream().write(response);
            }
        }
    }

    private String received() {
        synchronized (received) {
            return received.toString(StandardCharsets.ISO_8859_1);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    // ---- A client that sends any bytes.

    private static ByteBuffer frame(ByteBuffer to, int type, int flags, int id, byte[] payload) {
        return to.putInt(payload.length << 8 | type).put((byte) flags).putInt(id).put(payload);
    }

    /// Encodes headers as literals, `name=value` separated by `;`, with escapes.
    private static byte[] block(String headers) {
        var block = ByteBuffer.allocate(4096);
        for (String header : headers.split(";", -1)) {
            int at = header.indexOf('=');
            byte[] name = ascii(header.substring(0, at).translateEscapes());
            byte[] value = ascii(header.substring(at + 1).translateEscapes());
            block.put((byte) 0).put((byte) name.length).put(name);
            block.put((byte) value.length).put(value);
        }
        var bytes = new byte[block.position()];
        block.flip().get(bytes);
        return bytes;
    }

    /// Sends one request, and returns `reset CODE`, `closed CODE` or `status BYTE`, the first byte
    /// of the response's header block.
    private String outcome(String headers, String... content) throws IOException {
        try (var socket = new Socket("127.0.0.1", server.port())) {
            var out = ByteBuffer.allocate(16_384);
            out.put(ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
            frame(out, 4, 0, 0, new byte[0]);
            frame(out, 4, 1, 0, new byte[0]);
            frame(out, 1, content.length == 0 ? 5 : 4, 1, block(headers));
            for (int i = 0; i < content.length; i++) {
                frame(out, 0, i == content.length - 1 ? 1 : 0, 1, ascii(content[i]));
            }
            socket.getOutputStream().write(out.array(), 0, out.position());
            return outcome(new DataInputStream(socket.getInputStream()));
        }
    }

    private static String outcome(DataInputStream in) throws IOException {
        while (true) {
            int lengthType = in.readInt();
            in.readByte();
            int id = in.readInt();
            byte[] payload = in.readNBytes(lengthType >>> 8);
            switch (lengthType & 0xFF) {
                case 1 -> {
                    return "status " + (payload[0] & 0xFF);
                }
                case 3 -> {
                    return "reset " + payload[3];
                }
                case 7 -> {
                    return "closed " + payload[7];
                }
                default -> assertTrue(id >= 0);
            }
        }
    }

    // ---- What must not pass.

    @ParameterizedTest
    @ValueSource(
            strings = {
                // bytes that would begin another header or request in HTTP/1.1
                GET + ";x=a\\r\\nHost: evil",
                GET + ";x=a\\nb",
                GET + ";x=a\\rb",
                GET + ";x=a\\0b",
                GET + ";x= a",
                GET + ";x=a ",
                GET + ";x\\r\\ny=a",
                GET + ";x:y=a",
                GET + ";x y=a",
                GET + ";X=a",
                GET + ";=a",
                ":method=GET;:scheme=http;:authority=localhost;:path=/a HTTP/1.1\\r\\nx: y",
                ":method=GET;:scheme=http;:authority=localhost;:path=/a b",
                ":method=GET;:scheme=http;:authority=localhost;:path=/a\\0",
                ":method=GET;:scheme=http;:authority=localhost;:path=a",
                ":method=GET;:scheme=http;:authority=localhost;:path=",
                ":method=GET;:scheme=http;:authority=local\\r\\nhost;:path=/a",
                ":method=GET;:scheme=http;:authority=user@localhost;:path=/a",
                ":method=GET;:scheme=http;:authority=localhost/a;:path=/a",
                ":method=GET / HTTP/1.1\\r\\nx:y;:scheme=http;:authority=localhost;:path=/a",
                ":method=GE T;:scheme=http;:authority=localhost;:path=/a",
                ":method=;:scheme=http;:authority=localhost;:path=/a",
                // paths that servers understand differently, as bin/h2-pairs.py sends them
                ":method=GET;:scheme=http;:authority=localhost;:path=/a%2fb",
                ":method=GET;:scheme=http;:authority=localhost;:path=/a%5cb",
                ":method=GET;:scheme=http;:authority=localhost;:path=/a%00",
                ":method=GET;:scheme=http;:authority=localhost;:path=/a%0d%0ax",
                ":method=GET;:scheme=http;:authority=localhost;:path=/a%zz",
                ":method=GET;:scheme=http;:authority=localhost;:path=/%c0%af",
                ":method=GET;:scheme=http;:authority=localhost;:path=/../a",
                ":method=GET;:scheme=http;:authority=localhost;:path=/x/..%3b/a",
                ":method=GET;:scheme=http;:authority=localhost;:path=/a#b",
                ":method=GET;:scheme=http;:authority=localhost;:path=/a?b c",
                ":method=GET;:scheme=http;:authority=local host;:path=/a",
                ":method=GET;:scheme=http;:authority=localhost:x;:path=/a",
                ":method=GET;:scheme=http;:authority=localhost;:authority=evil;:path=/a",
                ":method=CONNECT;:authority=evil:443",
                // pseudo-headers (section 8.3)
                ":method=GET;:scheme=http;:authority=localhost",
                ":scheme=http;:authority=localhost;:path=/a",
                ":method=GET;:authority=localhost;:path=/a",
                GET + ";:path=/b",
                GET + ";x=a;:authority=localhost",
                GET + ";:status=200",
                GET + ";:x=a",
                GET + ";host=evil",
                // connection-specific headers (section 8.2.2)
                GET + ";connection=close",
                GET + ";keep-alive=1",
                GET + ";proxy-connection=close",
                GET + ";transfer-encoding=chunked",
                GET + ";upgrade=websocket",
                GET + ";te=gzip",
                // lengths (section 8.1.1)
                GET + ";content-length=1",
                GET + ";content-length=0;content-length=1",
                GET + ";content-length=+0",
                GET + ";content-length=",
                GET + ";content-length=0, 0;content-length=1"
            })
    void malformedRequestDoesNotReachTheUpstream(String headers) throws IOException {
        String outcome = outcome(headers);
        assertFalse(outcome.equals("status 136"), outcome); // 200
        assertEquals("", received());
        assertEquals("status 136", outcome(GET + ";x=after"));
        assertEquals(received().indexOf("GET "), received().lastIndexOf("GET "), received());
    }

    @Test
    void lengthThatDiffersFromTheContentDoesNotReachTheUpstream() throws IOException {
        assertEquals("reset 1", outcome(POST + ";content-length=3", "abcdefghij"));
        assertEquals("reset 1", outcome(POST + ";content-length=30", "GET /b HTTP/1.1"));
        assertEquals("reset 1", outcome(POST + ";content-length=3", "ab", ""));
        assertEquals("", received());
    }

    // ---- What passes.

    @Test
    void requestIsTranslated() throws IOException {
        String cookies = ";cookie=a=1;cookie=b=2";
        assertEquals("status 136", outcome(GET + ";te=trailers;host=localhost;x=a:b" + cookies));
        String head = received().toLowerCase(Locale.ROOT);
        assertTrue(head.startsWith("get /a http/1.1\r\n"), head);
        assertTrue(head.contains("\r\ncookie: a=1; b=2\r\n"), head);
        assertTrue(head.contains("\r\nx: a:b\r\n"), head);
        assertEquals(2, head.split("\r\nhost: ", -1).length, head);
        assertFalse(head.contains("\r\n:"), head);
    }

    /// The content of a request without a length cannot become another request.
    @Test
    void contentWithoutALengthIsFramed() throws IOException {
        assertEquals("status 136", outcome(POST, "GET /b HTTP/1.1\r\nHost: a\r\n"));
        String text = received().toLowerCase(Locale.ROOT);
        boolean isFramed =
                text.contains("\r\ncontent-length: 26\r\n")
                        || text.contains("\r\ntransfer-encoding: chunked\r\n");
        assertTrue(isFramed, text);
    }
}
