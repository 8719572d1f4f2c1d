package dev.tandem.engine.http2;

import dev.tandem.engine.ClientGoneException;
import dev.tandem.engine.RequestBody;
import dev.tandem.engine.websocket.StreamInputMemory;
import dev.tandem.http.Headers;
import dev.tandem.http.HttpException;
import dev.tandem.http.h2.ContentLength;
import dev.tandem.net.TimeoutIOException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The body of a stream's request. The loop adds what is received, as much as the stream's window
/// allows; the handler reads it, and blocks. Fields are guarded by this object unless a comment
/// says otherwise.
final class Http2Body extends InputStream implements RequestBody {
    /// How much of a body is received before a worker is spent on it: 64 KiB, as for HTTP/1.1.
    static final int COLLECTED_MAX = 65_536;

    /// The loop is notified of what was read when it is this much, so that the client gets a window
    /// again in time, and not for each read: a quarter of a stream's window.
    private static final int NOTICE_BYTES = Http2Config.STREAM_WINDOW / 4;

    /// 4 KiB, which each request may have sent before its handler reads, whatever others hold.
    private static final int FREE = 4_096;

    /// A buffer for short pieces has room for as much as waits already, and for 16 KiB at most.
    private static final int GATHERED_MAX = 16_384;

    private static final long SECOND = 1_000_000_000L;

    private final Http2Stream stream;
    private final long declared;
    private final long beginNanos;

    /// Of the loop.
    private final ContentLength counted;

    private final ArrayDeque<ByteBuffer> pieces = new ArrayDeque<>(4);
    private final byte[] one = new byte[1];
    private int buffered;
    private volatile long received;

    /// What the handler has read since the loop took the number last.
    private int consumed;

    /// Whether all of it was received.
    private boolean isOver;

    /// Whether no more of it can be received.
    private boolean isBroken;

    private boolean isDiscarded;
    private boolean mustSayContinue;

    /// Whether the handler has begun to read.
    private boolean isAsked;

    private Headers trailers = Headers.EMPTY;

    /// Set by the loop when the stream is closed with the body incomplete.
    private @Nullable String failure;

    /// The memory of what is a session's input, which has no maximum length; null if it is a body.
    private @Nullable StreamInputMemory sessionMemory;

    /// Whether a session's owner is not to wait now.
    private boolean isWoken;

    Http2Body(Http2Stream stream, long declared, boolean expectsContinue, long nowNanos) {
        this.stream = stream;
        this.declared = declared;
        this.counted = new ContentLength(declared);
        this.mustSayContinue = expectsContinue;
        this.beginNanos = nowNanos;
    }

    // ---- Called on the loop.

    /// Whether more should be received before the exchange starts.
    synchronized boolean isWorthWaiting() {
        return !isOver && !isBroken && !mustSayContinue && buffered < COLLECTED_MAX;
    }

    /// Adds what was received; it is copied.
    ///
    /// @return false if it is more than the request's Content-Length
    synchronized boolean add(ByteBuffer piece) {
        int size = piece.remaining();
        received += size;
        mustSayContinue = false; // a client that sends does not wait (RFC 9110, section 10.1.1)
        if (!counted.add(size)) {
            return false;
        }
        if (isDiscarded || isBroken) {
            consumed += size;
        } else if (size > 0) {
            keep(piece);
            hold(size);
            notifyAll();
        }
        return true;
    }

    /// Copies a piece; what waits already has the free bytes of its last buffer for it. A client
    /// may send a byte in each frame, and a buffer of its own would take seventy times as much.
    private void keep(ByteBuffer piece) {
        int size = piece.remaining();
        ByteBuffer last = pieces.peekLast();
        int end = last == null ? 0 : last.limit();
        if (last == null || last.capacity() - end < size) {
            last = ByteBuffer.allocate(Math.max(size, Math.min(buffered, GATHERED_MAX))).limit(0);
            end = 0;
            pieces.add(last);
        }
        last.limit(end + size).put(end, piece, piece.position(), size);
        piece.position(piece.limit());
    }

    private void hold(int more) {
        buffered += more;
        StreamInputMemory own = sessionMemory;
        if (own == null) {
            stream.memory().hold(more);
        } else {
            own.count(buffered);
        }
    }

    /// Whether the client has sent more than a little that the handler has not begun to read.
    synchronized boolean isUnread() {
        return !isAsked && buffered >= FREE;
    }

    /// Whether it is a session's input, and there is no memory for what was not read.
    synchronized boolean isTooMuch() {
        return sessionMemory != null && sessionMemory.isTooMuch();
    }

    /// All was received.
    ///
    /// @return false if it is less than the request's Content-Length
    synchronized boolean end(Headers trailers) {
        if (!counted.isComplete()) {
            return false;
        }
        this.trailers = trailers;
        isOver = true;
        notifyAll();
        return true;
    }

    /// Returns how much was consumed since the last call.
    synchronized int takeConsumed() {
        int taken = consumed;
        consumed = 0;
        return taken;
    }

    /// No more is received: the stream is closed.
    synchronized void abort() {
        if (!isOver) {
            isBroken = true;
            failure = "the stream was reset";
        }
        notifyAll();
    }

    /// Drops what is received and was not read, and what comes.
    synchronized void discard() {
        isDiscarded = true;
        consumed += buffered;
        release();
    }

    private void release() {
        hold(-buffered);
        pieces.clear();
    }

    synchronized boolean isOver() {
        return isOver;
    }

