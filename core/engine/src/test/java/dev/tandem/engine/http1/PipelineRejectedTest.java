package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCases.get;
import static dev.tandem.engine.http1.WireCases.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.admission.Counters;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Requests that a client has pipelined, of which the first are rejected at once.
@Timeout(60)
class PipelineRejectedTest {
    /// How long the first requests take, from which admission learns how long others would wait.
    private static final long LEARNED_MILLIS = 60;

    /// More than the queue takes with requests of that length.
    private static final int CLIENTS_MAX = 1_000;

    /// On a machine that stands still for seconds the queue empties before the pipeline is read.
    private static final int ATTEMPTS_MAX = 20;

    private static final String LAST = "GET /kept HTTP/1.1\nHost: a\nConnection: close\n\n";

    @Test
    void requestThatIsKeptIsDecidedOnOnce() throws IOException {
        try (var log = LogCapture.of("dev.tandem")) {
            String responses = "";
            for (int i = 0; i < ATTEMPTS_MAX && responses.isEmpty(); i++) {
                try (var attempt = new Attempt()) {
                    responses = attempt.responses();
                }
            }
            int rejected = responses.split("rejected", -1).length - 1;
            int passed = responses.split("passed", -1).length - 1;
            assertTrue(rejected >= 1, responses); // others, too, where they wait for too long
            assertEquals(4, rejected + passed, responses);
            assertEquals(List.of(), log.messages(line -> line.contains("failed")));
        }
    }

    /// A server with one worker, whose queue is full when the pipeline comes.
    private static final class Attempt implements AutoCloseable {
        private final Semaphore gate = new Semaphore(0);
        private final MemoryServer server =
                new MemoryServer(
                        Options.DEFAULT.withThreads(t -> t.withWorkersMax(1).withInPlace(false)),
                        Router.builder()
                                .add("GET", "/learn", this::learn)
                                .add("GET", "/gate", this::pass)
                                .add("GET", "/kept", this::pass)
                                .build(),
                        this::page,
                        null);

        /// Done when the first request of the pipeline is rejected.
        private @Nullable Runnable atRejection;

        private void learn(Exchange x) throws IOException, InterruptedException {
            Thread.sleep(LEARNED_MILLIS);
            x.send("learned");
        }

        private void pass(Exchange x) throws IOException {
            gate.acquireUninterruptibly();
            x.send("passed");
        }

        private void page(Exchange x, String message) throws IOException {
            Runnable once = atRejection;
            if (once != null && x.path().equals("/kept")) {
                atRejection = null;
                once.run();
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

        /// Returns the responses to a pipeline; empty if its first request was not rejected, or all
        /// were, since a connection that was served nothing is closed then.
        String responses() throws IOException {
            for (int i = 0; i < 3; i++) {
                server.ask(server.connect(), get("/learn"), ok("", "learned"));
            }
            MemoryPipe pipe = server.connect();
            server.iterate();
            fill();
            sendPipeline(pipe);
            if (atRejection != null) {
                return "";
            }
            gate.release(100_000);
            String responses = server.readToEnd(pipe);
            return responses.contains("passed") ? responses : "";
        }

        /// Fills admission's queue, until a request is rejected at once.
        private void fill() throws IOException {
            for (int i = 0; i < CLIENTS_MAX && counters().rejectedTotal() == 0; i++) {
                say(server.connect(), get("/gate"));
                server.iterate();
            }
        }

        /// Sends three requests together, which a task of the loop reads, as it does what is left
        /// of a TLS record. The first is rejected; the others are kept for a further task. Before
        /// that runs, the queue gets room, and a fourth request is received.
        private void sendPipeline(MemoryPipe pipe) throws IOException {
            int waiting = counters().waiting();
            atRejection =
                    () -> {
                        gate.release();
                        Patience.until("room", () -> counters().waiting() < waiting);
                        say(pipe, LAST);
                    };
            Runnable first = () -> say(pipe, get("/kept").repeat(3));
            server.loop().execute(() -> server.loop().execute(first));
            server.loop().announceStop(); // has idle connections read by tasks
            server.iterate();
        }

        @Override
        public void close() {
            gate.release(100_000);
            server.close();
        }
    }
}
