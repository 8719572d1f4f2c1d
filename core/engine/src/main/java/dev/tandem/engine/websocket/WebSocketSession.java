package dev.tandem.engine.websocket;

import dev.tandem.engine.ClientWaits;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.Log;
import dev.tandem.engine.SessionTerms;
import dev.tandem.http.Exchange;
import dev.tandem.http.WebSocket;
import dev.tandem.http.WebSocketMessage;
import dev.tandem.http.websocket.CloseReason;
import dev.tandem.http.websocket.FrameEncoder;
import dev.tandem.http.websocket.Opcode;
import dev.tandem.net.Loop;
import dev.tandem.net.TimeoutIOException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A session as its handler sees it, and what waits to be sent. Any thread may send: frames are
/// queued under its lock, and sent by the thread that handles a message of this session,
/// else by the loop.
final class WebSocketSession implements WebSocket {
    /// What is called; replaced by the handler at any time.
    ///
    /// @param text a [TextHandler] or [TextStreamHandler]
    /// @param binary a [BinaryHandler] or [BinaryStreamHandler]
    record Handlers(@Nullable Object text, @Nullable Object binary, @Nullable CloseHandler close) {
        static final Handlers NONE = new Handlers(null, null, null);

        /// Whether messages are read as streams.
        boolean isStream(boolean isText) {
            return isText
                    ? text instanceof TextStreamHandler
                    : binary instanceof BinaryStreamHandler;
        }
    }

    /// Memory of a queued frame in bytes, in addition to its content, which may have two bytes: a
    /// buffer, the header of an array, an element of the queue.
    private static final int FRAME_MEMORY = 96;

    /// Pongs that wait for a client: 64.
    private static final int PONGS_MAX = 64;

    /// What a message fails with that is sent when the session has ended.
    private static final class EndException extends IOException {
        private static final long serialVersionUID = 1;

        private final transient WebSocketSession session;

        EndException(WebSocketSession session) {
            super("the session has ended");
            this.session = session;
        }
    }

    private static final CloseReason TOO_SLOW = new CloseReason(CloseReason.POLICY, "too slow");

    private final SessionMessages messages;
    private final SessionIo io;
    private final String protocol;
    private final int unsentMax;

    /// Of compressed messages; 0 for none.
    private final int windowBits;

    private final long stallNanos;

    private @Nullable Exchange exchange;
    private volatile Handlers handlers = Handlers.NONE;

    /// Not this object, on which applications may synchronize.
    private final Object lock = new Object();

    // ---- Guarded by the lock.

    private @Nullable ArrayDeque<ByteBuffer> queue;
    private long unsent;

    /// Memory of the frames that were taken and are perhaps not sent. Changed by the thread that
    /// takes frames.
    private long taken;

    /// Memory of all frames that were ever taken.
    private long takenEver;

    /// Whether more was sent than there is memory for, until all that was taken is sent.
    private boolean isOverdrawn;

    /// What of both is counted in [SessionMemory].
    private long counted;

    /// Pongs that are queued.
    private int pongs;

    /// The newest pong, if there is no place for it.
    private byte @Nullable [] latestPong;

    /// Whether a close frame is queued or sent. Written with the lock.
    private volatile boolean isClosing;

    /// Written with the lock.
    private volatile boolean isOver;

    /// The first of the groups that it is a member of.
    private @Nullable Membership groups;

    /// Whether the loop will send what is queued.
    private boolean isScheduled;

    WebSocketSession(SessionMessages messages, SessionIo io, SessionTerms terms, long stallNanos) {
        this.messages = messages;
        this.io = io;
        this.protocol = terms.protocol();
        this.unsentMax = terms.options().unsentMax();
        this.windowBits = terms.deflate() == null ? 0 : terms.deflate().windowBits();
        this.stallNanos = stallNanos;
        this.exchange = terms.exchange();
    }

    // ---- What the handler calls.

    @Override
    public Exchange exchange() {
        Exchange own = exchange;
        if (own == null) {
            throw new IllegalStateException("the session is open: its request is over");
        }
        return own;
    }

    void forgetExchange() {
        exchange = null;
    }

    @Override
    public String protocol() {
        return protocol;
    }

    @Override
    public void onText(TextHandler handler) {
        setText(handler);
    }

    @Override
    public void onTextStream(TextStreamHandler handler) {
        setText(handler);
    }

    private void setText(Object handler) {
        synchronized (lock) {
            handlers = new Handlers(handler, handlers.binary, handlers.close);
        }
    }

    @Override
    public void onBinary(BinaryHandler handler) {
        setBinary(handler);
    }

    @Override
    public void onBinaryStream(BinaryStreamHandler handler) {
        setBinary(handler);
    }

    private void setBinary(Object handler) {
        synchronized (lock) {
            handlers = new Handlers(handlers.text, handler, handlers.close);
        }
    }

    @Override
    public void onClose(CloseHandler handler) {
        synchronized (lock) {
            handlers = new Handlers(handlers.text, handlers.binary, handler);
        }
    }

    Handlers handlers() {
        return handlers;
    }

