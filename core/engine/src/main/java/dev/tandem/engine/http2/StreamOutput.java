package dev.tandem.engine.http2;

import dev.tandem.engine.ResponseHead;
import dev.tandem.engine.ResponseHeaders;
import dev.tandem.engine.ResponseTail;
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.TimeoutIOException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The response of a stream on its way from the thread that makes it to the loop, which sends it as
/// windows and priorities allow. All fields are guarded by this object.
///
/// Content that is made while it is sent is limited to [#BUFFERED_MAX], and its maker waits while
/// the buffer is full: a client that does not read costs no more memory than that.
final class StreamOutput {
    /// 64 KiB: four frames of 16 KiB, so that the loop has content while the maker is woken; 100
    /// streams of a connection hold 6.4 MiB at most, and all connections what [OutputMemory]
    /// allows.
    static final int BUFFERED_MAX = 65_536;

    /// Content of a container that is not flushed is sent when it is this much: 16 KiB, a frame.
    private static final int FRAME_BYTES = 16_384;

    /// Pieces that are shorter than this share a buffer when they wait; in bytes.
    private static final int SHORT = 1_024;

    /// Whether the stream is in the connection's list of streams with news for the loop.
    private boolean isAnnounced;

    /// Interim responses, each a status and its headers, before the final one.
    private @Nullable ArrayDeque<Interim> interims;

    private @Nullable ResponseHead head;
    private long length;

    /// The first piece of content, and those behind it.
    private @Nullable ByteBuffer first;

    private @Nullable ArrayDeque<ByteBuffer> more;

    /// The last of them, if it has short pieces and may get further ones.
    private @Nullable ByteBuffer gathering;

    private long buffered;

    /// How much of it counts in the connection's memory as what handlers have made: neither what is
    /// shared with other responses nor what was read from the tail, which is reserved and is the
    /// last of it.
    private long held;

    /// The stream's send window, as the loop knows it, in bytes.
    private int window;

    private final OutputMemory memory;

    /// Content that is read as the buffer has room; null if there is none, or all was read.
    private @Nullable ResponseTail tail;

    /// Whether a worker reads from the tail, or will soon.
    private boolean isTailBusy;

    /// Whether no worker reads from the busy tail, since its content is not there yet.
    private boolean isTailAwaited;

    /// Whether the content is that of a tail, and what of it may still be read of what is reserved.
    private boolean hasTail;

    private int granted;

    private @Nullable ResponseHeaders trailers;

    /// Whether no content follows what is buffered and the tail.
    private boolean isComplete;

    /// Whether the loop was asked to reset the stream, or it is closed: nothing more is sent.
    private boolean isAborted;

    private @Nullable ErrorCode resetCode;

    /// How many threads wait for room.
    private int waiting;

    /// An interim response (RFC 9110, section 15.2).
    record Interim(int status, ResponseHeaders headers) {}

    /// @param memory of the connection
    /// @param window the stream's initial send window in bytes
    StreamOutput(OutputMemory memory, int window) {
        this.memory = memory;
        this.window = window;
    }

    // ---- Called by the thread that runs the exchange. Those that return a boolean return whether
    // the stream must be announced to the loop.

    private boolean announce() {
        boolean isNew = !isAnnounced;
        isAnnounced = true;
        return isNew;
    }

    private void checkOpen() throws IOException {
        if (isAborted) {
            throw new IOException("the stream was reset");
        }
    }

    synchronized boolean interim(Interim response) throws IOException {
        checkOpen();
        if (interims == null) {
            interims = new ArrayDeque<>(2);
        }
        interims.add(response);
        return announce();
    }

    /// Begins the response.
    ///
    /// @param length of the content in bytes; -1 if it is not known
    synchronized void begin(ResponseHead response, long length) throws IOException {
        checkOpen();
        this.head = response;
        this.length = length;
    }

    /// Sends a response whose content is in memory.
    ///
    /// @param content null for none
    synchronized boolean whole(ResponseHead response, long length, @Nullable ByteBuffer content)
            throws IOException {
        begin(response, length);
        if (content != null) {
            add(content);
        }
        isComplete = true;
        return announce();
    }

