package dev.tandem.engine.websocket;

import dev.tandem.engine.Engine;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.LingeringClose;
import dev.tandem.engine.Log;
import dev.tandem.engine.LoopThread;
import dev.tandem.engine.SessionTerms;
import dev.tandem.engine.UnreadInput;
import dev.tandem.engine.WorkerPool;
import dev.tandem.engine.WriteQueue;
import dev.tandem.engine.site.RouteTiming;
import dev.tandem.http.WebSocket;
import dev.tandem.http.WebSocketHandler;
import dev.tandem.http.WebSocketOptions;
import dev.tandem.http.websocket.CloseReason;
import dev.tandem.http.websocket.Inflation;
import dev.tandem.http.websocket.MessageDecoder;
import dev.tandem.http.websocket.Opcode;
import dev.tandem.net.Connection;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.Protocol;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
public final class SessionConnection implements Protocol, Runnable, WorkerPool.Task {
    /// Messages of one session that are handled before those of others: 32.
    private static final int BATCH = 32;

    private static final byte[] NOTHING = {};

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
    private final WebSocketHandler handler;
    private final WebSocketOptions options;
    private final RouteTiming timing;
    private final Runnable onClosed;
    private final MessageDecoder decoder;
    private final Collector collector = new Collector();
    private final WebSocketSession session;
    private final @Nullable RateLimit rate;

    /// Whether a worker has the connection, or will: from before it is handed over until the worker
    /// is about to return it, and looks once more at what is queued.
    private volatile boolean isHandedOver = true;

    /// The thread that handles a message now, which sends what it causes.
    private volatile @Nullable Thread owner;

    /// That thread's context.
    private @Nullable IoContext ownerContext;

    private State state = State.OPEN;
    private CloseReason reason = CloseReason.of(CloseReason.ABNORMAL);

    /// When the loop received something last.
    private long heardAt;

    /// How much of the waiting output the peer had taken when the deadline was set; how many bytes
    /// are still read, in state LINGER.
    private long mark;

    /// Whether the peer has disconnected while a handler was sending.
    private boolean isBroken;

