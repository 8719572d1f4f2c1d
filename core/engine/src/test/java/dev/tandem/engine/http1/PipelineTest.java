package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCases.HELLO;
import static dev.tandem.engine.http1.WireCases.NOW;
import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.testkit.MemoryPipe;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Pipelines longer than a worker's batch, and the requests after them.
class PipelineTest {
    private MemoryServer server;

    @BeforeEach
    void serve() {
        server =
                new MemoryServer(
                        Options.DEFAULT.withThreads(t -> t.withWorkersMax(2)), WireSite.routes());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {31, 32, 33, 34, 64, 65, 66, 100})
    void everyRequestGetsOneResponseInOrder(int count) throws IOException {
        MemoryPipe pipe = server.connect();
        var requests = new StringBuilder();
        var responses = new StringBuilder();
        for (int i = 0; i < count; i++) {
            requests.append(get("/hello/" + i));
            responses.append(WireCases.ok("", "Hello, " + i));
        }
        assertEquals(
                responses.toString(), server.ask(pipe, requests.toString(), responses.toString()));
    }

    @ParameterizedTest
    @ValueSource(ints = {33, 34, 70})
    void nextRequestAfterAPipelineIsServed(int count) throws IOException {
        MemoryPipe pipe = server.connect();
        server.ask(pipe, get("/hello").repeat(count), HELLO.repeat(count));
        assertEquals(HELLO, server.ask(pipe, get("/hello"), HELLO));
        assertEquals(NOW, server.ask(pipe, get("/now"), NOW));
    }

    @Test
    void nextRequestAfterHeldUpOutputIsServed() throws IOException {
        MemoryPipe pipe = server.connect(7);
        String many = get("/now").repeat(5) + get("/hello").repeat(40);
        server.ask(pipe, many, NOW.repeat(5) + HELLO.repeat(40));
        assertEquals(HELLO, server.ask(pipe, get("/hello"), HELLO));
        assertEquals(NOW, server.ask(pipe, get("/now"), NOW));
    }

    @Test
    void orderIsKeptWhenResponsesFillTheLoopsBuffer() throws IOException {
        int count = 70_000 / NOW.length();
        MemoryPipe pipe = server.connect(1000);
        String many = get("/now").repeat(300);
        for (int sent = 0; sent < count; sent += 300) {
            assertEquals(NOW.repeat(300), server.ask(pipe, many, NOW.repeat(300)));
        }
        assertEquals(HELLO, server.ask(pipe, get("/hello"), HELLO));
    }
}
