package dev.tandem.engine.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.MemoryBudget;
import dev.tandem.engine.MemoryServer;
import dev.tandem.http.Router;
import dev.tandem.testkit.MemoryPipe;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Pages that clients do not take count in the budget for output.
@Timeout(60)
class Http1OutputMemoryTest {
    private static final int LENGTH = 60_000;
    private static final int PIPE = 1_024;
    private static final long MOST = Runtime.getRuntime().maxMemory() / 16;

    private MemoryServer server;

    @BeforeEach
    void serve() {
        Router routes =
                Router.builder()
                        .add("GET", "/page", x -> x.send(new byte[LENGTH]))
                        .add("GET", "/short", x -> x.send("short"))
                        .build();
        server = new MemoryServer(Options.DEFAULT, routes);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private MemoryBudget budget() {
        return server.engine().outputMemory();
    }

    private MemoryPipe ask(String path) throws IOException {
        MemoryPipe pipe = server.connect(PIPE);
        byte[] request =
                ("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
        pipe.toServer().offer(request, 0, request.length);
        return pipe;
    }

    /// Returns how much has come.
    private static int take(MemoryPipe pipe) {
        try {
            return Math.max(0, pipe.toClient().take(new byte[LENGTH], 0, LENGTH));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void pageCountsUntilItIsTaken() throws IOException {
        MemoryPipe pipe = ask("/page");
        server.iterateUntil("it waits", () -> budget().bytes() > 0);
        assertTrue(budget().bytes() >= LENGTH - PIPE, budget().bytes() + " bytes");
        int[] taken = {0};
        server.iterateUntil("all of it", () -> (taken[0] += take(pipe)) > LENGTH);
        server.iterateUntil("it is let go", () -> budget().bytes() == 0);
        assertEquals(1, server.connections());
    }

    @Test
    void pageCountsUntilTheConnectionCloses() throws IOException {
        MemoryPipe pipe = ask("/page");
        server.iterateUntil("it waits", () -> budget().bytes() > 0);
        pipe.toClient().breakOff();
        server.iterateUntil("it is let go", () -> budget().bytes() == 0);
        assertEquals(0, server.connections());
    }

    @Test
    void clientThatTakesNothingIsClosedWhereAQuarterOfTheHeapIsHeld() throws IOException {
        budget().add(4 * MOST - 1);
        ask("/page");
        server.iterateUntil("it is closed", () -> server.connections() == 0);
        assertEquals(4 * MOST - 1, budget().bytes());
        MemoryPipe other = ask("/short");
        server.iterateUntil("a short page", () -> take(other) > 0);
    }
}
