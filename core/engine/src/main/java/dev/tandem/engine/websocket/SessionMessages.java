package dev.tandem.engine.websocket;

import dev.tandem.admission.ClientNetwork;
import dev.tandem.engine.AdmittedRequest;
import dev.tandem.engine.AdmittedRun;
import dev.tandem.engine.ClientWaits;
import dev.tandem.engine.Engine;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.Log;
import dev.tandem.engine.LoopThread;
import dev.tandem.engine.MessageAdmission;
import dev.tandem.engine.SessionTerms;
import dev.tandem.engine.site.RouteTiming;
import dev.tandem.http.WebSocket;
import dev.tandem.http.WebSocketHandler;
import dev.tandem.http.WebSocketOptions;
import dev.tandem.http.websocket.CloseReason;
import dev.tandem.http.websocket.Inflation;
import dev.tandem.http.websocket.MessageDecoder;
import dev.tandem.net.TimeoutIOException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The messages of a session, whatever carries it ([SessionIo]): decodes them, and calls the
/// session's handlers. Confined to the owner, which is the loop, or the thread that handles a
/// message; but for fields that are volatile.
final class SessionMessages {
    /// Messages of one session that are handled before those of others: 32.
    private static final int BATCH = 32;

    /// A time that does not come.
    static final long NEVER = Long.MAX_VALUE;

    private static final double SECOND = 1_000_000_000;
    private static final byte[] NOTHING = {};
    private static final ByteBuffer NO_INPUT = ByteBuffer.wrap(NOTHING);

    private final SessionIo io;
    private final Engine engine;
    private final WebSocketHandler handler;
    private final WebSocketOptions options;
    private final RouteTiming timing;
    private final MessageAdmission admission;
    private final MessageDecoder decoder;
    private final Collector collector = new Collector();
    private final WebSocketSession session;
    private final @Nullable RateLimit rate;

    /// Whose share of [SessionMemory] it has.
    private final long client;

    /// The thread that handles a message now, which sends what it causes.
    private volatile @Nullable Thread owner;

    /// That thread's context.
    private @Nullable IoContext ownerContext;

    /// The message that is read now.
    private @Nullable MessageStream stream;

    /// Whether the content of a message that is read as a stream has begun, and waits for its
    /// handler.
    private boolean hasStream;

    /// Memory of received messages that is counted in [SessionMemory], in bytes.
    private long counted;

    /// Whether a message is being decompressed as a whole; then, what was received of it, in bytes.
    private boolean isDecompressing;

    private int compressedBytes;

    /// When the incomplete message that takes memory was first seen, by the loop's clock.
    private long begunNanos;

    /// When it is to be looked at again; [#NEVER] if there is none.
    private long reviewNanos = NEVER;

    /// Whether the peer has disconnected while a handler was sending.
    private boolean isBroken;

    /// Whether a handler of messages has failed.
    private boolean isFailed;

    /// Whether messages are dropped, since the server has begun to close the session.
    private boolean isDropping;

    SessionMessages(SessionIo io, Engine engine, SessionTerms terms, MessageAdmission admission) {
        this.io = io;
        this.engine = engine;
        this.handler = terms.handler();
        this.options = terms.options();
        this.timing = terms.timing();
        this.admission = admission;
        Inflation inflation =
                terms.deflate() == null ? null : new Inflation(() -> SessionTools.of(context()));
        this.client = ClientNetwork.of(terms.exchange().request().remoteAddress());
        this.decoder = new MessageDecoder(true, options.limits(), inflation);
        this.session = new WebSocketSession(this, io, terms, engine.timeouts().writeStall());
        int perSecond = options.messagesPerSecondMax();
        this.rate = perSecond == 0 ? null : new RateLimit(perSecond, io.nanos());
    }

    /// Events of the decoder.
    private final class Collector extends MessageCollector {
        @Override
        void counted() {
            if (rate != null && !rate.isWithin(io.nanos())) {
                failed(new CloseReason(CloseReason.POLICY, "too many messages"));
            }
        }

        @Override
        boolean canGrow(int size) {
            return !isDecompressing || countDecompressed(size);
        }

        @Override
        boolean wantsStream(boolean isText) {
            return session.handlers().isStream(isText);
        }

        @Override
        public void ping(byte[] payload) {
            counted();
            session.pong(payload);
        }
    }

    WebSocketSession session() {
        return session;
    }

    WebSocketOptions options() {
        return options;
    }

