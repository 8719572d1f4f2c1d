package dev.tandem.engine.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.MemoryBudget;
import dev.tandem.engine.MemoryServer;
import dev.tandem.http.Event;
import dev.tandem.http.EventChannel;
import dev.tandem.http.EventOptions;
import dev.tandem.http.Exchange;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.PreparedResponseHandler;
import dev.tandem.http.RequestHead;
import dev.tandem.http.Router;
import dev.tandem.testkit.MemoryPipe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Pages that clients do not take count in the budget for output.
@Timeout(60)
class Http1OutputMemoryTest {
    private static final int LENGTH = 60_000;
    private static final int SHARED = 1_000_000;
    private static final int PIPE = 1_024;
    private static final long MOST = Runtime.getRuntime().maxMemory() / 16;

    private static final PreparedResponse PREPARED =
            new PreparedResponse(
                    200, "Content-Length: " + SHARED + "\r\n", ByteBuffer.allocateDirect(SHARED));

    private static final class Prepared implements PreparedResponseHandler {
        @Override
        public PreparedResponse preparedResponse(RequestHead head, String path) {
            return PREPARED;
        }

        @Override
        public void handle(Exchange x) throws IOException {
            x.send("");
        }
    }

    private final List<Event> state = List.of(Event.of("s".repeat(LENGTH)));
    private final EventChannel channel =
            EventChannel.of(EventOptions.DEFAULT.withReplayEventsMax(0));
    private MemoryServer server;

    @BeforeEach
    void serve() {
        Router routes =
                Router.builder()
                        .add("GET", "/page", x -> x.send(new byte[LENGTH]))
                        .add("GET", "/short", x -> x.send("short"))
                        .add("GET", "/live", channel::subscribe)
                        .add("GET", "/state", x -> channel.subscribe(x, () -> state))
                        .add("GET", "/prepared", new Prepared())
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

    /// Of each event, as much is copied as was gathered to be sent when the client took no more.
    @Test
    void copiesOfEventsCountUntilTheyAreTaken() throws IOException {
        MemoryPipe pipe = ask("/live");
        server.iterateUntil("it is subscribed", () -> channel.subscriberCount() == 1);
        server.iterateUntil("its head", () -> take(pipe) > 0);
        channel.publish("e".repeat(10_000));
        server.iterateUntil("it waits", () -> budget().bytes() > 10_000 - PIPE);
        channel.publish("e".repeat(LENGTH));
        server.iterate();
        assertTrue(budget().bytes() < 11_000, budget().bytes() + " bytes");
        int[] taken = {0};
        server.iterateUntil("both", () -> (taken[0] += take(pipe)) > LENGTH + 10_000);
        server.iterateUntil("they are let go", () -> budget().bytes() == 0);
        assertEquals(1, channel.subscriberCount());
    }

    @Test
    void copiesOfEventsCountUntilTheConnectionCloses() throws IOException {
        MemoryPipe pipe = ask("/live");
        server.iterateUntil("it is subscribed", () -> channel.subscriberCount() == 1);
        channel.publish("e".repeat(10_000));
        server.iterateUntil("it waits", () -> budget().bytes() > 10_000 - PIPE);
        pipe.toClient().breakOff();
        server.iterateUntil("it is let go", () -> budget().bytes() == 0);
        assertEquals(0, channel.subscriberCount());
    }

    @Test
    void subscriberThatTakesNothingIsClosedWhereAQuarterOfTheHeapIsHeld() throws IOException {
        ask("/live");
        server.iterateUntil("it is subscribed", () -> channel.subscriberCount() == 1);
        budget().add(4 * MOST);
        channel.publish("e".repeat(LENGTH));
        server.iterateUntil("it is closed", () -> server.connections() == 0);
        assertEquals(4 * MOST, budget().bytes());
        assertEquals(1, server.engine().feeds().slowTotal());
    }

    /// The state that a new subscriber gets first is made for it alone.
    @Test
    void firstEventsCountUntilTheyAreTaken() throws IOException {
        MemoryPipe pipe = ask("/state");
        server.iterateUntil("they count", () -> budget().bytes() > 0);
        assertTrue(budget().bytes() > LENGTH - 2 * PIPE, budget().bytes() + " bytes");
        channel.publish("e".repeat(LENGTH));
        server.iterate();
        assertTrue(budget().bytes() < LENGTH + PIPE, budget().bytes() + " bytes");
        int[] taken = {0};
        server.iterateUntil("both", () -> (taken[0] += take(pipe)) > 2 * LENGTH);
        server.iterateUntil("they are let go", () -> budget().bytes() == 0);
        assertEquals(1, channel.subscriberCount());
    }

    @Test
    void firstEventsCountUntilTheConnectionCloses() throws IOException {
        MemoryPipe pipe = ask("/state");
        server.iterateUntil("they count", () -> budget().bytes() > 0);
        pipe.toClient().breakOff();
        server.iterateUntil("they are let go", () -> budget().bytes() == 0);
        assertEquals(0, channel.subscriberCount());
    }

    @Test
    void newSubscriberThatTakesNothingIsClosedWhereAQuarterOfTheHeapIsHeld() throws IOException {
        budget().add(4 * MOST);
        String received = server.readToEnd(ask("/state"));
        assertTrue(received.length() < LENGTH, received.length() + " characters");
        server.iterateUntil("it is forgotten", () -> channel.subscriberCount() == 0);
        assertEquals(4 * MOST, budget().bytes());
    }

    /// A prepared response is in memory once for all clients.
    @Test
    void preparedResponseDoesNotCount() throws IOException {
        MemoryPipe pipe = ask("/prepared");
        int[] taken = {0};
        server.iterateUntil("it begins", () -> (taken[0] += take(pipe)) > 0);
        assertTrue(budget().bytes() < PIPE, budget().bytes() + " bytes");
        server.iterateUntil("all of it", () -> (taken[0] += take(pipe)) > SHARED);
        server.iterateUntil("nothing is held", () -> budget().bytes() == 0);
    }

    /// What each client leaves may be short: thousands of them would fill the heap by it.
    @Test
    void theMoreIsHeldTheLessAClientMayLeave() {
        var budget = new MemoryBudget(100);
        budget.add(399);
        assertTrue(budget.mayWait(1_000_000));
        budget.add(1);
        assertTrue(budget.mayWait(16_383));
        assertFalse(budget.mayWait(16_384));
        budget.add(200);
        assertTrue(budget.mayWait(4_095));
        assertFalse(budget.mayWait(4_096));
        budget.add(200);
        assertFalse(budget.mayWait(1));
        assertTrue(budget.mayWait(0));
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
