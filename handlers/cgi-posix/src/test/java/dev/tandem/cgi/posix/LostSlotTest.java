package dev.tandem.cgi.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.cgi.Cgi;
import dev.tandem.cgi.CgiOptions;
import dev.tandem.cgi.Program;
import dev.tandem.cgi.ScriptProcess;
import dev.tandem.cgi.Spawner;
import dev.tandem.http.Exchange;
import dev.tandem.http.ExchangeWrapper;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Errors, such as for lack of memory for a moment, between the start of a program and its end. The
/// only slot for programs must be free again afterwards.
@Timeout(60)
class LostSlotTest {
    private static final CgiOptions ONE =
            CgiOptions.DEFAULT
                    .withProcessesMax(1)
                    .withQueueMax(0)
                    .withInactivityTimeout(Duration.ofSeconds(2));

    private final LogCapture log = LogCapture.of("dev.tandem");
    private final AtomicBoolean isStartFailing = new AtomicBoolean();
    private final AtomicBoolean isEndFailing = new AtomicBoolean();
    private final AtomicBoolean isReadFailing = new AtomicBoolean();
    private final Path folder;
    private Cgi cgi;
    private Server server;

    LostSlotTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeEach
    void start() throws IOException {
        program("quick", "");
        program("slow", "exec >&-\nexec sleep 1000\n");
        cgi = Cgi.folder(folder, ONE, new Failing());
        server =
                Tandem.listen("127.0.0.1", 0)
                        .route("*", "/{path...}", x -> cgi.handle(new Observed(x)))
                        .start();
    }

    private void program(String name, String end) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\nx'\n" + end);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void stop() {
        cgi.close();
        server.stop(Duration.ofSeconds(5));
        log.close();
    }

    private static void failOnce(AtomicBoolean isFailing) {
        if (isFailing.compareAndSet(true, false)) {
            throw new OutOfMemoryError("at the moment");
        }
    }

    private final class Observed extends ExchangeWrapper {
        Observed(Exchange x) {
            super(x);
        }

        /// The first thing that is needed once there is a slot.
        @Override
        public String id() {
            failOnce(isStartFailing);
            return super.id();
        }
    }

    private final class Failing implements Spawner {
        private final Spawner real = Spawner.jdk();

        @Override
        public String name() {
            return real.name();
        }

        @Override
        public boolean isUsable() {
            return true;
        }

        @Override
        public ScriptProcess start(Program program) throws IOException {
            return new FailingProcess(real.start(program));
        }
    }

    private final class FailingProcess implements ScriptProcess {
        private final ScriptProcess real;

        FailingProcess(ScriptProcess real) {
            this.real = real;
        }

        @Override
        public int endSignal() {
            return real.endSignal();
        }

        @Override
        public long pid() {
            return real.pid();
        }

        @Override
        public int await(boolean wantsInput, long nanos) throws IOException {
            return real.await(wantsInput, nanos);
        }

        @Override
        public int write(byte[] bytes, int from, int to) throws IOException {
            return real.write(bytes, from, to);
        }

        @Override
        public void closeInput() {
            real.closeInput();
        }

        @Override
        public int readOutput(byte[] to) throws IOException {
            return real.readOutput(to);
        }

        @Override
        public int readErrors(byte[] to) throws IOException {
            failOnce(isReadFailing);
            return real.readErrors(to);
        }

        @Override
        public boolean awaitExit(long nanos) {
            failOnce(isEndFailing);
            return real.awaitExit(nanos);
        }

        @Override
        public void kill() {
            real.kill();
        }

        @Override
        public void close() {
            real.close();
        }
    }

    private int status(String path) throws IOException {
        try (RawClient client = RawClient.connect(server.address())) {
            client.send("GET /" + path + " HTTP/1.1\nHost: a\nConnection: close\n\n");
            String response = WireText.block(client.restOrCut());
            return response.length() < 12 ? 0 : Integer.parseInt(response.substring(9, 12));
        }
    }

    private void assertSlotIsFree() {
        Patience.until(
                "a slot is free",
                () -> {
                    try {
                        return status("quick") == 200;
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
        Patience.until("no program runs", () -> cgi.processCount() == 0);
    }

    @Test
    void errorBeforeTheStartReleasesTheSlot() throws IOException {
        assertEquals(200, status("quick"));
        isStartFailing.set(true);
        assertEquals(500, status("quick"));
        assertSlotIsFree();
    }

    @Test
    void errorWhileTheExitIsAwaitedReleasesTheSlot() throws IOException {
        isEndFailing.set(true);
        status("quick");
        Patience.until("it has failed", () -> !isEndFailing.get());
        assertSlotIsFree();
    }

    /// Within the thread that waits for it after the response.
    @Test
    void errorWhileAProgramThatContinuesIsWatchedReleasesTheSlot() throws IOException {
        assertEquals(200, status("slow"));
        assertEquals(1, cgi.processCount());
        isReadFailing.set(true);
        Patience.until("it has failed", () -> !isReadFailing.get());
        assertSlotIsFree();
    }
}