    RouteTiming timing() {
        return timing;
    }

    long client() {
        return client;
    }

    // ---- The owner.

    /// Makes the current thread the owner.
    void own(IoContext context) {
        ownerContext = context;
        owner = Thread.currentThread();
    }

    /// The thread that handled messages is the owner no longer.
    void disown() {
        ownerContext = null;
        owner = null;
    }

    /// Whether the current thread handles a message, and so may send.
    boolean isOwner() {
        return owner == Thread.currentThread();
    }

    /// Has a worker handle what was received, as soon as admission allows it.
    void submit() {
        admission.submit();
    }

    /// Returns how many bytes a second a client must send, or take, that keeps a thread waiting.
    long rateMin() {
        return engine.options().timeouts().bodyRateMin();
    }

    /// The message that was admitted is not handled.
    void skip() {
        admission.ended(true);
    }

    /// Waits for a client with the calling thread, whose place others get meanwhile.
    ///
    /// @param nanos maximum time
    /// @throws dev.tandem.net.TimeoutIOException as by [ClientWaits#await]
    void awaitClient(SendWait client, long nanos, ClientWaits.Waiting wait) throws IOException {
        IoContext current = IoContext.current();
        AdmittedRun run = current == null ? null : current.admitted();
        AdmittedRequest admitted = run == null ? null : run.admission();
        engine.waits().awaitMessage(client, admitted, nanos, wait);
    }

    /// Returns the context of the owner.
    IoContext context() {
        IoContext own = ownerContext;
        return own == null ? io.loopContext() : own;
    }

    /// Sends what is queued.
    ///
    /// @param waits whether to wait while the client does not read
    void sendAsOwner(boolean waits) throws IOException {
        try {
            io.send(waits);
        } catch (IOException e) {
            isBroken = true;
            throw e;
        }
    }

    // ---- Handlers.

    /// Calls the handler of new sessions, by the thread that runs the request.
    void open(IoContext context) {
        own(context);
        try {
            handler.open(session);
        } catch (Exception e) {
            failed("a handler of sessions failed", e, true);
        } catch (Throwable e) {
            session.close(CloseReason.of(CloseReason.INTERNAL_ERROR));
            throw e;
        } finally {
            session.forgetExchange();
        }
    }

    /// Logs it unless it is no defect of the handler that its session was closed meanwhile.
    ///
    /// @param wasOpen whether the session was open when the handler began
    private void failed(String what, Exception e, boolean wasOpen) {
        isFailed = true;
        if (wasOpen && !session.isEnd(e) && !isBroken && !io.isClosed()) {
            Log.LOG.log(Level.ERROR, what, e);
        }
        session.close(CloseReason.of(CloseReason.INTERNAL_ERROR));
    }

    /// Source of further messages.
    @FunctionalInterface
    interface Next {
        /// Decodes what has been received already.
        ///
        /// @return whether there is a whole message
        boolean decode();
    }

    /// Handles the message that is complete, and those that follow it, by the current thread.
    ///
    /// @throws IOException if the client has disconnected
    void handleAll(IoContext context, Next next) throws IOException {
        own(context);
        context.handles(admission);
        try {
            handleBatch(next);
        } finally {
            context.handles(null);
            admission.ended(isFailed);
        }
    }

    private void handleBatch(Next next) throws IOException {
        LoopThread inPlace = Thread.currentThread() instanceof LoopThread t ? t : null;
        for (int count = 1; ; count++) {
            if (dropIfClosing()) {
                skip();
                return;
            }
            if (inPlace != null) {
                inPlace.runs(timing);
            }
            long began = System.nanoTime();
            decompress();
            if (hasMessage()) {
                handle();
            }
            timing.ran(System.nanoTime() - began);
            boolean isBatchOver = count == BATCH || inPlace != null && !timing.isShort();
            if (isBatchOver || hasEnded() || !next.decode() || !admission.next()) {
                return;
            }
        }
    }

    private void decompress() {
        if (decoder.isMessageDeflated()) {
            compressedBytes = decoder.heldBytes();
            isDecompressing = true;
            try {
                decoder.decode(NO_INPUT, collector);
            } finally {
                isDecompressing = false;
            }
        }
    }