    @Override
    public void send(WebSocketMessage message) throws IOException {
        ByteBuffer frame = frame(message);
        if (messages.isOwner()) {
            synchronized (lock) {
                checkOpen();
                addOwn(frame);
            }
            messages.sendAsOwner(true);
            return;
        }
        while (!trySendOwn(frame)) {
            awaitRoom();
        }
    }

    private boolean trySendOwn(ByteBuffer frame) throws IOException {
        synchronized (lock) {
            checkOpen();
            if (isFull()) {
                return false;
            }
            addOwn(frame);
            scheduleOwn();
            return true;
        }
    }

    private ByteBuffer frame(WebSocketMessage message) {
        ByteBuffer compressed = windowBits == 0 ? null : Deflations.frame(message, windowBits);
        return compressed == null ? message.frame() : compressed;
    }

    private void checkOpen() throws IOException {
        if (isClosing || isOver) {
            throw new EndException(this);
        }
    }

    /// Whether something failed since it was sent to this session when that had ended.
    boolean isEnd(Exception e) {
        return isOwnEnd(e) || isOwnEnd(e.getCause());
    }

    private boolean isOwnEnd(@Nullable Throwable e) {
        return e instanceof EndException end && end.session == this;
    }

    /// Waits until the client has taken enough.
    private void awaitRoom() throws IOException {
        var client = new SendWait(this, io, true);
        ClientWaits.Waiting wait = nanos -> awaitRoom(client, nanos);
        try {
            if (IoContext.current() == null) {
                wait.await(stallNanos); // a thread of the application's own
            } else {
                messages.awaitClient(client, stallNanos, wait);
            }
        } catch (TimeoutIOException e) {
            if (client.isAborted() || !client.isTaking(messages.rateMin())) {
                io.drop();
                throw new IOException("the client takes nothing", e);
            } // else the caller waits again
        }
    }