    /// Begins a response whose content is read by this thread first, then by others.
    ///
    /// @return whether to read now; if not, the loop has it read when the client's window, or
    ///     memory, allows
    synchronized boolean tail(ResponseHead response, ResponseTail content) throws IOException {
        begin(response, content.left());
        tail = content;
        hasTail = true;
        return grantTail();
    }

    /// Sends content that is read by this thread first, then by others, after [#begin].
    ///
    /// @return as [#tail]
    synchronized boolean content(ResponseTail content) throws IOException {
        checkOpen();
        tail = content;
        hasTail = true;
        return grantTail();
    }

    /// Copies content into the buffer, without having it sent.
    ///
    /// @param isLimited whether only as much as there is room for; else all of it
    /// @return how many bytes were copied
    synchronized int append(byte[] bytes, int offset, int length, boolean isLimited)
            throws IOException {
        checkOpen();
        long room = isLimited ? Math.max(0, BUFFERED_MAX - buffered) : length;
        int size = (int) Math.min(length, room);
        var copy = ByteBuffer.allocate(size);
        copy.put(bytes, offset, size).flip();
        add(copy);
        return size;
    }

    /// Adds content, which is not changed any more, whatever room there is.
    synchronized void addKept(ByteBuffer content) throws IOException {
        checkOpen();
        add(content);
    }

    /// Copies content into the buffer, all of it: its maker stops while output is held up.
    synchronized boolean append(ByteBuffer content) throws IOException {
        checkOpen();
        var copy = ByteBuffer.allocate(content.remaining());
        add(copy.put(content).flip());
        return announce();
    }

    /// Has what is buffered sent, if it is due or as much as a frame.
    synchronized boolean send(boolean isDue) throws IOException {
        checkOpen();
        return (isDue || buffered >= FRAME_BYTES) && announce();
    }

    /// Has what is buffered sent, unless the stream is closed or all of it is on its way.
    synchronized boolean sendIfOpen() {
        return !isAborted && (head != null || buffered > 0) && announce();
    }

