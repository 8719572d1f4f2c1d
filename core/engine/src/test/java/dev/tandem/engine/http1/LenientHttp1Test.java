package dev.tandem.engine.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.engine.tuning.EngineTuning;
import dev.tandem.http.HeadLimits;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server with lenient heads understands old clients wherever their bytes are split, and ignores
/// what follows a body with two lengths.
class LenientHttp1Test {
    private static final Options OPTIONS =
            Options.DEFAULT.withLimits(l -> l.withHeads(new HeadLimits(100, 1024, 10, 8192)));
    private static final EngineTuning LENIENT =
            EngineTuning.DEFAULT.withContainer(c -> c.withLenient(true).withSpecificStatus(false));

    private static final String NEXT =
            "GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

    private final LogCapture log = LogCapture.of("dev.tandem.engine");
    private MemoryServer server;

    @BeforeEach
    void serve() {
        server = new MemoryServer(OPTIONS, LENIENT, WireSite.routes());
    }

    @AfterEach
    void stop() {
        server.close();
        log.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /hello HTTP/1.1\nHost: a\n\n",
                "GET /hello HTTP/1.1\r\nHost: a\r\nX: y\r\n  z\r\n\r\n",
                "GET /hello HTTP/1.1\nHost: a\nX: y\n\n",
                "GET\t/hello\tHTTP/1.1\r\nHost: a\r\nX:\r\n\ty\n\t\r\n\r\n",
                "\n\n\n\r\nGET /hello HTTP/1.1\r\nHost: a\n\r\n",
            })
    void lenientHeadIsAcceptedForEverySplit(String request) throws IOException {
        byte[] bytes = WireText.raw(request + NEXT);
        for (int at = 0; at < bytes.length; at++) {
            String response = response(bytes, at);
            assertEquals(2, response.split("HTTP/1.1 200", -1).length - 1, response);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /echo HTTP/1.1\nHost: a\nContent-Length: 3\nTransfer-Encoding: chunked\n\n",
                "POST /echo HTTP/1.0\nConnection: keep-alive\nTransfer-Encoding: chunked\n\n",
            })
    void bodyWithTwoLengthsEndsTheConnection(String head) throws IOException {
        byte[] bytes = WireText.raw(head + "4\r\nbody\r\n0\r\n\r\n" + NEXT);
        for (int at = 0; at < bytes.length; at++) {
            String response = response(bytes, at);
            assertEquals(1, response.split("HTTP/1.1 200", -1).length - 1, response);
            assertTrue(response.contains("Connection: close\n"), response);
            assertTrue(response.contains("body"), response);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /hello HTTP/1.1\rHost: a\r\r",
                "GET /hello HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked\r\n\r\n",
                "GET /hello HTTP/1.1\nHost: a\nContent-Length: 1\n\t0\n\n",
                "POST /hello\r\n",
            })
    void rejectedHeadIsRejectedForEverySplit(String request) throws IOException {
        byte[] bytes = WireText.raw(request + NEXT);
        for (int at = 0; at < bytes.length; at++) {
            String response = response(bytes, at);
            assertTrue(response.startsWith("HTTP/1.1 400 "), response);
            assertFalse(response.contains("HTTP/1.1 200"), response);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /%s HTTP/1.1\n", "GET / HTTP/1.1\nHost: a\nX: %1$s%1$s%1$s\n\n"})
    void tooLongHeadIsABadRequest(String head) throws IOException {
        byte[] bytes = WireText.raw(head.formatted("x".repeat(400)));
        assertTrue(response(bytes, 0).startsWith("HTTP/1.1 400 "));
    }

    private String response(byte[] bytes, int at) throws IOException {
        var parts =
                at == 0
                        ? List.of(bytes)
                        : List.of(
                                Arrays.copyOf(bytes, at),
                                Arrays.copyOfRange(bytes, at, bytes.length));
        var received = server.converse(server.connect(), parts, WireCase.last("", "", ""));
        return WireText.block(received.response());
    }
}
