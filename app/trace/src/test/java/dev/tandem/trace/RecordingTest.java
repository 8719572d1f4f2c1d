package dev.tandem.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.TraceRecording;
import dev.tandem.http.Handler;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The content of a recording of a real server under load.
class RecordingTest {
    private static final int CLIENTS = 4;
    private static final int REQUESTS = 30;
    private static final int ON_LOOP = 7;
    private static final int ALL = CLIENTS * REQUESTS + ON_LOOP;

    private final CountDownLatch never = new CountDownLatch(1);
    private final Object lock = new Object();
    private final Path folder;

    RecordingTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private Server start() throws IOException {
        return Tandem.listen("127.0.0.1", 0)
                .options(Options.DEFAULT.withThreads(t -> t.withWorkersMin(8).withWorkersMax(8)))
                .get(
                        "/lock",
                        x -> {
                            synchronized (lock) {
                                Thread.sleep(2);
                            }
                            x.send("done");
                        })
                .get("/stay", x -> never.await())
                .get("/now", Handler.nonBlocking(x -> x.send("now")))
                .start();
    }

    private Trace recorded() throws Exception {
        Path file = folder.resolve("trace.jfr");
        var clients = new ArrayList<RawClient>();
        try (Server server = start();
                var staying = RawClient.connect(server.address());
                TraceRecording recording = server.record()) {
            staying.send("GET /stay HTTP/1.1\nHost: a\n\n");
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(RawClient.connect(server.address()));
            }
            for (int i = 0; i < REQUESTS; i++) {
                for (RawClient client : clients) {
                    client.send("GET /lock HTTP/1.1\nHost: a\n\n");
                }
                for (RawClient client : clients) {
                    assertEquals(200, client.response().status());
                }
            }
            for (int i = 0; i < ON_LOOP; i++) {
                clients.getFirst().send("GET /now HTTP/1.1\nHost: a\n\n").response();
            }
            Patience.until("counted", () -> server.load().responses() >= ALL);
            recording.stop(file);
            assertThrows(IOException.class, () -> recording.stop(file));
            never.countDown();
            for (RawClient client : clients) {
                client.close();
            }
            server.stop(Duration.ofSeconds(5));
        }
        return TraceReader.read(file);
    }

    @Test
    void recordingHasEveryThreadWithItsStatesAndRequests() throws Exception {
        Trace trace = recorded();
        long loops = trace.threads().stream().filter(Trace.Thread::isLoop).count();
        assertTrue(loops >= 1 && loops < trace.threads().size(), trace.threads().size() + "");
        List<Trace.Request> requests =
                trace.threads().stream().flatMap(t -> t.requests().stream()).toList();
        assertEquals(CLIENTS * REQUESTS, requests.size());
        assertEquals(ON_LOOP, trace.onLoop());
        for (Trace.Request request : requests) {
            assertEquals("GET /lock", request.route());
            assertEquals(200, request.status());
            assertTrue(
                    request.from() <= request.responded() && request.responded() <= request.to());
            // It slept for 2 ms before its response.
            assertTrue(request.responded() - request.from() >= 2_000_000, request.toString());
        }
        for (Trace.Thread thread : trace.threads()) {
            long at = thread.stretches().getFirst().from();
            for (Trace.Stretch s : thread.stretches()) {
                assertEquals(at, s.from(), thread.name());
                at = s.to();
            }
        }
        // Each slept for 2 ms, and most had waited for the lock.
        long blocked = trace.threads().stream().mapToLong(RecordingTest::blockedInRequests).sum();
        assertTrue(blocked > CLIENTS * REQUESTS * 1_500_000L, blocked + " ns");
        assertTrue(trace.share(State.IDLE, true) > 0.2);
    }

    private static long blockedInRequests(Trace.Thread thread) {
        long blocked = 0;
        for (Trace.Request request : thread.requests()) {
            for (Trace.Stretch s : thread.stretches()) {
                long overlap = Math.min(s.to(), request.to()) - Math.max(s.from(), request.from());
                blocked += s.state() == State.BLOCKED_SYNCH ? Math.max(0, overlap) : 0;
            }
        }
        return blocked;
    }

    @Test
    void otherFileIsRejected() throws IOException {
        Path file = Files.writeString(folder.resolve("no.jfr"), "nothing of the kind");
        assertThrows(IOException.class, () -> TraceReader.read(file));
    }
}
