package dev.tandem.engine.http2;

import dev.tandem.engine.Feed;
import dev.tandem.http.Body;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;

/// A stream's response that outlives its handler. What the client does not accept
/// stays with the source, except for a frame. Confined to the loop.
final class Http2Feed implements Body.FeedOutput {
    /// How much is taken from the source before it is sent: 16 KiB, a frame.
    private static final int FRAME_BYTES = 16_384;

    /// Its stream, as far as a feed knows it.
    interface Host {
        /// Returns the loop of the connection.
        Executor loop();

        /// Whether the client accepts nothing of the stream now.
        boolean isHeldUp();

        /// Has the loop send what the feed has.
        void announceFeed();

        /// Resets the stream, whose client accepts too little.
        void resetSlow();
    }

    private final Host stream;
    private final StreamOutput output;
    private final Feed feed;

    /// How many bytes the client has not acknowledged by its window of the stream.
    private int unacknowledged;

    /// When something was sent last, by the loop's clock.
    private long sentNanos;

    private boolean isBegun;

    Http2Feed(Host stream, StreamOutput output, Feed feed) {
        this.stream = stream;
        this.output = output;
        this.feed = feed;
    }

    boolean isBegun() {
        return isBegun;
    }

    /// @param isEnding whether it ends behind what is there now
    void begin(long nowNanos, boolean isEnding) {
        isBegun = true;
        sentNanos = nowNanos;
        if (isEnding) {
            feed.drain();
        }
        feed.begin(this);
    }

    /// Ends, behind what is there now.
    void drain() {
        feed.drain();
        stream.announceFeed();
    }

    @Override
    public Executor loop() {
        return stream.loop();
    }

    @Override
    public void send() {
        if (stream.isHeldUp() && feed.isTooFarBehind()) {
            feed.endSlow();
            stream.resetSlow();
        } else {
            stream.announceFeed();
        }
    }

    /// Moves content to the buffer from which it is sent, whose monitor is held.
    void fill() {
        while (output.buffered() < FRAME_BYTES && !output.isComplete()) {
            byte[] piece = feed.next();
            if (piece != null) {
                output.put(ByteBuffer.wrap(piece));
            } else if (feed.isComplete()) {
                output.complete();
            } else {
                break;
            }
        }
    }

    /// Sends a client that was sent nothing for long something without a meaning, if it is time.
    ///
    /// @return when to ask again, by the loop's clock
    long fillSilence(long nowNanos) {
        long most = feed.silenceMaxNanos();
        if (most == Long.MAX_VALUE) {
            return most;
        }
        if (nowNanos - sentNanos < most) {
            return sentNanos + most;
        }
        sentNanos = nowNanos;
        boolean isDue;
        synchronized (output) {
            isDue = !output.isAborted() && output.buffered() == 0 && !output.isComplete();
            if (isDue) {
                output.put(ByteBuffer.wrap(feed.filler()));
            }
        }
        if (isDue) {
            stream.announceFeed();
        }
        return nowNanos + most;
    }

    /// Counts content that was sent.
    void sent(int size, long nowNanos) {
        unacknowledged += size;
        sentNanos = nowNanos;
    }

    int unacknowledged() {
        return unacknowledged;
    }

    /// The client has enlarged its window of the stream.
    ///
    /// @return how much of what was sent that acknowledges
    int acknowledged(int size) {
        int count = Math.min(size, unacknowledged);
        unacknowledged -= count;
        return count;
    }

    /// The client was too slow.
    void endSlow() {
        feed.endSlow();
    }

    /// The stream is closed. May be called by any thread.
    void end() {
        feed.end(false);
    }

    /// The handler has failed.
    void fail() {
        feed.end(true);
    }
}
