package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCases.HELLO;
import static dev.tandem.engine.http1.WireCases.NOW;
import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.MemoryServer;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// With a limit of two connections, a third one replaces the longest idle one.
class IdleOrderTest {
    private MemoryServer server;

    @BeforeEach
    void serve() {
        server =
                new MemoryServer(
                        Options.DEFAULT.withLimits(l -> l.withConnectionsMax(2)),
                        WireSite.routes());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void longestIdleConnectionIsClosedFirst() throws IOException {
        MemoryPipe first = connected();
        MemoryPipe second = connected();
        connected();
        assertTrue(first.toClient().isEnded());
        assertFalse(second.toClient().isEnded());
    }

    @Test
    void connectionRecentlyServedByAWorkerStays() throws IOException {
        MemoryPipe first = connected();
        MemoryPipe second = connected();
        server.ask(first, get("/hello"), HELLO);
        server.iterate();
        connected();
        assertFalse(first.toClient().isEnded());
        assertTrue(second.toClient().isEnded());
    }

    @Test
    void connectionRecentlyServedByTheLoopStays() throws IOException {
        MemoryPipe first = connected();
        MemoryPipe second = connected();
        server.ask(first, get("/now"), NOW);
        connected();
        assertFalse(first.toClient().isEnded());
        assertTrue(second.toClient().isEnded());
    }

    @Test
    void connectionWithAnIncompleteHeadStays() throws IOException {
        MemoryPipe first = connected();
        byte[] part = WireText.bytes("GET /now HTTP/1.1\n");
        first.toServer().offer(part, 0, part.length);
        MemoryPipe second = connected();
        connected();
        assertFalse(first.toClient().isEnded());
        assertTrue(second.toClient().isEnded());
    }

    @Test
    void newConnectionIsClosedIfAllAreBusy() throws IOException {
        for (int i = 0; i < 2; i++) {
            begin("POST /echo HTTP/1.1\nHost: a\nContent-Length: 9\n\nbody");
        }
        server.iterate();
        assertTrue(connected().toClient().isEnded());
    }

    @Test
    void newConnectionIsClosedBeforeOneWithoutARequest() throws IOException {
        MemoryPipe first = begin("GET /now HTTP/1.1\n");
        MemoryPipe second = begin("GET /now HTTP/1.1\n");
        server.iterate();
        assertEquals(NOW, server.ask(connected(), get("/now"), NOW));
        assertTrue(first.toClient().isEnded());
        assertFalse(second.toClient().isEnded());
    }

    private MemoryPipe begin(String request) throws IOException {
        byte[] part = WireText.bytes(request);
        MemoryPipe pipe = connected();
        pipe.toServer().offer(part, 0, part.length);
        return pipe;
    }

    @Test
    void newConnectionIsServed() throws IOException {
        connected();
        connected();
        assertEquals(NOW, server.ask(connected(), get("/now"), NOW));
    }

    private MemoryPipe connected() throws IOException {
        MemoryPipe pipe = server.connect();
        server.iterate();
        return pipe;
    }
}
