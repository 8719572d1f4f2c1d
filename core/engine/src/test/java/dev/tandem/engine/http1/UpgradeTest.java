package dev.tandem.engine.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.engine.loop.LoopExchange;
import dev.tandem.engine.loop.LoopHandler;
import dev.tandem.http.Exchange;
import dev.tandem.http.Router;
import dev.tandem.http.UpgradedConnection;
import dev.tandem.testkit.MemoryPipe;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Changes of the protocol (RFC 9110, section 7.8).
class UpgradeTest {
    private MemoryServer server;
    private MemoryPipe pipe;

    @BeforeEach
    void serve() {
        Router routes =
                Router.builder()
                        .add("GET", "/worker", UpgradeTest::upgrade)
                        .add("GET", "/loop", x -> LoopExchange.begin(x, new OnLoop()))
                        .build();
        server = new MemoryServer(Options.DEFAULT, routes);
        pipe = server.connect();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static void upgrade(Exchange x) throws IOException {
        x.upgrade("echo", UpgradeTest::echo);
    }

    private static void echo(UpgradedConnection tunnel) throws IOException {
        var buffer = new byte[16];
        for (int count = tunnel.read(buffer); count > 0; count = tunnel.read(buffer)) {
            tunnel.write(buffer, 0, count);
        }
    }

    /// Changes the protocol on the loop.
    private static final class OnLoop implements LoopHandler {
        @Override
        public void proceed(LoopExchange on) throws IOException {
            on.upgrade("echo");
        }

        @Override
        public void ended() {}
    }

    @Test
    void bytesBehindTheRequestAreTheOtherProtocols() throws IOException {
        String accepted =
                "HTTP/1.1 101 Switching Protocols\nDate: *\nUpgrade: echo\n"
                        + "Connection: upgrade\n\nhello";
        assertEquals(accepted, server.ask(pipe, head("/worker", "") + "hello", accepted));
    }

    /// Its content, or what is left of it, would be taken for bytes of the other protocol.
    @ParameterizedTest
    @CsvSource({
        "/worker, Content-Length: 5, hello",
        "/worker, Content-Length: 5|Expect: 100-continue, ''",
        "/worker, Transfer-Encoding: chunked, 5|hello|0||",
        "/loop, Content-Length: 5, hello",
    })
    void requestWithContentIsRejected(String path, String header, String content)
            throws IOException {
        String rejected = "HTTP/1.1 400 Bad Request\n";
        String request = head(path, header + "|") + content;
        String response = server.ask(pipe, request.replace('|', '\n'), rejected);
        assertTrue(response.startsWith(rejected), response);
    }

    /// RFC 9110, section 7.8.
    @ParameterizedTest
    @ValueSource(strings = {"/worker", "/loop"})
    void olderVersionHasNoUpgrade(String path) throws IOException {
        String rejected = "HTTP/1.1 501 Not Implemented\n";
        String request = head(path, "").replace("HTTP/1.1", "HTTP/1.0");
        String response = server.ask(pipe, request, rejected);
        assertTrue(response.startsWith(rejected), response);
    }

    private static String head(String path, String headers) {
        return "GET "
                + path
                + " HTTP/1.1\nHost: a\nUpgrade: echo\nConnection: upgrade\n"
                + headers
                + "\n";
    }
}