    /// Waits until there is room for content.
    ///
    /// @param nanos how long to wait at most
    synchronized void awaitRoom(long nanos) throws IOException {
        long end = System.nanoTime() + nanos;
        while (!isAborted && buffered >= BUFFERED_MAX) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new TimeoutIOException("timed out");
            }
            waiting++;
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TimeoutIOException("interrupted");
            } finally {
                waiting--;
            }
        }
        checkOpen();
    }

    /// Whether content has to wait for room, on a stream that is open.
    synchronized boolean isHeldUp() {
        return !isAborted && buffered >= BUFFERED_MAX;
    }

    /// Whether there is room for more than half of what fits.
    synchronized boolean hasRoom() {
        return isAborted || buffered <= BUFFERED_MAX / 2;
    }

    /// Copies content into the buffer, and waits until some of it fits.
    ///
    /// @param nanos how long to wait at most
    synchronized boolean write(ByteBuffer content, long nanos) throws IOException {
        awaitRoom(nanos);
        int size = (int) Math.min(content.remaining(), BUFFERED_MAX - buffered);
        var copy = ByteBuffer.allocate(size);
        copy.put(0, content, content.position(), size);
        content.position(content.position() + size);
        add(copy);
        return announce();
    }

    /// Whether a piece of content would have to wait for room.
    synchronized boolean isFull() throws IOException {
        checkOpen();
        return buffered >= BUFFERED_MAX;
    }

    synchronized boolean flush() throws IOException {
        checkOpen();
        return announce();
    }

    synchronized boolean end(@Nullable ResponseHeaders trailers) throws IOException {
        checkOpen();
        this.trailers = trailers;
        isComplete = true;
        return announce();
    }

    /// The exchange is over.
    ///
    /// @param code to reset the stream with; null if its response is complete, or on its way
    synchronized boolean finish(@Nullable ErrorCode code) {
        if (code != null && resetCode == null) {
            resetCode = code;
            isAborted = true;
        }
        return announce();
    }

    /// Wakes the loop for something else of the stream.
    synchronized boolean notice() {
        return announce();
    }

    private void add(ByteBuffer content) {
        hold(content.remaining());
        addUncounted(content);
    }

    private void addUncounted(ByteBuffer content) {
        if (first != null && content.remaining() < SHORT) {
            gather(content);
        } else {
            addShared(content);
        }
    }

    /// Copies a short piece that has to wait behind others: frames of a WebSocket may have two
    /// bytes, and a buffer of its own would take thirty times as much.
    private void gather(ByteBuffer content) {
        int size = content.remaining();
        ByteBuffer open = gathering;
        if (open == null || open.capacity() - open.limit() < size) {
            open = ByteBuffer.allocate(Math.clamp(buffered, size, FRAME_BYTES)).limit(0);
            behind(open);
        }
        int end = open.limit();
        open.limit(end + size).put(end, content, content.position(), size);
        buffered += size;
        gathering = open;
    }

    private void behind(ByteBuffer piece) {
        if (more == null) {
            more = new ArrayDeque<>(4);
        }
        more.add(piece);
        gathering = null;
    }

    private void hold(long count) {
        if (count != 0) {
            held += count;
            memory.hold(count);
        }
    }

    private void addShared(ByteBuffer content) {
        if (!content.hasRemaining()) {
            return;
        }
        if (first == null) {
            first = content;
        } else {
            behind(content);
        }
        buffered += content.remaining();
    }

    // ---- The tail. Called by the worker that reads it.

    /// Reads from the tail until the buffer is full or the tail at its end.
    ///
    /// @param buffer of the calling thread, empty; it is left empty
    /// @param announce notifies the loop
    /// @param again has this called again, when content is there for which this does not wait
    /// @throws IOException if the tail cannot be read; it is closed
    void fill(IoBuffer buffer, Runnable announce, Runnable again) throws IOException {
        ByteBuffer bytes = buffer.bytes();
        try {
            for (int room = room(); room > 0; room = room()) {
                ResponseTail open = tailInUse();
                if (open.mustAwait()) {
                    noteAwaited();
                    open.whenThere(again);
                    return;
                }
                bytes.clear().limit(Math.min(room, bytes.capacity()));
                open.read(buffer);
                var copy = ByteBuffer.allocate(bytes.position());
                copy.put(bytes.flip()).flip();
                if (addRead(copy)) {
                    announce.run();
                }
            }
            if (mustWait()) {
                announce.run();
            }
        } catch (IOException | RuntimeException | Error e) {
            dropTail();
            throw e;
        } finally {
            bytes.clear();
        }
    }

    /// From here on, whatever closes the stream closes the tail.
    private synchronized void noteAwaited() {
        isTailAwaited = true;
        if (isAborted) {
            dropTail();
        }
    }

    /// Only the thread that reads it closes it meanwhile.
    private synchronized ResponseTail tailInUse() throws IOException {
        if (tail == null) {
            throw new IOException("the content was closed");
        }
        return tail;
    }

    /// Returns how much may be read now; if nothing, the tail is released.
    private synchronized int room() {
        isTailAwaited = false;
        ResponseTail open = tail;
        if (open == null) {
            return 0;
        }
        if (isAborted || open.left() == 0) {
            isTailBusy = false;
            closeTail();
            return 0;
        }
        if (granted == 0) {
            isTailBusy = false;
        }
        return granted;
    }

    /// Whether the loop decides what is read next: of this tail, or, if the stream was closed
    /// meanwhile, of another one.
    private synchronized boolean mustWait() {
        return (isTailIdle() || isAborted) && announce();
    }

    private synchronized boolean addRead(ByteBuffer content) {
        int count = content.remaining();
        if (isAborted) {
            granted -= count;
            memory.release(count);
            return false;
        }
        addUncounted(content); // first, as it may fail for lack of memory
        granted -= count;
        ResponseTail open = tail;
        if (open != null && open.left() == 0) {
            closeTail();
            isComplete = true;
        }
        return announce();
    }

    /// Closes the tail; also if no worker can read what was granted.
    synchronized void dropTail() {
        isTailBusy = false;
        closeTail();
    }

    private void closeTail() {
        ResponseTail open = tail;
        tail = null;
        memory.release(granted);
        granted = 0;
        if (open != null) {
            open.close();
        }
    }

    // ---- Called on the loop, with this object's monitor held.

    /// Notes that the loop has seen the news.
    void seen() {
        isAnnounced = false;
    }

    @Nullable ErrorCode resetCode() {
        return resetCode;
    }

    boolean isAborted() {
        return isAborted;
    }

    @Nullable Interim nextInterim() {
        return interims == null ? null : interims.poll();
    }

    /// Returns the head, once; null before it is there, and afterwards.
    @Nullable ResponseHead takeHead() {
        ResponseHead taken = head;
        head = null;
        return taken;
    }

    long length() {
        return length;
    }

    long buffered() {
        return buffered;
    }

    /// Whether the response ends with what is buffered.
    boolean isComplete() {
        return isComplete;
    }

    @Nullable ResponseHeaders trailers() {
        return trailers;
    }

    /// Moves buffered content.
    ///
    /// @param count how many bytes, at most what is buffered
    void moveTo(ByteBuffer out, int count) {
        int left = count;
        while (left > 0 && first != null) {
            ByteBuffer piece = first;
            int size = Math.min(left, piece.remaining());
            out.put(out.position(), piece, piece.position(), size);
            out.position(out.position() + size);
            piece.position(piece.position() + size);
            left -= size;
            if (!piece.hasRemaining()) {
                gathering = piece == gathering ? null : gathering;
                first = more == null ? null : more.poll();
            }
        }
        buffered -= count;
        long made = Math.min(count, held);
        hold(-made);
        if (hasTail) {
            memory.release(count - made);
        }
        if (waiting > 0 && buffered <= BUFFERED_MAX / 2) {
            notifyAll();
        }
    }

    /// Adds content of a feed, which is not changed and has other readers.
    void put(ByteBuffer content) {
        addShared(content);
    }

    /// No content follows what is buffered.
    void complete() {
        isComplete = true;
    }

    /// Adds all content of a prepared response, which is not changed.
    void prepared(ByteBuffer content) {
        addShared(content);
        isComplete = true;
    }

    /// Notes the stream's send window.
    void window(int available) {
        window = available;
    }

    /// Whether there is more to read, and no thread reads it.
    boolean isTailIdle() {
        return tail != null && !isTailBusy;
    }

    /// Whether enough of the buffer is free to read more: nothing is read ahead of a closed window.
    boolean wantsTail() {
        return isTailIdle() && buffered <= target() / 2;
    }

    /// Reserves memory for the next part of the tail.
    ///
    /// @return whether a thread is to read it; the tail is then busy
    boolean grantTail() {
        ResponseTail open = tail;
        long wanted = open == null ? 0 : Math.min(target() - buffered, open.left());
        if (wanted > 0 && memory.reserve((int) wanted)) {
            granted = (int) wanted;
            isTailBusy = true;
        }
        return isTailBusy;
    }

    /// How much is read ahead: what the stream's window allows, so that a stream that its client
    /// does not read holds nothing, and the connection's other streams have the memory; a short
    /// frame where all connections hold too much.
    private int target() {
        int most = memory.hasRoom() ? BUFFERED_MAX : OutputMemory.SCARCE_FRAME;
        return Math.clamp(window, 0, most);
    }

    /// Drops everything: the stream is closed. Threads that wait for room are woken.
    synchronized void abort() {
        isAborted = true;
        head = null;
        first = null;
        more = null;
        gathering = null;
        interims = null;
        if (hasTail) {
            memory.release(buffered - held);
        }
        buffered = 0;
        hold(-held);
        if (!isTailBusy || isTailAwaited) {
            dropTail();
        }
        notifyAll();
    }

    /// Returns the names of what it holds, for failures of tests.
    @Override
    public synchronized String toString() {
        return buffered + " bytes" + (isComplete ? ", complete" : "");
    }
}