    private boolean isCloseTimed;
    private boolean isStalled;

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
        this.input = http.input();
        this.onClosed = http.onClosed();
        this.handler = terms.handler();
        this.options = terms.options();
        this.timing = terms.timing();
        Inflation inflation =
                terms.deflate() == null
                        ? null
                        : new Inflation(() -> SessionTools.of(Objects.requireNonNull(context())));
        this.decoder = new MessageDecoder(true, options.limits(), inflation);
        this.session = new WebSocketSession(this, terms, engine.timeouts().writeStall());
        int perSecond = options.messagesPerSecondMax();
        this.rate = perSecond == 0 ? null : new RateLimit(perSecond, nanos());
    }

    /// What an HTTP/1.1 connection leaves to the session.
    ///
    /// @param output what is queued in it stays first
    /// @param input that follows the request
    /// @param onClosed called once, when the connection is closed
    public record Http(WriteQueue output, UnreadInput input, Runnable onClosed) {}

    private long nanos() {
        return connection.loop().clock().nanos();
    }

    private IoContext context() {
        IoContext own = ownerContext;
        return own == null ? loopContext : own;
    }

    /// Events of the decoder.
    private final class Collector extends MessageCollector {
        @Override
        void counted() {
            if (rate != null && !rate.isWithin(nanos())) {
                failed(new CloseReason(CloseReason.POLICY, "too many messages"));
            }
        }

        @Override
        public void ping(byte[] payload) {
            counted();
            session.control(Opcode.PONG, payload);
        }
    }

    // ---- Called by the thread that runs the request, or handles a message.

    /// Calls the handler of new sessions, by the thread that runs the request.
    public void open(IoContext context) {
        own(context);
        try {
            handler.open(session);
        } catch (Exception e) {
            failed("a handler of sessions failed", e);
        } catch (Error e) {
            session.close(CloseReason.of(CloseReason.INTERNAL_ERROR));
            throw e;
        } finally {
            session.forgetExchange();
        }
    }

    private void own(IoContext context) {
        ownerContext = context;
        owner = Thread.currentThread();
    }

    private void failed(String what, Exception e) {
        if (!isBroken && !connection.isClosed()) {
            Log.LOG.log(Level.ERROR, what, e);
        }
        session.close(CloseReason.of(CloseReason.INTERNAL_ERROR));
    }

    /// Whether the current thread handles a message, and so may send.
    boolean isOwner() {
        return owner == Thread.currentThread();
    }

    /// Sends what is queued.
    ///
    /// @param waits whether to wait while the client does not read
    void sendAsOwner(boolean waits) throws IOException {
        try {
            send(context(), waits);
        } catch (IOException e) {
            isBroken = true;
            throw e;
        }
    }

    private void send(IoContext context, boolean waits) throws IOException {
        putAll(context);
        boolean isOpened = heardAt != 0; // until then the exchange has the context's buffer, too
        boolean isMoreSoon = isOpened && context.isLoopThread() && !input.isEmpty();
        if (!isMoreSoon) {
            output.flush(context);
        }
        while (waits && output.isHeldUp()) {
            connection.awaitOutput(engine.timeouts().writeStall());
            if (writeMore(context)) {
                putAll(context);
                output.flush(context);
            }
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

    /// Runs on the thread that has the loop.
    @Override
    public void run() {
        run(((LoopThread) Thread.currentThread()).context());
    }

    /// Handles a message, and those that follow it.
    @Override
    public void run(IoContext context) {
        try {
            own(context);
            LoopThread inPlace = Thread.currentThread() instanceof LoopThread t ? t : null;
            for (int count = 1; ; count++) {
                if (inPlace != null) {
                    inPlace.runs(timing);
                }
                long began = System.nanoTime();
                handle();
                timing.ran(System.nanoTime() - began);
                boolean isBatchOver = count == BATCH || inPlace != null && !timing.isShort();
                if (isBatchOver || !hasNext()) {
                    break;
                }
            }
            sendAsOwner(false);
            output.flush(context);
            handled();
        } catch (IOException e) {
            connection.close();
        } catch (RuntimeException | Error e) {
            connection.close();
            Log.LOG.log(Level.ERROR, "a session failed", e);
        } finally {
            context.output().bytes().clear();
        }
    }

    /// Decodes what has been received already.
    ///
    /// @return whether there is a whole message
    private boolean hasNext() {
        if (input.isEmpty() || collector.ended() != null) {
            return false;
        }
        ByteBuffer in = input.view();
        int before = in.remaining();
        decode(in);
        input.used(before - in.remaining());
        return collector.hasMessage();
    }

    private void decode(ByteBuffer in) {
        while (!collector.hasMessage()
                && collector.ended() == null
                && decoder.decode(in, collector)) {}
        if (collector.ended() != null) {
            in.position(in.limit());
        }
    }

    private void handle() throws IOException {
        WebSocketSession.Handlers handlers = session.handlers();
        try {
            if (collector.isText() && handlers.text() instanceof WebSocket.TextHandler text) {
                text.handle(collector.takeText());
            } else if (!collector.isText()
                    && handlers.binary() instanceof WebSocket.BinaryHandler binary) {
                binary.handle(collector.takeBinary());
            } else {
                session.close(CloseReason.of(CloseReason.UNSUPPORTED));
            }
        } catch (Exception e) {
            failed("a handler of messages failed", e);
        }
        collector.drop();
        if (isBroken) {
            throw new IOException("the client has disconnected");
        }
    }

    /// Returns the connection to its loop. Called by the owner, which must not use it afterwards.
    public void handled() throws IOException {
        ownerContext = null;
        owner = null;
        isHandedOver = false;
        if (heardAt != 0) {
            heardAt = Math.max(1, nanos()); // no input was read while the message was handled
        }
        boolean isSilent =
                heardAt != 0
                        && input.isEmpty()
                        && session.isEmpty()
                        && !session.isClosing()
                        && !isStalled // its deadline is to be replaced
                        && !output.isHeldUp()
                        && collector.ended() == null
                        && !engine.isStopping();
        if (connection.loop().isEnded()) {
            connection.close();
        } else if (isSilent) {
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

    // ---- Called by any thread.

    /// Has the loop send what is queued.
    void scheduleSending() {
        connection.loop().execute(this::sendOnLoop);
    }

    /// Closes the connection, since its client takes nothing.
    void drop() {
        connection
                .loop()
                .execute(
                        () -> {
                            if (connection.isOwnedByLoop()) {
                                connection.close();
                            }
                        });
    }

    // ---- Called on the loop.

    private void sendOnLoop() {
        if (connection.isOwnedByLoop()) {
            session.sending();
            guarded(this::continueOnLoop);
        } else if (!isHandedOver && !connection.isClosed()) {
            scheduleSending(); // a worker is returning the connection at this moment
        } else {
            session.sending();
        }
    }

    private void resume() {
        if (!connection.isClosed()) {
            connection.takeFromWorker();
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
            connection.close();
        } catch (RuntimeException | Error e) {
            connection.close();
            throw e;
        }
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
        output.flush(loopContext);
        if (state == State.OPEN && !input.isEmpty() && !session.isFull()) {
            ByteBuffer in = input.view();
            input.drop();
            process(in);
        } else {
            await();
        }
    }

    private void heard() {
        heardAt = Math.max(1, connection.loop().nowNanos());
    }

    @Override
    public void readable() {
        guarded(state == State.LINGER ? this::linger : this::receive);
    }

    private void receive() throws IOException {
        IoBuffer buffer = loopContext.input();
        ByteBuffer in = buffer.bytes().clear();
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
            decode(in);
        } else {
            in.position(in.limit());
        }
        if (collector.hasMessage() && state == State.OPEN) {
            input.keep(in);
            isHandedOver = true;
            connection.handOver();
            if (timing.isShort() && engine.mayRunInPlace(connection.loop())) {
                connection.loop().runInline(this);
            } else {
                engine.workers().submit(this);
            }
        } else {
            input.keep(in);
            await();
        }
    }

    /// Sends what is queued, and waits for the next event.
    private void await() throws IOException {
        CloseReason ended = collector.ended();
        if (ended != null && state == State.OPEN) {
            state = State.ENDING;
            reason = ended;
            // What the peer has sent, or why it is disconnected.
            session.close(ended);
        }
        putAll(loopContext);
        output.flush(loopContext);
        if (output.isHeldUp()) {
            awaitOutput();
        } else if (state == State.ENDING) {
            beginLingering();
        } else {
            boolean wasStalled = isStalled;
            isStalled = false;
            if (session.isClosing() && !isCloseTimed) {
                isCloseTimed = true;
                setDeadline(options.closeMax().toNanos());
            } else if (wasStalled && !isCloseTimed) {
                heard(); // it has taken all; its input was perhaps not read meanwhile
                setSilenceDeadline();
            }
            connection.awaitInput();
        }
    }

    private void awaitOutput() throws IOException {
        if (!isStalled || output.taken() > mark) {
            isStalled = true;
            mark = output.taken();
            setDeadline(engine.timeouts().writeStall());
        }
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

    private void setSilenceDeadline() {
        connection.setDeadline(heardAt + options.silenceMax().toNanos() / 2);
    }

    @Override
    public void expired() {
        long silence = connection.loop().nowNanos() - heardAt;
        long most = options.silenceMax().toNanos();
        if (state != State.OPEN || isStalled || isCloseTimed || silence >= most) {
            connection.close();
        } else if (silence >= most / 2) {
            session.control(Opcode.PING, NOTHING);
            connection.setDeadline(heardAt + most);
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
        guarded(this::continueOnLoop);
    }

    @Override
    public void closed() {
        session.over();
        WebSocket.CloseHandler close = session.handlers().close();
        if (close != null) {
            CloseReason why = reason;
            engine.open().incrementAndGet(); // a server that stops waits for the handler
            engine.workers().submit(_ -> closed(close, why));
        }
        onClosed.run();
    }

    private void closed(WebSocket.CloseHandler close, CloseReason why) {
        try {
            close.handle(why);
        } catch (Exception e) {
            Log.LOG.log(Level.ERROR, "a handler of closed sessions failed", e);
        } finally {
            engine.open().decrementAndGet();
        }
    }
}
