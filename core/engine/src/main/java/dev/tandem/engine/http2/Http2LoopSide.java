package dev.tandem.engine.http2;

import dev.tandem.engine.IoContext;
import dev.tandem.engine.LoopSide;
import dev.tandem.engine.ResponseHead;
import dev.tandem.engine.RunningExchange;
import dev.tandem.net.Loop;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A stream's exchange that continues on its loop. Confined to the loop, except where [LoopSide]
/// says otherwise.
final class Http2LoopSide implements LoopSide {
    private final ContinuedStream stream;
    private @Nullable Events events;
    private long progress;

    /// Whether the loop has it: then writing never waits. Read by the thread that runs the handler.
    private volatile boolean isOnLoop;

    /// Whether the exchange has an event to look at, soon.
    private boolean isScheduled;

    Http2LoopSide(ContinuedStream stream) {
        this.stream = stream;
    }

    boolean isOnLoop() {
        return isOnLoop;
    }

    @Override
    public Loop loop() {
        return stream.loop();
    }

    @Override
    public void release() {
        // Streams use no buffer of a thread.
    }

    @Override
    public @Nullable IoContext begin(Events reported) {
        events = reported;
        isOnLoop = true;
        return stream.isClosed() ? null : stream.loopContext();
    }

    // ---- Events.

    /// Something was received or sent. The exchange proceeds after the connection has finished with
    /// this event.
    void clientReady() {
        if (events != null && !isScheduled) {
            isScheduled = true;
            loop().execute(this::proceed);
        }
    }

    private void proceed() {
        isScheduled = false;
        Events reported = events;
        if (reported != null) {
            reported.clientReady();
        }
    }

    /// Some of the response was sent.
    void outputSent() {
        progress++;
        if (events != null && stream.output().hasRoom()) {
            clientReady();
        }
    }

    /// The stream is closed. One that is over, or that a worker runs, knows by itself.
    void closed() {
        Events reported = events;
        if (reported != null) {
            reported.closed();
        }
    }

    // ---- The request.

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        return stream.readNow(to, offset, length);
    }

    @Override
    public long readDeadline() {
        return stream.readDeadline();
    }

    @Override
    public void readTimedOut() {
        stream.readTimedOut();
    }

    // ---- The response.

    @Override
    public boolean isHeldUp() {
        return stream.output().isHeldUp();
    }

    @Override
    public long progress() {
        return progress;
    }

    @Override
    public void await(boolean isForInput) {
        // What was written was announced, and all events are reported.
    }

    @Override
    public void upgrade(String protocol, ResponseHead head) {
        throw new UnsupportedOperationException("a stream cannot be upgraded");
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        throw new UnsupportedOperationException("a stream cannot be upgraded");
    }

    // ---- The end.

    @Override
    public void flush() {
        // A stream's output is its own, and is announced already.
    }

    @Override
    public boolean mustWaitToFinish() {
        return false;
    }

    @Override
    public void submit() {
        events = null;
        isOnLoop = false;
        stream.submit();
    }

    @Override
    public void over(RunningExchange x, boolean isBroken) {
        events = null;
        try {
            stream.admission().ended(x);
        } finally {
            stream.continuedIsOver();
        }
    }

    @Override
    public void overClosed(RunningExchange x) {
        over(x, true);
    }

    @Override
    public void close() {
        stream.abort();
        closed();
    }
}
