package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCases.NOW;
import static dev.tandem.engine.http1.WireCases.get;
import static dev.tandem.engine.http1.WireCases.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.testkit.MemoryPipe;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// RFC 9110, section 10.1.1: a client that waits for 100 Continue gets it when the body is read.
class ExpectContinueTest {
    private static final String CONTINUE = "HTTP/1.1 100 Continue\n\n";
    private static final String ECHOED = "HTTP/1.1 200 OK\nDate: *\nContent-Length: 5\n\nabcde";

    private MemoryServer server;
    private MemoryPipe pipe;

    @BeforeEach
    void serve() {
        server = new MemoryServer(Options.DEFAULT, WireSite.routes());
        pipe = server.connect();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void continueIsSentWhenTheHandlerReads() throws IOException {
        assertEquals(CONTINUE, server.ask(pipe, head("/echo", 1), CONTINUE));
        assertEquals(ECHOED, server.ask(pipe, "abcde", ECHOED));
    }

    @Test
    void connectionIsKeptAfterwards() throws IOException {
        server.ask(pipe, head("/echo", 1), CONTINUE);
        assertEquals(ECHOED + NOW, server.ask(pipe, "abcde" + get("/now"), ECHOED + NOW));
    }

    @Test
    void continueIsSentOnce() throws IOException {
        server.ask(pipe, head("/echo", 1), CONTINUE);
        server.ask(pipe, "ab", "");
        assertEquals(ECHOED, server.ask(pipe, "cde", ECHOED));
    }

    @Test
    void continueIsNotSentToAClientThatDoesNotWait() throws IOException {
        assertEquals(ECHOED, server.ask(pipe, head("/echo", 1) + "abcde", ECHOED));
    }

    @Test
    void continueIsNotSentToHttp10() throws IOException {
        server.ask(pipe, head("/echo", 0), "");
        String response = ECHOED.replace("\n\n", "\nConnection: close\n\n");
        assertEquals(response, server.ask(pipe, "abcde", response));
    }

    @Test
    void continueIsNotSentIfTheBodyIsNotRead() throws IOException {
        String response = ok("close", "ignored");
        assertEquals(response, server.ask(pipe, head("/ignore", 1), response));
        assertEquals("", server.readToEnd(pipe));
    }

    @Test
    void continueIsSentBeforeTheChunksAreRead() throws IOException {
        String head =
                """
                POST /echo HTTP/1.1
                Host: a
                Transfer-Encoding: chunked
                Expect: 100-Continue

                """;
        assertEquals(CONTINUE, server.ask(pipe, head, CONTINUE));
        assertEquals(ECHOED, server.ask(pipe, "5\nabcde\n0\n\n", ECHOED));
    }

    private static String head(String path, int minorVersion) {
        return """
        POST %s HTTP/1.%d
        Host: a
        Content-Length: 5
        Expect: 100-continue

        """
                .formatted(path, minorVersion);
    }
}
