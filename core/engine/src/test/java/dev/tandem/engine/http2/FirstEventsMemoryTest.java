package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.MemoryBudget;
import dev.tandem.engine.MemoryServer;
import dev.tandem.http.Event;
import dev.tandem.http.EventChannel;
import dev.tandem.http.Router;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.Settings;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The state that a new subscriber to events gets first is made for it alone, and counts in the
/// budget for output until its client takes it. Events are shared, and do not.
@Timeout(60)
class FirstEventsMemoryTest {
    private static final int LENGTH = 30_000;
    private static final int STREAMS = 5;
    private static final long MOST = Runtime.getRuntime().maxMemory() / 16;
    private static final Settings CLOSED = Settings.CLIENT.withInitialWindowSize(0);

    private final List<Event> state = List.of(Event.of("s".repeat(LENGTH)));
    private final EventChannel channel = EventChannel.of();
    private final MemoryServer server =
            new MemoryServer(
                    Options.DEFAULT,
                    Router.builder()
                            .add("GET", "/events", x -> channel.subscribe(x, () -> state))
                            .add("GET", "/page", x -> x.send("page"))
                            .build());

    @AfterEach
    void stop() {
        server.close();
    }

    private MemoryBudget budget() {
        return server.engine().outputMemory();
    }

    private Http2Client subscribe(int streams) throws IOException {
        Http2Client client = Http2Client.to(server, CLOSED).hello().keepWindows();
        for (int i = 0; i < streams; i++) {
            client.write("GET", "/events", true);
        }
        client.flush();
        return client;
    }

    @Test
    void theyCountUntilTheyAreTaken() throws IOException {
        Http2Client client = subscribe(STREAMS);
        long all = (long) STREAMS * LENGTH;
        server.iterateUntil("they count", () -> budget().bytes() >= all);
        channel.publish("e".repeat(LENGTH));
        client.roundTrip();
        assertTrue(budget().bytes() < all + LENGTH, budget().bytes() + " bytes");
        for (int i = 0; i < STREAMS; i++) {
            FrameWriter.windowUpdate(client.out(), 2 * i + 1, LENGTH + 500);
        }
        FrameWriter.windowUpdate(client.out(), 0, 10 * LENGTH);
        client.flush();
        client.until("they are taken", () -> budget().bytes() == 0);
        assertEquals(STREAMS, channel.subscriberCount());
    }

    @Test
    void theyCountUntilTheConnectionCloses() throws IOException {
        Http2Client client = subscribe(STREAMS);
        server.iterateUntil("they count", () -> budget().bytes() >= (long) STREAMS * LENGTH);
        client.close();
        server.iterateUntil("they are let go", () -> budget().bytes() == 0);
        server.iterateUntil("no subscriber", () -> channel.subscriberCount() == 0);
    }

    @Test
    void clientThatTakesNothingIsClosedWhereAQuarterOfTheHeapIsHeld() throws IOException {
        budget().add(4 * MOST);
        subscribe(1).untilEnd();
        server.iterateUntil("it is forgotten", () -> channel.subscriberCount() == 0);
        server.iterateUntil("it is let go", () -> budget().bytes() == 4 * MOST);
        assertEquals("page", Http2Client.to(server).fetch("/page").text());
    }
}
