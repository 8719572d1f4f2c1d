package dev.tandem.engine;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.ServerInternals;
import dev.tandem.engine.tls.TlsOverSocketsTest;
import dev.tandem.net.Network;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Events for JDK Flight Recorder.
class EventsTest {
    private static final int REQUESTS_MAX = 400;

    private static final Options TWO_WORKERS =
            Options.DEFAULT.withThreads(t -> t.withWorkersMax(2));

    @Test
    void requestsAreRecordedWithTheirRoute(@TempDir Path folder) throws Exception {
        try (var recording = new Recording()) {
            recording.enable("dev.tandem.Request").withThreshold(Duration.ZERO);
            recording.start();
            try (Served served = Served.on(Network.best())) {
                served.client().send(get("/hello")).response();
            }
            RecordedEvent event = events(recording, folder, "dev.tandem.Request").getFirst();
            assertEquals("GET", event.getString("method"));
            assertEquals("/hello", event.getString("route"));
            assertEquals(200, event.getInt("status"));
            assertNotEquals("", event.getString("exchange"));
        }
    }

    @Test
    void requestsAreNotRecordedByDefault(@TempDir Path folder) throws Exception {
        try (var recording = new Recording()) {
            recording.start();
            try (Served served = Served.on(Network.best())) {
                served.client().send(get("/hello")).response();
            }
            assertEquals(List.of(), events(recording, folder, "dev.tandem.Request"));
        }
    }

    @Test
    void handshakesAreRecordedWithTheirCost(@TempDir Path folder) throws Exception {
        Network network = TlsOverSocketsTest.secured().getFirst().getPayload();
        try (var recording = new Recording()) {
            recording.enable("dev.tandem.TlsHandshake");
            recording.start();
            try (Served served = Served.on(network)) {
                served.client().send(get("/hello")).response();
                served.client().send(get("/hello")).response();
            }
            var all = events(recording, folder, "dev.tandem.TlsHandshake");
            assertEquals(2, all.size());
            for (RecordedEvent event : all) {
                assertTrue(event.getBoolean("isDone"));
                assertTrue(event.getDuration("cpuTime").isPositive());
            }
            assertTrue(all.getLast().getBoolean("isClaimed"));
            assertTrue(all.getLast().getBoolean("isResumed"));
        }
    }

    @Test
    void rejectionsWorkersAndTheAcceptGateAreRecorded(@TempDir Path folder) throws Exception {
        var release = new CountDownLatch(1);
        try (var recording = new Recording()) {
            recording.enable("dev.tandem.RequestRejected");
            recording.enable("dev.tandem.WorkersChanged");
            recording.enable("dev.tandem.AcceptGateChanged");
            recording.start();
            try (Served served =
                    Served.on(
                            Network.best(),
                            TWO_WORKERS,
                            tandem -> tandem.get("/wait", x -> release.await()))) {
                ask(served, 40);
                var admission = ServerInternals.admission(served.server());
                for (int i = 0; i < REQUESTS_MAX && admission.counters().acceptPauses() == 0; i++) {
                    ask(served, 1); // it closes when some are rejected while others wait
                    Thread.sleep(20);
                }
                assertTrue(admission.counters().acceptPauses() > 0, "the gate never closed");
                release.countDown();
            }
            RecordedEvent rejection =
                    events(recording, folder, "dev.tandem.RequestRejected").getFirst();
            assertEquals("GET /wait", rejection.getString("route"));
            assertTrue(rejection.getDuration("retryAfter").toSeconds() >= 1);
            RecordedEvent workers =
                    events(recording, folder, "dev.tandem.WorkersChanged").getFirst();
            assertEquals(0, workers.getInt("before"));
            assertTrue(workers.getInt("now") >= 1);
            assertTrue(events(recording, folder, "dev.tandem.AcceptGateChanged").size() > 0);
        }
    }

    private static void ask(Served served, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            RawClient client = served.client();
            client.send(get("/wait"));
        }
    }

    /// In the order of their beginnings: a file has those of each thread together.
    private static List<RecordedEvent> events(Recording recording, Path folder, String name)
            throws IOException {
        Path file = folder.resolve(name + ".jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .sorted(Comparator.comparing(RecordedEvent::getStartTime))
                .toList();
    }

    @Test
    void noEventIsCreatedWithoutARecording() {
        try (var recording = new Recording()) {
            recording.start();
            assertNull(Events.begins());
        }
    }
}
