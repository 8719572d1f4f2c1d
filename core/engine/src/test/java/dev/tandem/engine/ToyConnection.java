package dev.tandem.engine;

import dev.tandem.admission.Decision;
import dev.tandem.engine.site.Resolved;
import dev.tandem.net.IoBuffer;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A connection of a protocol of the tests' own, in memory, that carries several exchanges at once.
/// It proves that the engine serves exchanges that are not connections. Frames are lines:
///
/// ```
///   client:  1 OPEN GET /path name=value,name=value     server:  1 HEAD 200 name=value,...
///            1 DATA text                                         1 DATA text
///            1 END                                               1 END
///            1 CANCEL                                            1 CUT
/// ```
///
/// Frames of the client are received on one thread, as by an event loop: the test's. Frames of the
/// server may be written by any thread.
final class ToyConnection {
    private static final long PATIENCE_SECONDS = 20;

    private final Engine engine;
    private final IoContext loop = IoContext.ofLoop(new IoBuffer(4096), 4096);
    private final Map<String, ToyStream> streams = new HashMap<>();
    private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();
    private volatile boolean failsAtEnd;

    /// What continues its exchanges on a loop; null: nothing.
    volatile @Nullable LoopSide loopSide;

    ToyConnection(Engine engine) {
        this.engine = engine;
    }

    Engine engine() {
        return engine;
    }

    /// Takes a frame from the client. Must not block.
    void receive(String frame) throws Exception {
        String[] parts = frame.split(" ", 3);
        String rest = parts.length > 2 ? parts[2] : "";
        switch (parts[1]) {
            case "OPEN" -> open(parts[0], rest.split(" ", -1));
            case "DATA" -> stream(parts[0]).content().add(rest);
            case "END" -> stream(parts[0]).content().end();
            case "CANCEL" -> stream(parts[0]).cancel();
            default -> throw new IllegalArgumentException(frame);
        }
    }

    ToyStream stream(String id) {
        return Objects.requireNonNull(streams.get(id));
    }

    private void open(String id, String[] request) throws Exception {
        var head = new ToyHead(request[0], request[1], request.length > 2 ? request[2] : "");
        Resolved resolved = engine.hosts().fallback().resolve(head.method(), head.target());
        var stream = new ToyStream(this, id, head, resolved);
        streams.put(id, stream);
        if (resolved.isImmediate()) {
            stream.exchange().run(loop);
            return;
        }
        switch (stream.admission().decide(resolved.timing(), head, false)) {
            case Decision.Run _ -> engine.workers().submit(stream);
            case Decision.Wait _ -> {
                // Admission has it.
            }
            case Decision.Reject rejection -> stream.reject(rejection.retryAfterSeconds());
        }
    }

    /// Sends a frame. Called by any thread.
    void send(String id, String frame) {
        sent.add(id + " " + frame);
    }

    /// Rejects a stream. A real protocol would do so on its loop.
    synchronized void reject(ToyStream stream, int retryAfterSeconds) throws IOException {
        stream.exchange().reject(loop, retryAfterSeconds);
    }

    /// Has the exchanges end with an error, as for lack of memory.
    void failAtEnd(boolean isWanted) {
        failsAtEnd = isWanted;
    }

    /// An exchange ends.
    void finishing() {
        if (failsAtEnd) {
            throw new OutOfMemoryError("on purpose");
        }
    }

    /// Returns the next frame of the server.
    String next() throws InterruptedException {
        String frame = sent.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (frame == null) {
            throw new AssertionError("no frame within 20 s");
        }
        return frame;
    }

    /// Returns the frames that were received and not read.
    List<String> pending() {
        return List.copyOf(sent);
    }
}