    /// Counts the memory of a message while it is decompressed: a thousand times as much as was
    /// received, which no check of the input has seen.
    ///
    /// @return false if there is not so much, which ends the session
    private boolean countDecompressed(int size) {
        if (size <= SessionMemory.FREE) {
            return true;
        }
        long before = counted;
        counted = SessionMemory.INPUT.count(client, before, (long) compressedBytes + size);
        if (counted <= before || hasRoom()) {
            return true;
        }
        collector.drop();
        counted = SessionMemory.INPUT.count(client, counted, 0);
        collector.failed(new CloseReason(CloseReason.TRY_AGAIN_LATER, "too little memory"));
        return false;
    }

    private void handle() throws IOException {
        WebSocketSession.Handlers handlers = session.handlers();
        boolean wasOpen = session.isOpen();
        try {
            switch (collector.isText() ? handlers.text() : handlers.binary()) {
                case WebSocket.TextHandler text when !hasStream ->
                        text.handle(collector.takeText());
                case WebSocket.BinaryHandler binary when !hasStream ->
                        binary.handle(collector.takeBinary());
                case WebSocket.TextStreamHandler text ->
                        text.handle(new InputStreamReader(begin(), StandardCharsets.UTF_8));
                case WebSocket.BinaryStreamHandler binary -> binary.handle(begin());
                case null, default -> session.close(CloseReason.of(CloseReason.UNSUPPORTED));
            }
        } catch (Exception e) {
            if (!isCut(e)) {
                failed("a handler of messages failed", e, wasOpen);
            }
        } finally {
            endStream();
        }
        collector.drop();
        if (isBroken) {
            throw new IOException("the client has disconnected");
        }
    }

    // ---- Messages that are read as streams.

    private MessageStream begin() {
        var begun = new MessageStream(this, io);
        stream = begun;
        return begun;
    }

    /// Skips what the handler has not read.
    private void endStream() {
        hasStream = false;
        stream = null;
        decoder.discardStream();
    }

    /// Whether a handler failed since its stream ended early, which is no defect of it.
    private boolean isCut(Exception e) {
        MessageStream read = stream;
        return read != null
                && read.isCut()
                && (e instanceof IOException || e.getCause() instanceof IOException);
    }

    int available() {
        return collector.available();
    }

    /// Reads some of a message, and waits for it.
    ///
    /// @return number of bytes; -1 at the end
    int read(MessageStream from, byte[] to, int offset, int length) throws IOException {
        if (from != stream) {
            throw new IOException("the stream of a message is closed when its handler returns");
        }
        while (collector.available() == 0) {
            if (collector.hasMessage()) {
                return -1;
            }
            if (hasEnded() || !session.isOpen()) {
                from.cut();
                throw new IOException("the session has ended within a message");
            }
            try {
                receive(from);
            } catch (IOException e) {
                from.cut();
                throw e;
            }
        }
        int count = collector.take(to, offset, length);
        from.received(count);
        return count;
    }

    private void receive(MessageStream from) throws IOException {
        if (decoder.isInflating()) {
            decoder.decode(NO_INPUT, collector);
            return;
        }
        try {
            if (!io.decodeSome()) {
                awaitMore(from);
            }
        } catch (TimeoutIOException e) {
            throw e;
        } catch (IOException e) {
            isBroken = true;
            throw e;
        }
    }

    private void awaitMore(MessageStream from) throws IOException {
        if (context().isLoopThread()) {
            timing.waited();
        }
        long patience =
                from.patience(
                        engine.timeouts().bodyGrace(), engine.options().timeouts().bodyRateMin());
        long began = System.nanoTime();
        try {
            engine.waits().awaitMessage(from, admission, patience, io::awaitMore);
        } catch (TimeoutIOException e) {
            if (System.nanoTime() - began < patience) {
                isBroken = true; // ended for the sake of others, or since the server stops
            }
            session.close(new CloseReason(CloseReason.POLICY, "message too slow"));
            throw e;
        } finally {
            from.waited(System.nanoTime() - began);
        }
    }

    /// Decodes a piece of a message that is read as a stream.
    void decodeSome(ByteBuffer in) {
        decoder.decode(in, collector);
    }

    // ---- Input.

    /// Drops the message that waits, or has begun, and all that come, if the server has begun to
    /// close the session: of its client only a close frame is due (RFC 6455, section 7.1.1).
    ///
    /// @return whether messages are dropped
    boolean dropIfClosing() {
        if (!isDropping && session.isClosing()) {
            isDropping = true;
            decoder.discardMessages();
            collector.drop();
            hasStream = false;
        }
        return isDropping;
    }

