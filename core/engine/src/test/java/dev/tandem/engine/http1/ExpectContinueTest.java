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

/// RFC 9110, section 10.1.1: who waits for leave to send a body gets it when the body is read.
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
    void continueIsSaidWhenTheHandlerReads() throws IOException {
        assertEquals(CONTINUE, server.ask(pipe, head("/echo", 1), CONTINUE));
        assertEquals(ECHOED, server.ask(pipe, "abcde", ECHOED));
    }

    @Test
    void theConnectionGoesOnAfterwards() throws IOException {
        server.ask(pipe, head("/echo", 1), CONTINUE);
        assertEquals(ECHOED + NOW, server.ask(pipe, "abcde" + get("/now"), ECHOED + NOW));
    }

    @Test
    void continueIsSaidOnce() throws IOException {
        server.ask(pipe, head("/echo", 1), CONTINUE);
        server.ask(pipe, "ab", "");
        assertEquals(ECHOED, server.ask(pipe, "cde", ECHOED));
    }

    @Test
    void continueIsNotSaidToWhoDidNotWait() throws IOException {
        assertEquals(ECHOED, server.ask(pipe, head("/echo", 1) + "abcde", ECHOED));
    }

    @Test
    void continueIsNotSaidToHttp10() throws IOException {
        server.ask(pipe, head("/echo", 0), "");
        String answer = ECHOED.replace("\n\n", "\nConnection: close\n\n");
        assertEquals(answer, server.ask(pipe, "abcde", answer));
    }

    @Test
    void continueIsNotSaidIfTheBodyIsNotWanted() throws IOException {
        String answer = ok("close", "ignored");
        assertEquals(answer, server.ask(pipe, head("/ignore", 1), answer));
        assertEquals("", server.hearEnd(pipe));
    }

    @Test
    void continueIsSaidBeforeTheChunksAreRead() throws IOException {
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