    private void awaitRoom(SendWait client, long nanos) throws IOException {
        synchronized (lock) {
            long deadline = System.nanoTime() + nanos;
            while (isFull() && !isClosing && !isOver) {
                long left = deadline - System.nanoTime();
                if (left <= 0 || client.isAborted()) {
                    throw new TimeoutIOException("timed out");
                }
                try {
                    TimeUnit.NANOSECONDS.timedWait(lock, left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted", e);
                }
            }
        }
    }

    @Override
    public boolean trySend(WebSocketMessage message) {
        ByteBuffer frame = frame(message);
        synchronized (lock) {
            if (isClosing || isOver || isFull()) {
                return false;
            }
            addOwn(frame);
            if (!messages.isOwner()) {
                scheduleOwn();
            }
        }
        return true;
    }

    @Override
    public void close(CloseReason reason) {
        synchronized (lock) {
            if (isClosing || isOver) {
                return;
            }
            add(FrameEncoder.close(reason));
            isClosing = true;
            lock.notifyAll();
            if (!messages.isOwner()) {
                schedule();
            }
        }
    }

    @Override
    public boolean isOpen() {
        return !isClosing && !isOver;
    }

    // ---- What waits to be sent.

    /// Adds a frame that is perhaps in no other session's queue.
    private void addOwn(ByteBuffer frame) {
        add(frame);
        overdraw();
    }

    private void overdraw() {
        isOverdrawn |= counted > 0 && !SessionMemory.OUTPUT.hasRoom(messages.client());
    }

    private void add(ByteBuffer frame) {
        if (queue == null) {
            queue = new ArrayDeque<>(2);
        }
        queue.add(frame);
        unsent += memory(frame);
        count();
    }

    private void count() {
        counted = SessionMemory.OUTPUT.count(messages.client(), counted, unsent + taken);
    }

    private static int memory(ByteBuffer frame) {
        return FRAME_MEMORY + frame.remaining();
    }

    private void scheduleOwn() {
        schedule();
        if (isOverdrawn) {
            io.overdrawn();
        }
    }

    private void schedule() {
        if (!isScheduled) {
            isScheduled = true;
            try {
                io.scheduleSending();
            } catch (Throwable e) {
                isScheduled = false; // for lack of memory: the next message must schedule it
                throw e;
            }
        }
    }

    /// Queues a ping of the server's own.
    void ping() {
        synchronized (lock) {
            if (!isClosing && !isOver) {
                add(FrameEncoder.message(Opcode.PING, ByteBuffer.allocate(0)));
            }
        }
    }

    /// Queues a pong. If many wait already, it replaces the newest one (RFC 6455, section 5.5.3): a
    /// client that sends pings and reads nothing must not fill the memory.
    void pong(byte[] payload) {
        synchronized (lock) {
            if (pongs == PONGS_MAX) {
                latestPong = payload;
            } else if (!isClosing && !isOver) {
                pongs++;
                add(FrameEncoder.message(Opcode.PONG, ByteBuffer.wrap(payload)));
            }
        }
    }

    /// The loop begins to send.
    void sending() {
        synchronized (lock) {
            isScheduled = false;
        }
    }

    /// Takes the next frame; null if none is queued.
    @Nullable ByteBuffer next() {
        synchronized (lock) {
            ByteBuffer frame = queue == null ? null : queue.poll();
            if (frame == null) {
                queue = null;
                return null;
            }
            taken += memory(frame);
            takenEver += memory(frame);
            unsent -= memory(frame);
            if (isPong(frame)) {
                pongs--;
                byte[] latest = latestPong;
                if (latest != null) {
                    latestPong = null;
                    pong(latest);
                }
            }
            if (unsent <= unsentMax) {
                lock.notifyAll();
            }
            return frame;
        }
    }

    /// Of what was taken, all but the rest is sent. Called by the thread that takes frames.
    ///
    /// @param left number of bytes that are not
    void sent(long left) {
        if (taken != left) {
            synchronized (lock) {
                taken = isOver ? 0 : left;
                isOverdrawn &= left + unsent > 0;
                count();
            }
        }
    }

    /// Wakes the threads that wait for its client.
    void wakeSenders() {
        synchronized (lock) {
            lock.notifyAll();
        }
    }

    /// Returns how much its client has taken of what was queued, since the session began.
    long delivered() {
        synchronized (lock) {
            return takenEver - taken;
        }
    }

    /// Its client has not taken all that was sent to it without being queued. Called on the loop.
    ///
    /// @param left number of bytes that were made for this client: what TLS has encrypted
    void keeps(long left) {
        synchronized (lock) {
            taken = isOver ? 0 : left;
            count();
            overdraw();
        }
    }

    /// Whether the session has more than there is memory for, and its client has not taken it.
    boolean isOverdrawn() {
        synchronized (lock) {
            return isOverdrawn;
        }
    }

    /// Whether there is so little memory that it must be taken at once.
    boolean isFarOverdrawn() {
        synchronized (lock) {
            return isOverdrawn && SessionMemory.OUTPUT.isFarExceeded(messages.client());
        }
    }

    /// Returns how long a client has that is to take what waits for it.
    long patience() {
        return isOverdrawn() ? Math.min(SessionMemory.PATIENCE_NANOS, stallNanos) : stallNanos;
    }

    private static boolean isPong(ByteBuffer frame) {
        return (frame.get(0) & 0x0F) == Opcode.PONG.code();
    }

    boolean isEmpty() {
        synchronized (lock) {
            return queue == null || queue.isEmpty();
        }
    }

    /// Whether more waits than the client may leave unread.
    boolean isFull() {
        synchronized (lock) {
            return unsent > unsentMax
                    || unsent > SessionMemory.FREE
                            && !SessionMemory.OUTPUT.hasRoom(messages.client());
        }
    }

    boolean isClosing() {
        return isClosing;
    }

    /// The connection is closed.
    void over() {
        Membership left;
        synchronized (lock) {
            isOver = true;
            queue = null;
            unsent = 0;
            taken = 0;
            count();
            lock.notifyAll();
            left = groups;
            groups = null;
        }
        for (; left != null; left = left.next) {
            end(left); // without the lock: a group has its own when a session joins
        }
    }

    /// Whatever it throws, as for lack of memory: the session leaves the others, too.
    private static void end(Membership left) {
        try {
            left.group().end(left);
        } catch (Throwable e) {
            Log.failure("a session has left a group incompletely", e);
        }
    }

    // ---- Groups.

    Loop loop() {
        return io.loop();
    }

    int windowBits() {
        return windowBits;
    }

    /// @return null if it is a member already, or the session has ended
    @Nullable Membership join(LoopMembers members) {
        synchronized (lock) {
            if (isOver || membership(members.group()) != null) {
                return null;
            }
            var joined = new Membership(members, this, groups);
            groups = joined;
            return joined;
        }
    }

    /// @return null if it is no member
    @Nullable Membership leave(Group group) {
        synchronized (lock) {
            Membership left = membership(group);
            if (left == null) {
                return null;
            }
            if (groups == left) {
                groups = left.next;
            } else {
                for (Membership m = groups; m != null; m = m.next) {
                    m.next = m.next == left ? left.next : m.next;
                }
            }
            return left;
        }
    }

    private @Nullable Membership membership(Group group) {
        Membership m = groups;
        while (m != null && m.group() != group) {
            m = m.next;
        }
        return m;
    }

    /// Sends the messages of a group. Called on the loop.
    ///
    /// @return false if too much waits for the client: it does not get them
    boolean broadcast(Batch batch, boolean closesSlow) {
        ByteBuffer frames = batch.frames(windowBits);
        synchronized (lock) {
            if (isClosing || isOver) {
                return true;
            }
            if (isFull()) {
                if (closesSlow) {
                    close(TOO_SLOW);
                }
                return false;
            }
            if (unsent > 0) {
                add(frames.duplicate());
                schedule();
                return true;
            }
        }
        if (!io.sendNow(frames)) {
            synchronized (lock) {
                if (!isClosing && !isOver) {
                    add(frames.duplicate());
                    schedule();
                }
            }
        }
        return true;
    }
}
