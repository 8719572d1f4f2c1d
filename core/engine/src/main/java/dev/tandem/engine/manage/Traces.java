package dev.tandem.engine.manage;

import dev.tandem.engine.Engine;
import dev.tandem.http.Body;
import dev.tandem.http.Exchange;
import dev.tandem.http.FileStamp;
import dev.tandem.http.HttpException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Serves `tandem trace`: starts a recording, ends it, sends it. One at a time; its file is in the
/// temporary folder until the next one starts or the server stops. Starting and ending take too
/// long for the management's loop, and have a thread.
///
/// ```
///   OFF --begin--> STARTING --> RECORDING --end--> WRITING --> READY --begin--> ...
/// ```
final class Traces {
    private enum Mode {
        OFF,
        STARTING,
        RECORDING,
        WRITING,
        READY,
        FAILED
    }

    private volatile Mode mode = Mode.OFF;
    private volatile String failure = "";
    private @Nullable ThreadTrace recording;
    private volatile @Nullable Path file;

    /// Only one thread of this class works at a time, since each mode allows one step.
    private @Nullable Thread worker;

    /// Responds with the mode in small letters, and after `failed` with the reason.
    void status(Exchange x) throws IOException {
        x.send(mode.name().toLowerCase(java.util.Locale.ROOT) + failure + "\n");
    }

    void begin(Exchange x, Engine engine) throws IOException {
        check(x);
        if (mode == Mode.STARTING || mode == Mode.RECORDING || mode == Mode.WRITING) {
            throw new HttpException(409, "a trace is being recorded already");
        }
        go(Mode.STARTING, () -> recording = ThreadTrace.start(engine), Mode.RECORDING);
        x.status(202).send("starting\n");
    }

    void end(Exchange x) throws IOException {
        check(x);
        if (mode != Mode.RECORDING) {
            throw new HttpException(409, "no trace is being recorded");
        }
        go(Mode.WRITING, this::write, Mode.READY);
        x.status(202).send("writing\n");
    }

    private void write() throws IOException {
        drop();
        ThreadTrace ended = recording;
        if (ended != null) {
            Path made = Files.createTempFile("tandem-trace-", ".jfr");
            file = made;
            ended.stop(made);
        }
    }

    /// Sends the last recording.
    void file(Exchange x) throws IOException {
        Path made = file;
        if (mode != Mode.READY || made == null) {
            throw new HttpException(404, "no trace was recorded");
        }
        FileStamp stamp = FileStamp.of(made);
        x.contentType("application/octet-stream");
        x.send(new Body.FileRegion(made, 0, stamp.size(), stamp));
    }

    /// A page of another origin can make a browser send the request, with the password that it
    /// knows, but not without an Origin header.
    private static void check(Exchange x) {
        if (x.header("Origin") != null || x.header("Sec-Fetch-Site") != null) {
            throw new HttpException(403, "not for browsers: use tandem trace");
        }
    }

    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }

    private void go(Mode during, Work work, Mode then) {
        Runnable task =
                () -> {
                    try {
                        work.run();
                        mode = then;
                    } catch (IOException | RuntimeException | Error e) {
                        failure = ": " + e.getMessage();
                        mode = Mode.FAILED;
                    }
                };
        Thread thread = new Thread(null, task, "tandem-traces", 0, false);
        thread.setDaemon(true);
        mode = during;
        failure = "";
        worker = thread;
        boolean isStarted = false;
        try {
            thread.start();
            isStarted = true;
        } finally {
            if (!isStarted) { // no memory: another attempt must be possible
                mode = Mode.FAILED;
            }
        }
    }

    /// The server stops.
    void stop() {
        Thread last = worker;
        if (last != null) {
            try {
                last.join(Management.GRACE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        ThreadTrace open = recording;
        if (open != null) {
            open.close();
        }
        drop();
    }

    private void drop() {
        Path made = file;
        file = null;
        if (made != null) {
            try {
                Files.deleteIfExists(made);
            } catch (IOException e) {
                // The system deletes it from the temporary folder.
            }
        }
    }
}
