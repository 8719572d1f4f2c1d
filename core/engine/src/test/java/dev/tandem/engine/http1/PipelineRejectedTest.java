package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCases.get;
import static dev.tandem.engine.http1.WireCases.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.admission.Counters;
import dev.tandem.admission.Reason;
import dev.tandem.engine.MemoryServer;
import dev.tandem.http.Exchange;
import dev.tandem.http.Router;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Requests that a client has pipelined, of which the first are rejected at once.
@Timeout(60)
class PipelineRejectedTest {
    /// How long the first requests take, from which admission learns how long others would wait.
    private static final long LEARNED_MILLIS = 60;

    private static final String LAST = "GET /gate HTTP/1.1\nHost: a\nConnection: close\n\n";

    private final Semaphore gate = new Semaphore(0);
    private final MemoryServer server =
            new MemoryServer(
                    Options.DEFAULT.withThreads(t -> t.withWorkersMax(1).withInPlace(false)),
                    Router.builder()
                            .add("GET", "/learn", this::learn)
                            .add("GET", "/gate", this::pass)
                            .build(),
                    this::page,
                    null);

    /// Counts down with each page; does something when it is 0.
    private int pagesUntil;

    private Runnable atPage = () -> {};

    private void learn(Exchange x) throws IOException, InterruptedException {
        Thread.sleep(LEARNED_MILLIS);
        x.send("learned");
    }

    private void pass(Exchange x) throws IOException, InterruptedException {
        gate.acquire();
        x.send("passed");
    }

    private void page(Exchange x, String message) throws IOException {
        if (--pagesUntil == 0) {
            atPage.run();
        }
        x.send("rejected");
    }

    private Counters counters() {
        return server.engine().dispatcher().admission().counters();
    }

    private static void say(MemoryPipe pipe, String text) {
        byte[] bytes = WireText.bytes(text);
        try {
            assertEquals(bytes.length, pipe.toServer().offer(bytes, 0, bytes.length));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Fills admission's queue, until a request is rejected at once.
    private void fill() throws IOException {
        long before = rejections();
        while (rejections() == before) {
            say(server.connect(), LAST);
            server.iterate();
        }
    }

    private long rejections() {
        return counters().rejected().getOrDefault(Reason.QUEUE_FULL, 0L);
    }

    /// Sends three requests together, which a task of the loop reads, as it does what is left of a
    /// TLS record. The first is rejected; the others are kept for a further task. Before that runs,
    /// the queue gets room, and a fourth request is received.
    private MemoryPipe pipeline() throws IOException {
        MemoryPipe pipe = server.connect();
        server.iterate();
        fill();
        int waiting = counters().waiting();
        atPage =
                () -> {
                    gate.release();
                    Patience.until("room", () -> counters().waiting() < waiting);
                    say(pipe, LAST);
                };
        pagesUntil = 1;
        server.loop().execute(() -> server.loop().execute(() -> say(pipe, get("/gate").repeat(3))));
        server.loop().announceStop(); // has idle connections read by tasks
        server.iterate();
        return pipe;
    }

    @Test
    void requestThatIsKeptIsDecidedOnOnce() throws IOException {
        try (var log = LogCapture.of("dev.tandem")) {
            for (int i = 0; i < 3; i++) {
                server.ask(server.connect(), get("/learn"), ok("", "learned"));
            }
            MemoryPipe pipe = pipeline();
            while (pagesUntil > 0) {
                pipe = pipeline(); // others had waited for too long meanwhile, and left room
            }
            gate.release(100_000);
            String responses = server.readToEnd(pipe);
            int rejected = responses.split("rejected", -1).length - 1;
            int passed = responses.split("passed", -1).length - 1;
            assertTrue(rejected >= 1, responses); // others, too, where they wait for too long
            assertEquals(4, rejected + passed, responses);
            assertEquals(List.of(), log.messages(line -> line.contains("failed")));
        } finally {
            gate.release(100_000);
            server.close();
        }
    }
}
