package dev.tandem.engine.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.engine.MemoryServer.Conversation;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A malformed request, or one that two parsers might read differently, is rejected and ends its
/// connection, wherever its bytes are split. What follows it gets no response.
class MalformedRequestTest {
    private static final Options OPTIONS =
            Options.DEFAULT.withLimits(
                    l ->
                            l.withBodyMax(64)
                                    .withHeads(
                                            h ->
                                                    h.withRequestLineMax(100)
                                                            .withHeadMax(1024)
                                                            .withHeadersMax(10)));
    private static final String HOST = "Host: a\r\n";
    private static final String POST = "POST /echo HTTP/1.1\r\n" + HOST;
    private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";

    private final LogCapture log = LogCapture.of("dev.tandem.engine");
    private MemoryServer server;

    @BeforeEach
    void serve() {
        server = new MemoryServer(OPTIONS, WireSite.routes());
    }

    @AfterEach
    void stop() {
        server.close();
        log.close();
    }

    static Stream<Arguments> malformed() {
        return Stream.of(requestLines(), fields(), lengths(), bodies()).flatMap(s -> s);
    }

    private static Stream<Arguments> requestLines() {
        return Stream.of(
                Arguments.of(400, "GET /hello\r\n" + HOST + "\r\n"),
                Arguments.of(400, "GET  /hello HTTP/1.1\r\n" + HOST + "\r\n"),
                Arguments.of(400, "GET /hello HTTP/1.1 \r\n" + HOST + "\r\n"),
                Arguments.of(400, " GET /hello HTTP/1.1\r\n" + HOST + "\r\n"),
                Arguments.of(400, "GET\t/hello HTTP/1.1\r\n" + HOST + "\r\n"),
                Arguments.of(400, "G(T /hello HTTP/1.1\r\n" + HOST + "\r\n"),
                Arguments.of(400, "GET hello HTTP/1.1\r\n" + HOST + "\r\n"),
                Arguments.of(400, "GET * HTTP/1.1\r\n" + HOST + "\r\n"),
                Arguments.of(400, "GET /%zz HTTP/1.1\r\n" + HOST + "\r\n"),
                Arguments.of(400, "GET /%00 HTTP/1.1\r\n" + HOST + "\r\n"),
                Arguments.of(400, "GET /.. HTTP/1.1\r\n" + HOST + "\r\n"),
                Arguments.of(400, "GET /a\0b HTTP/1.1\r\n" + HOST + "\r\n"),
                Arguments.of(400, "GET /hello http/1.1\r\n" + HOST + "\r\n"),
                Arguments.of(505, "GET /hello HTTP/2.0\r\n" + HOST + "\r\n"),
                Arguments.of(400, "GET /hello HTTP/1.1\n" + HOST + "\r\n"),
                Arguments.of(400, "\r\n\r\n\r\nGET /hello HTTP/1.1\r\n" + HOST + "\r\n"),
                Arguments.of(400, "\u0016\u0003\u0001"),
                Arguments.of(414, "GET /" + "a".repeat(100) + " HTTP/1.1\r\n" + HOST + "\r\n"));
    }

    private static Stream<Arguments> fields() {
        String get = "GET /hello HTTP/1.1\r\n";
        return Stream.of(
                Arguments.of(400, get + "\r\n"),
                Arguments.of(400, get + HOST + HOST + "\r\n"),
                Arguments.of(400, get + "Host: a, b\r\n\r\n"),
                Arguments.of(400, get + "Host : a\r\n\r\n"),
                Arguments.of(400, get + " Host: a\r\n\r\n"),
                Arguments.of(400, get + HOST + "X-A: b\r\n c\r\n\r\n"),
                Arguments.of(400, get + HOST + "no colon\r\n\r\n"),
                Arguments.of(400, get + HOST + ": no name\r\n\r\n"),
                Arguments.of(400, get + HOST + "X-A: b\rc\r\n\r\n"),
                Arguments.of(400, get + HOST + "X-A: b\nX-C: d\r\n\r\n"),
                Arguments.of(400, get + HOST + "X-A: b\0\r\n\r\n"),
                Arguments.of(417, get + HOST + "Expect: mail\r\n\r\n"),
                Arguments.of(431, get + HOST + "X-A: b\r\n".repeat(10) + "\r\n"),
                Arguments.of(431, get + HOST + "X-A: " + "b".repeat(1024) + "\r\n\r\n"));
    }