    /// Returns when the client must have sent more, by the loop's clock.
    long deadline() {
        Http2Config config = stream.config();
        long rate = config.bodyRateMin();
        if (rate == 0) {
            return stream.nanos() + config.timeouts().bodyGrace();
        }
        long count = received;
        long earned = count / rate * SECOND + count % rate * SECOND / rate;
        return beginNanos + config.timeouts().bodyGrace() + earned;
    }

    // ---- Called by a session's owner.

    /// What is received is a session's input.
    synchronized void becomeSession(StreamInputMemory memory) {
        int received = buffered;
        hold(-received);
        sessionMemory = memory;
        hold(received);
        mustSayContinue = false;
        isAsked = true;
    }

    /// Returns the next piece, which is the caller's; null if none was received.
    @Nullable ByteBuffer nextPiece() {
        ByteBuffer piece;
        boolean isNotice;
        synchronized (this) {
            piece = pieces.poll();
            if (piece == null) {
                return null;
            }
            isNotice = consume(piece.remaining());
        }
        if (isNotice) {
            stream.announceConsumed();
        }
        return piece;
    }

    /// Waits until something is received, or [#wakeReader] is called.
    ///
    /// @throws TimeoutIOException if neither happens in time
    synchronized void awaitInput(long nanos) throws IOException {
        await(nanos);
        isWoken = false;
        if (pieces.isEmpty()) {
            checkBroken();
        }
    }

    /// Ends the wait of a session's owner, or its next one. Called by any thread.
    synchronized void wakeReader() {
        isWoken = true;
        notifyAll();
    }

    /// @return whether the loop is to be notified
    private boolean consume(int count) {
        hold(-count);
        consumed += count;
        return consumed >= NOTICE_BYTES && !isOver;
    }

    // ---- Called by the thread that runs the exchange.

    /// Reads some of the body for a container.
    ///
    /// @param waits whether to wait until something is received
    /// @param stallNanos how long to wait at most; 0: as in the options
    /// @return number of bytes; 0 if none was received, -1 at the end
    int read(byte[] to, int offset, int length, boolean waits, long stallNanos) throws IOException {
        int count = take(to, offset, length);
        if (count == 0) {
            sendContinue();
            if (waits) {
                awaitMore(stallNanos > 0 ? stallNanos : deadline() - stream.nanos());
                count = take(to, offset, length);
            }
        }
        return count;
    }

    /// Reads some of the body without waiting.
    ///
    /// @return number of bytes; 0 if none was received, -1 at the end
    int readNow(byte[] to, int offset, int length) throws IOException {
        int count = take(to, offset, length);
        if (count == 0) {
            sendContinue();
        }
        return count;
    }

    /// The client has sent too slowly.
    synchronized void timedOut() {
        isBroken = true;
    }

    /// Whether a read returns something, the end or an error at once.
    synchronized boolean isReadable() {
        return isOver || isBroken || !pieces.isEmpty();
    }

    /// Whether it was read to its end.
    synchronized boolean isRead() {
        return isOver && pieces.isEmpty();
    }

    @Override
    public int read() throws IOException {
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, to.length);
        if (length == 0) {
            return 0;
        }
        int count = take(to, offset, length);
        if (count == 0) {
            sendContinue();
            awaitMore(deadline() - stream.nanos());
            count = take(to, offset, length);
        }
        return count;
    }

    /// @return 0 if nothing has come, -1 at the end
    private int take(byte[] to, int offset, int length) throws IOException {
        int count;
        boolean isNotice;
        synchronized (this) {
            isAsked = true;
            checkSize();
            ByteBuffer piece = pieces.peek();
            if (piece == null) {
                checkBroken();
                return isOver ? -1 : 0;
            }
            count = Math.min(length, piece.remaining());
            piece.get(to, offset, count);
            if (!piece.hasRemaining()) {
                pieces.remove();
            }
            isNotice = consume(count);
        }
        if (isNotice) {
            stream.announceConsumed();
        }
        return count;
    }

    private void checkSize() {
        long most = stream.config().bodyMax();
        if (received > most && sessionMemory == null) {
            isBroken = true;
            throw new HttpException(413, "the body is longer than " + most + " bytes");
        }
    }

    private void checkBroken() throws ClientGoneException {
        if (isBroken) {
            throw new ClientGoneException(failure == null ? "the body ended early" : failure);
        }
    }

    /// Sends 100 Continue to a client that waits for it.
    void sendContinue() throws IOException {
        synchronized (this) {
            if (!mustSayContinue) {
                return;
            }
            mustSayContinue = false;
        }
        stream.sendContinue();
    }

    private void awaitMore(long nanos) throws IOException {
        try {
            stream.awaitClient(nanos, this::await);
        } catch (TimeoutIOException e) {
            synchronized (this) {
                isBroken = true;
            }
            throw new HttpException(408, "the body came too slowly");
        }
    }

    private synchronized void await(long nanos) throws IOException {
        long end = System.nanoTime() + nanos;
        while (pieces.isEmpty() && !isOver && !isBroken && !isWoken) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new TimeoutIOException("timed out");
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TimeoutIOException("interrupted");
            }
        }
    }

    @Override
    public synchronized int available() {
        ByteBuffer piece = pieces.peek();
        return piece == null ? 0 : piece.remaining();
    }

    @Override
    public InputStream stream() {
        return this;
    }

    @Override
    public long length() {
        return declared;
    }

    @Override
    public synchronized Headers trailers() {
        return isOver && pieces.isEmpty() ? trailers : Headers.EMPTY;
    }

    @Override
    public long received() {
        return received;
    }
}
