package dev.tandem.engine.websocket;

import dev.tandem.engine.Engine;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.LingeringClose;
import dev.tandem.engine.Log;
import dev.tandem.engine.LoopThread;
import dev.tandem.engine.MessageAdmission;
import dev.tandem.engine.RequestAdmission;
import dev.tandem.engine.SessionTerms;
import dev.tandem.engine.UnreadInput;
import dev.tandem.engine.WriteQueue;
import dev.tandem.engine.tls.TlsSocket;
import dev.tandem.http.websocket.CloseReason;
import dev.tandem.net.Connection;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.Loop;
import dev.tandem.net.Protocol;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;

/// The connection of a WebSocket session.
///
/// ```
///  state    activity                                      owner
///  OPEN     silent, or a message is incomplete            the loop
///  OPEN     a message is handled                          a worker, or the loop's thread in place
///  ENDING   the input has ended, output waits             the loop
///  LINGER   all is sent, the peer still sends             the loop
/// ```
///
/// Fields are confined to the owner, except where they are volatile.
public final class SessionConnection
        implements Protocol, Runnable, MessageAdmission.SessionTask, SessionIo {
    /// A mark beyond which the peer is as soon as output waits for it.
    private static final long NOTHING_TAKEN = -1;

    private enum State {
        OPEN,
        ENDING,
        LINGER
    }

    private final Connection connection;
    private final Engine engine;
    private final IoContext loopContext;
    private final WriteQueue output;
    private final UnreadInput input;
    private final Runnable onClosed;
    private final SessionMessages messages;
    private final WebSocketSession session;

    /// Whether a worker has the connection, or will: from before it is handed over until the worker
    /// is about to return it, and looks once more at what is queued.
    private volatile boolean isHandedOver = true;

    /// Whether the owner waits for more of a message, or is about to: then it is woken for what
    /// others queue.
    private volatile boolean isAwaitingMore;

    private State state = State.OPEN;
    private CloseReason reason = CloseReason.of(CloseReason.ABNORMAL);

    /// When the loop received something last, or has pinged the peer since.
    private long heardAt;

    /// Whether the peer was pinged since something was received. Only then is it disconnected for
    /// its silence, which may be long because the loop was held up.
    private boolean isPinged;

    /// How much of the waiting output the peer had taken when the deadline was set; how many bytes
    /// are still read, in state LINGER.
    private long mark;

    private boolean isCloseTimed;
    private boolean isStalled;

    /// Whether the deadline of stalled output is that of a session that has too much.
    private boolean isHurried;

    /// @param loopContext of the connection's loop
    /// @param http of the connection that becomes the session's
    public SessionConnection(
            Connection connection,
            Engine engine,
            IoContext loopContext,
            SessionTerms terms,
            Http http) {
        this.connection = connection;
        this.engine = engine;
        this.loopContext = loopContext;
        this.output = http.output();
        output.limitKernel();
        this.input = http.input();
        this.onClosed = http.onClosed();
        boolean isSecure = TlsSocket.isOf(connection);
        this.messages =
                new SessionMessages(
                        this,
                        engine,
                        terms,
                        http.admission().ofMessages(this, terms.timing(), isSecure));
        this.session = messages.session();
    }

    /// What an HTTP/1.1 connection leaves to the session.
    ///
    /// @param admission of the request that begins the session
    /// @param output what is queued in it stays first
    /// @param input that follows the request
    /// @param onClosed called once, when the connection is closed
    public record Http(
            RequestAdmission admission, WriteQueue output, UnreadInput input, Runnable onClosed) {}

    @Override
    public long nanos() {
        return connection.loop().clock().nanos();
    }

    @Override
    public IoContext loopContext() {
        return loopContext;
    }

    @Override
    public boolean isClosed() {
        return connection.isClosed();
    }

    // ---- Called by the thread that runs the request, or handles a message.

    /// Calls the handler of new sessions, by the thread that runs the request.
    public void open(IoContext context) {
        messages.open(context);
    }

    @Override
    public void send(boolean waits) throws IOException {
        send(messages.context(), waits);
    }

    private void send(IoContext context, boolean waits) throws IOException {
        putAll(context);
        boolean isOpened = heardAt != 0; // until then the exchange has the context's buffer, too
        boolean isMoreSoon = isOpened && context.isLoopThread() && !input.isEmpty();
        if (!isMoreSoon) {
            flush(context);
        }
        SendWait client = null;
        while (waits && output.isHeldUp() && session.isFull()) {
            if (session.isFarOverdrawn()) {
                throw new IOException("too little memory for what the client does not read");
            }
            client = client == null ? new SendWait(session, this, false) : client;
            messages.awaitClient(client, session.patience(), connection::awaitOutput);
            if (writeMore(context)) {
                putAll(context);
                flush(context);
            }
        }
    }

    private void flush(IoContext context) throws IOException {
        output.flush(context);
        if (!output.isHeldUp()) {
            session.sent(0);
        }
    }

    /// Sends more of what waits for the peer.
    ///
    /// @return whether all of it is sent: what waits next begins to be counted anew
    private boolean writeMore(IoContext context) throws IOException {
        if (output.writeMore(context) != WriteQueue.Next.NOTHING) {
            return false;
        }
        mark = NOTHING_TAKEN;
        session.sent(0);
        return true;
    }

    private void putAll(IoContext context) throws IOException {
        while (!output.isHeldUp()) {
            ByteBuffer frame = session.next();
            if (frame == null) {
                return;
            }
            output.put(context, frame.array(), frame.limit(), true);
        }
    }

    @Override
    public boolean decodeSome() throws IOException {
        if (input.isEmpty()) {
            IoBuffer buffer = messages.context().input();
            ByteBuffer in = buffer.bytes().clear();
            int count = connection.socket().read(buffer);
            if (count < 0) {
                throw new EOFException("the client has disconnected within a message");
            }
            if (count == 0) {
                return false;
            }
            input.keep(in.flip());
        }
        ByteBuffer in = input.view();
        int before = in.remaining();
        messages.decodeSome(in);
        input.used(before - in.remaining());
        return true;
    }

    @Override
    public void awaitMore(long nanos) throws IOException {
        IoContext context = messages.context();
        isAwaitingMore = true; // before the queue is emptied
        try {
            putAll(context);
            flush(context);
            if (!session.isOpen()) {
                return;
            }
            if (output.isHeldUp()) {
                connection.awaitInputOrOutput(nanos);
            } else {
                connection.awaitInput(nanos);
            }
        } finally {
            isAwaitingMore = false;
        }
        if (output.isHeldUp()) {
            writeMore(context);
        }
    }

    @Override
    public long takenOfWaiting() {
        return output.taken();
    }

    @Override
    public void cancelWait() {
        connection.cancelWait();
    }

    /// Runs on the thread that has the loop.
    @Override
    public void run() {
        run(((LoopThread) Thread.currentThread()).context());
    }

    /// Handles a message, and those that follow it.
    @Override
    public void run(IoContext context) {
        try {
            requireRunning();
            messages.handleAll(context, this::hasNext);
            messages.sendAsOwner(false);
            flush(context);
            handled();
        } catch (IOException e) {
            connection.close();
        } catch (Throwable e) {
            connection.close();
            Log.LOG.log(Level.ERROR, "a session failed", e);
        } finally {
            context.output().bytes().clear();
            engine.dispatcher().startNextAtEnd();
        }
    }

    @Override
    public void abandon() {
        connection.close();
    }

    @Override
    public void refuse(CloseReason why) {
        connection.loop().execute(() -> refuseOnLoop(why));
    }

    private void refuseOnLoop(CloseReason why) {
        if (!connection.isClosed() && connection.takeFromWorker()) {
            isHandedOver = false;
            input.drop();
            messages.refuse(why);
            guarded(this::await);
        }
    }

    /// A message that has not begun when the server has stopped is not handled, as no request is.
    private void requireRunning() throws IOException {
        if (engine.dispatcher().isStopped()) {
            messages.skip();
            throw new IOException("the server has stopped");
        }
    }

    private boolean hasNext() {
        if (input.isEmpty()) {
            return false;
        }
        ByteBuffer in = input.view();
        int before = in.remaining();
        messages.decode(in);
        input.used(before - in.remaining());
        return messages.hasMessage();
    }

    /// Returns the connection to its loop. Called by the owner, which must not use it afterwards.
    public void handled() throws IOException {
        messages.disown();
        messages.count(input.size());
        isHandedOver = false;
        if (heardAt != 0) {
            heardAt = Math.max(1, nanos()); // no input was read while the message was handled
            isPinged = false;
        }
        if (connection.loop().isEnded() || isFarOverdrawn()) {
            connection.close();
        } else if (isSilent()) {
            connection.returnToLoop();
            if (engine.isStopping()) {
                // It began to stop, and may have notified its connections, while the owner had this
                // one.
                connection.loop().announceStop();
            }
        } else {
            connection.loop().execute(this::resume);
        }
    }

    /// Whether the loop has nothing to do for it but to wait for input.
    private boolean isSilent() {
        return heardAt != 0
                && input.isEmpty()
                && !messages.hasMessage() // that has to wait for others
                && session.isEmpty()
                && !session.isClosing()
                && !isStalled // its deadline is to be replaced
                && !output.isHeldUp()
                && messages.ended() == null
                && messages.reviewNanos() == SessionMessages.NEVER
                && !engine.isStopping();
    }

    // ---- Called by any thread.

    @Override
    public void scheduleSending() {
        connection.loop().execute(this::sendOnLoop);
    }

    @Override
    public void overdrawn() {
        // Sending it is scheduled, and ends the session.
    }

    @Override
    public void drop() {
        connection
                .loop()
                .execute(
                        () -> {
                            if (connection.isOwnedByLoop()) {
                                connection.close();
                            }
                        });
    }

    @Override
    public Loop loop() {
        return connection.loop();
    }

    // ---- Called on the loop.

    @Override
    public boolean sendNow(ByteBuffer frames) {
        boolean isIdle =
                connection.isOwnedByLoop()
                        && state == State.OPEN
                        && heardAt != 0
                        && !output.isHeldUp();
        if (isIdle) {
            guarded(
                    () -> {
                        output.sendShared(loopContext, frames.array(), frames.limit());
                        if (output.isHeldUp()) {
                            session.keeps(output.memory());
                            awaitOutput();
                        }
                    });
        }
        return isIdle;
    }

    private void sendOnLoop() {
        if (connection.isOwnedByLoop()) {
            session.sending();
            guarded(this::continueOnLoop);
        } else if (isAwaitingMore) {
            session.sending();
            if (!connection.wake()) {
                scheduleSending(); // a worker begins or ends to wait at this moment
            }
        } else if (!isHandedOver && !connection.isClosed() && !connection.loop().isEnded()) {
            scheduleSending(); // a worker is returning the connection at this moment
        } else {
            session.sending();
        }
    }

    private void resume() {
        if (!connection.isClosed() && connection.takeFromWorker()) {
            guarded(this::continueOnLoop);
        }
    }

    @FunctionalInterface
    private interface IoAction {
        void run() throws IOException;
    }

    private void guarded(IoAction action) {
        try {
            action.run();
        } catch (IOException e) {
            abort();
        } catch (Throwable e) {
            abort();
            throw e;
        }
    }

    /// Also empties the loop's buffer, which is the next connection's.
    private void abort() {
        if (connection.loop().isHeld()) {
            loopContext.output().bytes().clear();
        }
        connection.closeIfLoopIsHeld();
    }

    /// Sends, handles what was received already, and waits for the next event.
    private void continueOnLoop() throws IOException {
        if (heardAt == 0) {
            heard();
            setSilenceDeadline();
        }
        if (engine.isStopping()) {
            session.close(CloseReason.of(CloseReason.GOING_AWAY));
        }
        // First, since it decides whether too much waits: nothing else handles what was received.
        putAll(loopContext);
        flush(loopContext);
        boolean hasInput = !input.isEmpty() || messages.hasMessage();
        if (state == State.OPEN && hasInput && !session.isFull()) {
            ByteBuffer in = input.view();
            input.drop();
            process(in);
        } else {
            await();
        }
    }

    private void heard() {
        heardAt = Math.max(1, connection.loop().nowNanos());
        isPinged = false;
    }

    @Override
    public void readable() {
        guarded(state == State.LINGER ? this::linger : this::receive);
    }

    private void receive() throws IOException {
        IoBuffer buffer = loopContext.input();
        ByteBuffer in = buffer.bytes().clear();
        if (!messages.hasRoom()) {
            in.limit(SessionMemory.FREE); // what is not handled at once is kept
        }
        int count = connection.socket().read(buffer);
        if (count < 0) {
            connection.close();
        } else if (count == 0) {
            await();
        } else {
            heard();
            in.flip();
            if (input.isEmpty()) {
                process(in);
            } else {
                input.add(in);
                continueOnLoop();
            }
        }
    }

    private void process(ByteBuffer in) throws IOException {
        if (state == State.OPEN) {
            messages.decode(in);
        } else {
            in.position(in.limit());
        }
        if (messages.hasMessage() && state == State.OPEN) {
            input.keep(in);
            messages.count(input.size());
            isHandedOver = true;
            connection.handOver();
            if (messages.timing().isShort() && engine.mayRunInPlace(connection.loop())) {
                connection.loop().runInline(this);
            } else {
                messages.submit();
            }
        } else {
            input.keep(in);
            await();
        }
    }

    /// Sends what is queued, and waits for the next event.
    private void await() throws IOException {
        CloseReason ended = messages.ended();
        if (ended != null && state == State.OPEN) {
            state = State.ENDING;
            reason = ended;
            // What the peer has sent, or why it is disconnected.
            session.close(ended);
        }
        putAll(loopContext);
        flush(loopContext);
        if (output.isHeldUp()) {
            awaitOutput();
        } else if (state == State.ENDING) {
            beginLingering();
        } else {
            boolean wasStalled = isStalled;
            isStalled = false;
            isHurried = false;
            if (session.isClosing() && !isCloseTimed) {
                isCloseTimed = true;
                setDeadline(messages.options().closeMax().toNanos());
            } else if (wasStalled && !isCloseTimed) {
                heard(); // it has taken all; its input was perhaps not read meanwhile
                setSilenceDeadline();
            } else if (messages.reviewNanos() != SessionMessages.NEVER && !isCloseTimed) {
                setSilenceDeadline();
            }
            connection.awaitInput();
        }
    }

    /// Whether the peer has not taken at once what there is no memory for: else a client could fill
    /// the heap with what it has others send it, as an echo does.
    private boolean isFarOverdrawn() {
        return output.isHeldUp() && session.isFarOverdrawn();
    }

    private void awaitOutput() throws IOException {
        if (isFarOverdrawn()) {
            connection.close();
            return;
        }
        boolean isOverdrawn = session.isOverdrawn();
        boolean isProgress = output.taken() > mark && !isOverdrawn; // then it must take all
        if (!isStalled || isProgress || isOverdrawn && !isHurried) {
            isStalled = true;
            mark = output.taken();
            setDeadline(session.patience());
        }
        isHurried = isOverdrawn;
        if (session.isFull() || state != State.OPEN) {
            connection.awaitOutput();
        } else {
            connection.awaitInputAndOutput();
        }
    }

    @Override
    public void writable() {
        guarded(
                () -> {
                    if (output.isHeldUp()) {
                        writeMore(loopContext);
                    }
                    continueOnLoop();
                });
    }

    private void setDeadline(long nanos) {
        connection.setDeadline(connection.loop().nowNanos() + nanos);
    }

    /// Returns how long the peer may be silent before it is pinged, and then once more.
    private long silenceNanos() {
        return messages.options().silenceMax().toNanos() / 2;
    }

    private void setSilenceDeadline() {
        connection.setDeadline(Math.min(heardAt + silenceNanos(), messages.reviewNanos()));
    }

    @Override
    public void expired() {
        long now = connection.loop().nowNanos();
        boolean isSilent = now - heardAt >= silenceNanos();
        if (state != State.OPEN || isStalled || isCloseTimed || isPinged && isSilent) {
            connection.close();
        } else if (messages.review()) {
            guarded(this::await);
        } else if (isSilent) {
            messages.ping();
            isPinged = true;
            heardAt = Math.max(1, now);
            setSilenceDeadline();
            guarded(this::await);
        } else {
            setSilenceDeadline();
        }
    }

    // ---- The end.

    /// Closes so that the peer gets the close frame even if it is still sending (RFC 6455, section
    /// 7.1.1).
    private void beginLingering() throws IOException {
        state = State.LINGER;
        input.drop();
        connection.socket().shutdownOutput();
        mark = LingeringClose.BYTES;
        setDeadline(engine.timeouts().linger());
        linger();
    }

    private void linger() throws IOException {
        mark = LingeringClose.drain(connection, loopContext.input(), mark);
        if (mark > 0) {
            connection.awaitInput();
        } else {
            connection.close();
        }
    }

    /// Never closed for the sake of other connections.
    @Override
    public boolean isIdle() {
        return false;
    }

    @Override
    public void stopping() {
        // In a task of its own: a message's handler may run in place, and another thread take over
        // the loop, while the others are notified.
        scheduleSending();
    }

    @Override
    public void closed() {
        try {
            messages.over(reason);
        } finally {
            onClosed.run();
        }
    }
}