    /// Decodes up to the end of a message, or of the session; then nothing remains.
    void decode(ByteBuffer in) {
        boolean _ = dropIfClosing();
        hasStream = isAtStream(in);
        while (!hasMessage() && !hasEnded() && decoder.decode(in, collector)) {
            hasStream = isAtStream(in);
        }
        if (!hasMessage() && !hasEnded()) {
            checkMemory();
        }
        if (counted == 0 || hasMessage() || hasEnded()) {
            reviewNanos = NEVER;
        } else if (reviewNanos == NEVER) {
            begunNanos = io.nanos();
            reviewNanos = begunNanos + engine.timeouts().bodyGrace();
        }
        if (hasEnded()) {
            in.position(in.limit());
        }
    }

    /// Whether a stream's content follows: a thread is used for it only when some was received.
    private boolean isAtStream(ByteBuffer in) {
        return in.hasRemaining() && collector.isStreamed() && decoder.isBeforeStreamContent();
    }

    /// Whether more of a message may be kept than is free for each session.
    boolean hasRoom() {
        return SessionMemory.INPUT.hasRoom(client);
    }

    /// Ends the session if its incomplete message takes memory that there is not.
    private void checkMemory() {
        long before = counted;
        count(0);
        if (counted > before && !hasRoom()) {
            collector.failed(new CloseReason(CloseReason.TRY_AGAIN_LATER, "too little memory"));
        }
    }

    /// Returns when [#review] is to be called, by the loop's clock; [#NEVER] if it need not be.
    long reviewNanos() {
        return reviewNanos;
    }

    /// Ends the session if its message takes memory and is incomplete for long, and either there is
    /// no memory, or it comes too slowly: else a few clients could hold the memory of all.
    ///
    /// @return whether the session has ended by that
    boolean review() {
        long now = io.nanos();
        if (now < reviewNanos || hasEnded()) {
            return false;
        }
        long grace = engine.timeouts().bodyGrace();
        double due =
                (now - begunNanos - grace) / SECOND * engine.options().timeouts().bodyRateMin();
        reviewNanos = now + grace;
        if (session.isFull()) {
            begunNanos = now; // it is not read from
        } else if (!hasRoom()) {
            collector.failed(new CloseReason(CloseReason.TRY_AGAIN_LATER, "too little memory"));
        } else if (collector.heldBytes() + decoder.heldBytes() < due) {
            collector.failed(new CloseReason(CloseReason.POLICY, "message too slow"));
        }
        return hasEnded();
    }

    /// Counts the memory of what is received and not handled.
    ///
    /// @param unread bytes that were received, and are not decoded
    void count(int unread) {
        long now = (long) collector.heldBytes() + decoder.heldBytes() + unread;
        counted = SessionMemory.INPUT.count(client, counted, now);
    }

    /// Ends the input, as the message that waits is not handled.
    void refuse(CloseReason why) {
        collector.drop();
        collector.failed(why);
        count(0);
        reviewNanos = NEVER;
    }

    /// Whether a message waits to be handled.
    boolean hasMessage() {
        return !hasEnded() && hasAny();
    }

    private boolean hasAny() {
        return hasStream || collector.hasMessage() || decoder.isMessageDeflated();
    }

    /// Returns how the peer, or an error, has ended the input; null if neither has.
    @Nullable CloseReason ended() {
        return collector.ended();
    }

    private boolean hasEnded() {
        return collector.ended() != null;
    }

    // ---- The end.

    /// Asks a silent peer for a sign.
    void ping() {
        session.ping();
    }

    /// The session is over: has a worker call its handler of the end.
    void over(CloseReason reason) {
        try {
            session.over();
        } finally {
            counted = SessionMemory.INPUT.count(client, counted, 0);
            submitEnd(reason);
        }
    }

    private void submitEnd(CloseReason reason) {
        WebSocket.CloseHandler close = session.handlers().close();
        if (close == null) {
            return;
        }
        engine.open().incrementAndGet(); // a server that stops waits for the handler
        try {
            engine.endedSessions().submit(_ -> closed(close, reason));
        } catch (Throwable e) {
            engine.open().decrementAndGet();
            throw e;
        }
    }

    private void closed(WebSocket.CloseHandler close, CloseReason reason) {
        try {
            close.handle(reason);
        } catch (Exception e) {
            Log.LOG.log(Level.ERROR, "a handler of closed sessions failed", e);
        } finally {
            engine.open().decrementAndGet();
        }
    }
}
