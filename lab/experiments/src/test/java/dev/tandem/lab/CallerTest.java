package dev.tandem.lab;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The client that looks for the server's mistakes must detect them.
class CallerTest {
    /// Sends a request to a server that returns `response` for every request, then closes.
    private static Caller.Reply request(String response) throws IOException {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            try (var caller = Caller.connect(server.getLocalPort())) {
                try (var socket = server.accept()) {
                    socket.getOutputStream().write(response.getBytes(ISO_8859_1));
                    socket.shutdownOutput();
                    return caller.reply();
                }
            }
        }
    }

    @Test
    void bodyWithALengthIsRead() throws IOException {
        var reply = request("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
        assertEquals("hi", new String(reply.body(), ISO_8859_1));
    }

    @Test
    void chunksAreJoined() throws IOException {
        var reply =
                request(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n"
                                + "0123456789\r\n0\r\n\r\n");
        assertEquals("abc0123456789", new String(reply.body(), ISO_8859_1));
    }

    @Test
    void interimResponsesAreSkipped() throws IOException {
        assertEquals(204, request("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No\r\n\r\n").status());
    }

    @Test
    void headersAreFoundByLowerCaseName() throws IOException {
        assertEquals("b", request("HTTP/1.1 204 No\r\nA-Name:  b \r\n\r\n").field("a-name"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200 OK\r\n",
                "HTTP/1.1 200\r\n\r\n",
                "HTTP/1.0 200 OK\r\n\r\n",
                "HTTP/1.1 200 OK\n\n",
                "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\nabc\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
            })
    void malformedOrIncompleteResponsesAreFailures(String response) {
        assertThrows(IOException.class, () -> request(response));
    }

    @Test
    void endOfTheStreamIsDetected() throws IOException {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var caller = Caller.connect(server.getLocalPort())) {
            server.accept().close();
            assertTrue(caller.isClosedByServer());
        }
    }
}