    private static Stream<Arguments> lengths() {
        return Stream.of(
                Arguments.of(400, POST + "Content-Length: +5\r\n\r\nabcde"),
                Arguments.of(400, POST + "Content-Length: -5\r\n\r\nabcde"),
                Arguments.of(400, POST + "Content-Length: 5 5\r\n\r\nabcde"),
                Arguments.of(400, POST + "Content-Length: 5, 5\r\n\r\nabcde"),
                Arguments.of(400, POST + "Content-Length: 0x5\r\n\r\nabcde"),
                Arguments.of(400, POST + "Content-Length:\r\n\r\nabcde"),
                Arguments.of(400, POST + "Content-Length : 5\r\n\r\nabcde"),
                Arguments.of(400, POST + "Content-Length: 5\r\n".repeat(2) + "\r\nabcde"),
                Arguments.of(400, POST + "Content-Length: 9999999999999999999\r\n\r\nabcde"),
                Arguments.of(
                        400,
                        POST + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
                Arguments.of(501, POST + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
                Arguments.of(501, POST + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
                Arguments.of(
                        400, "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
                Arguments.of(413, POST + "Content-Length: 300000\r\n\r\n"));
    }

    private static Stream<Arguments> bodies() {
        return Stream.of(
                Arguments.of(400, CHUNKED + "x\r\n"),
                Arguments.of(400, CHUNKED + "+5\r\nabcde\r\n0\r\n\r\n"),
                Arguments.of(400, CHUNKED + "5 \r\nabcde\r\n0\r\n\r\n"),
                Arguments.of(400, CHUNKED + "5\nabcde\r\n0\r\n\r\n"),
                Arguments.of(400, CHUNKED + "5\r\nabcdef\r\n0\r\n\r\n"),
                Arguments.of(400, CHUNKED + "ffffffffffffffffff\r\n"),
                Arguments.of(400, CHUNKED + "0\r\nContent Length: 5\r\n\r\n"),
                Arguments.of(
                        413,
                        CHUNKED
                                + "20\r\n"
                                + "a".repeat(32)
                                + "\r\n21\r\n"
                                + "b".repeat(33)
                                + "\r\n0\r\n\r\n"));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void malformedRequestIsRejectedAndCloses(int status, String request) throws IOException {
        byte[] bytes = WireText.raw(request + "GET /hello HTTP/1.1\r\n" + HOST + "\r\n");
        check(status, request, List.of(bytes), "in one piece");
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void malformedRequestIsRejectedForEverySplit(int status, String request) throws IOException {
        byte[] bytes = WireText.raw(request);
        for (int at = 1; at < bytes.length; at += at < 100 ? 1 : 37) {
            var parts =
                    List.of(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, at, bytes.length));
            check(status, request, parts, "split at " + at);
        }
    }

    private void check(int status, String request, List<byte[]> parts, String how)
            throws IOException {
        var c = WireCase.last("", request, "");
        Conversation received = server.converse(server.connect(), parts, c);
        String response = WireText.block(received.response());
        String[] headAndBody = response.split("\n\n", 2);
        assertEquals("HTTP/1.1 " + status, response.substring(0, 12), how);
        assertEquals("Connection: close", lastLine(headAndBody[0]), how);
        assertFalse(
                headAndBody[1].contains("HTTP/1.1"), how + " there was a response: " + response);
    }

    private static String lastLine(String head) {
        return head.substring(head.lastIndexOf('\n') + 1);
    }
}
