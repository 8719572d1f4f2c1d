package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCases.get;
import static dev.tandem.engine.http1.WireCases.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.AccessLog;
import dev.tandem.ErrorPage;
import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.engine.loop.LoopExchange;
import dev.tandem.engine.loop.LoopHandler;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.http.Router;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.WireText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How exchanges end that continue on their loop, whose buffer is shared with all its connections.
@Timeout(60)
class LoopSideTest {
    private static final String OTHER = ok("", "other");

    /// A body that the loop does not collect as a whole, and that a worker reads to its end.
    private static final int BODY = 100_000;

    private final AtomicInteger ended = new AtomicInteger();
    private final Router routes =
            Router.builder()
                    .add("POST", "/early", x -> LoopExchange.begin(x, new Early(x)))
                    .add("GET", "/early", x -> LoopExchange.begin(x, new Early(x)))
                    .add("GET", "/failing", x -> LoopExchange.begin(x, new Failing()))
                    .add("GET", "/other", Handler.nonBlocking(x -> x.send("other")))
                    .build();
    private final AccessLog log =
            entry -> {
                if (entry.target().equals("/early?unlogged")) {
                    throw new IllegalStateException("the log cannot be written");
                }
            };
    private final MemoryServer server =
            new MemoryServer(Options.DEFAULT, routes, ErrorPage.PLAIN, log);

    @AfterEach
    void stop() {
        server.close();
    }

    /// Responds without reading the body.
    private final class Early implements LoopHandler {
        private final Exchange x;

        Early(Exchange x) {
            this.x = x;
        }

        @Override
        public void proceed(LoopExchange on) throws IOException {
            if ("stream".equals(x.queryParam("as"))) {
                x.outputStream().write(WireText.bytes("early"));
            } else {
                x.send("early");
            }
            on.end();
        }

        @Override
        public void ended() {
            ended.incrementAndGet();
        }
    }

    private final class Failing implements LoopHandler {
        @Override
        public void proceed(LoopExchange on) {
            throw new IllegalStateException("a defect");
        }

        @Override
        public void ended() {
            ended.incrementAndGet();
        }
    }

    private void say(MemoryPipe pipe, byte[] bytes) throws IOException {
        assertEquals(bytes.length, pipe.toServer().offer(bytes, 0, bytes.length));
        server.iterateUntil("input is taken", () -> pipe.toServer().size() == 0);
    }

    private MemoryPipe postFirstPart(String path, String framing) throws IOException {
        MemoryPipe pipe = server.connect();
        say(pipe, WireText.bytes("POST " + path + " HTTP/1.1\nHost: a\n" + framing));
        for (int sent = 0; sent < 70_000; sent += 10_000) {
            say(pipe, new byte[10_000]);
        }
        return pipe;
    }

    /// A worker reads the rest of the body: what was gathered for this client must be sent before.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/early Content-Length: 100000\n\n",
                "/early Transfer-Encoding: chunked\n\n186a0\n",
                "/early?as=stream Content-Length: 100000\n\n",
                "/early?as=stream Transfer-Encoding: chunked\n\n186a0\n",
            })
    void responseBeforeTheEndOfABodyIsNotAnotherClients(String request) throws IOException {
        String[] parts = request.split(" ", 2);
        MemoryPipe pipe = postFirstPart(parts[0], parts[1]);
        String early = read(pipe, "early");
        assertTrue(early.startsWith("HTTP/1.1 200 OK\n"), early);
        assertEquals(OTHER, server.ask(server.connect(), get("/other"), OTHER));
        for (int left = BODY - 70_000; left > 0; left -= 10_000) {
            say(pipe, new byte[10_000]);
        }
        if (parts[1].startsWith("Transfer")) {
            say(pipe, WireText.bytes("\n0\n\n"));
        }
        assertEquals(OTHER, server.ask(pipe, get("/other"), OTHER));
        assertEquals(1, ended.get());
    }

    /// Reads until a text has come.
    private String read(MemoryPipe pipe, String text) throws IOException {
        var received = new ByteArrayOutputStream();
        server.iterateUntil(
                "the response",
                () -> {
                    boolean _ = MemoryServer.receive(pipe, received);
                    return WireText.block(received.toByteArray()).contains(text);
                });
        return WireText.block(received.toByteArray());
    }

    @Test
    void failureOfTheLogClosesTheConnectionAndLeavesNothing() throws IOException {
        try (LogCapture errors = LogCapture.of("dev.tandem.engine")) {
            MemoryPipe pipe = server.connect();
            say(pipe, WireText.bytes(get("/early?unlogged")));
            assertTrue(server.readToEnd(pipe).endsWith("early"));
            assertEquals(List.of("an exchange could not be ended"), errors.messages(_ -> true));
        }
        assertEquals(OTHER, server.ask(server.connect(), get("/other"), OTHER));
        assertEquals(1, ended.get());
        server.iterateUntil("only the other is open", () -> server.connections() == 1);
    }

    @Test
    void errorWhileTheEndIsSentReleasesItsPlace() throws Exception {
        try (LogCapture _ = LogCapture.of("dev.tandem.engine")) {
            MemoryPipe pipe = server.connect();
            server.failNextWrite(new OutOfMemoryError("at the moment"));
            say(pipe, WireText.bytes(get("/early")));
            assertEquals("", server.readToEnd(pipe));
        }
        assertEquals(1, ended.get());
        server.iterateUntil("it is closed", () -> server.connections() == 0);
        assertEquals(0, server.engine().dispatcher().admission().counters().detached());
    }

    @Test
    void failureOfTheHandlerIsAnErrorPage() throws IOException {
        try (LogCapture _ = LogCapture.of("dev.tandem.engine")) {
            MemoryPipe pipe = server.connect();
            say(pipe, WireText.bytes(get("/failing")));
            assertTrue(read(pipe, "500").startsWith("HTTP/1.1 500 "));
            assertEquals(OTHER, server.ask(pipe, get("/other"), OTHER));
        }
        assertEquals(1, ended.get());
    }
}
