package dev.tandem.engine.websocket;

import dev.tandem.engine.Engine;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.Log;
import dev.tandem.engine.LoopThread;
import dev.tandem.engine.MessageAdmission;
import dev.tandem.engine.RequestAdmission;
import dev.tandem.engine.SessionTerms;
import dev.tandem.engine.site.RouteTiming;
import dev.tandem.http.websocket.CloseReason;
import dev.tandem.net.Loop;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A WebSocket session on a stream of HTTP/2 (RFC 8441). Connection and stream stay with their
/// loop. Only the input has an owner that changes: the thread that handles a message decodes the
/// next.
///
/// ```
///  state    activity                                      owner of the input
///  OPEN     silent, or a message is incomplete            the loop
///  OPEN     a message is handled                          a worker, or the loop's thread in place
///  ENDING   the input has ended, output waits             the loop, which drops it
///  ENDED    all output is queued, and its end             the loop, which drops it
/// ```
///
/// Fields are confined to the loop, except where a comment says otherwise.
public final class StreamSession implements Runnable, MessageAdmission.SessionTask, SessionIo {
    private static final long NONE = Long.MAX_VALUE;

    private enum State {
        OPEN,
        ENDING,
        ENDED
    }

    private final SessionStream stream;
    private final Engine engine;
    private final SessionMessages messages;
    private final WebSocketSession session;

    /// Held while frames pass from the session's queue to the stream, which keeps their order.
    private final Object feeding = new Object();

    private final AtomicBoolean isOver = new AtomicBoolean();

    /// Whether a thread handles a message, or will; set by the loop, and reset by that thread.
    private volatile boolean isHandedOver = true;

    /// When something was received last, a message was handled, or the client was pinged since.
    private volatile long heardAt;

    /// Whether the client was pinged since the others. Only then does the session end for its
    /// silence, which may be long because the loop was held up.
    private volatile boolean isPinged;

    /// What remains of the input that was decoded last; of the owner.
    private @Nullable ByteBuffer rest;

    /// Of the owner, as the input's end is.
    private CloseReason reason = CloseReason.of(CloseReason.ABNORMAL);

    private State state = State.OPEN;
    private long deadline = NONE;
    private boolean isCloseTimed;

    /// When the client must have taken what there is no memory for.
    private long takenBy = NONE;

    /// Whether input waits until the client reads.
    private boolean isPaused;

    /// @param admission of the request that begins the session
    public StreamSession(
            SessionStream stream, Engine engine, SessionTerms terms, RequestAdmission admission) {
        this.stream = stream;
        this.engine = engine;
        boolean isSecure = terms.exchange().request().isSecure();
        this.messages =
                new SessionMessages(
                        this, engine, terms, admission.ofMessages(this, terms.timing(), isSecure));
        this.session = messages.session();
    }

    public RouteTiming timing() {
        return messages.timing();
    }

    @Override
    public long nanos() {
        return stream.nanos();
    }

    @Override
    public IoContext loopContext() {
        return stream.loopContext();
    }

    @Override
    public Loop loop() {
        return stream.loop();
    }

    @Override
    public boolean isClosed() {
        return stream.isClosed();
    }

    // ---- Called by the thread that runs the request, or handles messages.

    /// Calls the handler of new sessions, by the thread that runs the request.
    public void open(IoContext context) {
        messages.open(context);
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
            messages.handleAll(context, this::decode);
            messages.sendAsOwner(false);
        } catch (IOException e) {
            stream.reset();
        } catch (Throwable e) {
            stream.reset();
            Log.LOG.log(Level.ERROR, "a session failed", e);
        } finally {
            handled();
            stream.ended();
            engine.dispatcher().startNextAtEnd();
        }
    }

    /// As of [SessionConnection].
    private void requireRunning() throws IOException {
        if (engine.dispatcher().isStopped()) {
            messages.skip();
            throw new IOException("the server has stopped");
        }
    }

    /// Has a worker handle the message that was handed over, as soon as admission allows it.
    public void submit() {
        try {
            messages.submit();
        } catch (Throwable e) {
            abandon();
            throw e;
        }
    }

    @Override
    public void refuse(CloseReason why) {
        rest = null;
        messages.refuse(why);
        isHandedOver = false;
        stream.ended();
        stream.proceedSoon();
        if (stream.isClosed()) {
            over(); // it was closed while it waited
        }
    }

    @Override
    public void abandon() {
        isHandedOver = false;
        stream.ended();
        stream.reset();
        if (stream.isClosed()) {
            over(); // it was closed while it waited
        }
    }

    /// The thread that had it is done. It must not use it afterwards.
    public void handled() {
        heard(); // no input was read while the message was handled
        messages.disown();
        count();
        boolean hasRest =
                rest != null
                        || messages.hasMessage() // that has to wait for others
                        || messages.ended() != null
                        || messages.reviewNanos() != SessionMessages.NEVER
                        || session.isClosing();
        isHandedOver = false;
        if (session.isOverdrawn()) {
            overdrawn();
        }
        if (stream.isClosed()) {
            over();
        } else if (hasRest || deadlineIsMissing() || stream.hasInput() || engine.isStopping()) {
            stream.proceedSoon();
        } else if (!session.isEmpty()) {
            stream.flush();
        }
    }

    private void count() {
        ByteBuffer left = rest;
        messages.count(left == null ? 0 : left.remaining());
    }

    /// Whether the loop has not seen it yet.
    private boolean deadlineIsMissing() {
        return deadline == NONE;
    }

    /// Decodes what has been received, up to the end of a message.
    ///
    /// @return whether there is a whole one
    private boolean decode() {
        boolean _ = messages.dropIfClosing();
        ByteBuffer in = rest;
        while (!messages.hasMessage() && messages.ended() == null) {
            if (in == null) {
                in = stream.nextInput();
            }
            if (in == null) {
                break;
            }
            messages.decode(in);
            in = in.hasRemaining() ? in : null;
        }
        rest = in;
        return messages.hasMessage();
    }

    @Override
    public boolean decodeSome() throws IOException {
        ByteBuffer in = rest == null ? stream.nextInput() : rest;
        if (in == null) {
            if (stream.isInputOver()) {
                throw new EOFException("the client has ended the stream within a message");
            }
            return false;
        }
        messages.decodeSome(in);
        rest = in.hasRemaining() ? in : null;
        return true;
    }

    @Override
    public void awaitMore(long nanos) throws IOException {
        feed();
        stream.awaitInput(nanos);
    }

    /// All that the client accepts is counted at once.
    @Override
    public long takenOfWaiting() {
        return 0;
    }

    @Override
    public void cancelWait() {
        stream.reset();
    }

    @Override
    public void send(boolean waits) throws IOException {
        feed();
        SendWait client = null;
        while (waits && session.isFull()) {
            if (session.isFarOverdrawn()) {
                throw new IOException("too little memory for what the client does not read");
            }
            client = client == null ? new SendWait(session, this, false) : client;
            messages.awaitClient(client, engine.timeouts().writeStall(), stream::awaitRoom);
            feed();
        }
    }

    // ---- Called by any thread.

    @Override
    public void scheduleSending() {
        stream.flush();
    }

    @Override
    public void overdrawn() {
        loop().execute(this::hurry);
    }

    @Override
    public void drop() {
        stream.reset();
    }

    /// Passes frames to the stream, as many as it accepts.
    private void feed() throws IOException {
        if (pass()) {
            stream.flush();
        }
    }

    /// @return whether there were some
    private boolean pass() throws IOException {
        boolean isNew = false;
        synchronized (feeding) {
            while (!stream.isFull()) {
                ByteBuffer frame = session.next();
                if (frame == null) {
                    break;
                }
                stream.add(frame);
                isNew = true;
            }
            session.sent(stream.buffered());
        }
        return isNew;
    }

    private void over() {
        if (isOver.compareAndSet(false, true)) {
            messages.over(reason);
        }
    }

    // ---- Called on the loop.

    @Override
    public boolean sendNow(ByteBuffer frames) {
        synchronized (feeding) {
            if (stream.isFull() || !session.isEmpty()) {
                return false;
            }
            try {
                stream.add(frames.duplicate());
            } catch (IOException e) {
                return true; // the stream was reset, which ends the session
            }
        }
        stream.flush();
        return true;
    }

    /// Passes what is queued to the stream, before the loop looks at what the stream has to send.
    /// Announces no news of the stream, since the loop is about to take all there is.
    public void sending() {
        session.sending();
        try {
            boolean _ = pass();
        } catch (IOException e) {
            // The stream was reset, which ends the session.
        }
        if (isHandedOver && session.isClosing()) {
            stream.wakeReader();
        }
        if (mustTimeClose() && !isHandedOver) {
            stream.proceedNext();
        }
    }

    /// The loop has sent what it could, and what is left has no memory.
    private void hurry() {
        if (session.isFarOverdrawn()) {
            stream.reset();
        } else if (session.isOverdrawn() && takenBy == NONE && !stream.isClosed()) {
            takenBy = nanos() + session.patience();
            setDeadline(Math.min(deadline, takenBy));
        }
    }

    /// The client has accepted some output.
    public void outputSent() {
        synchronized (feeding) {
            session.sent(stream.buffered());
        }
        if (!session.isEmpty()) {
            feedOnLoop();
        }
        boolean mayContinue = isPaused && !session.isFull();
        if (mayContinue || state == State.ENDING && session.isEmpty()) {
            isPaused = false;
            stream.proceedNext();
        }
    }

    private void feedOnLoop() {
        try {
            feed();
        } catch (IOException e) {
            // The stream was reset, which ends the session.
        }
    }

    /// Decodes what was received, and does what is due.
    ///
    /// @return whether a message is to be handled, by [#run]: it was handed over
    public boolean proceed() {
        if (isHandedOver || stream.isClosed()) {
            return false;
        }
        if (deadlineIsMissing()) {
            heard();
            setDeadline(heardAt + silenceMax() / 2);
        }
        if (engine.isStopping()) {
            session.close(CloseReason.of(CloseReason.GOING_AWAY));
        }
        feedOnLoop();
        if (state == State.OPEN && receive()) {
            isHandedOver = true;
            stream.begun();
            return true;
        }
        try {
            end();
        } catch (IOException e) {
            stream.reset();
        }
        return false;
    }

    private void heard() {
        heardAt = nanos();
        isPinged = false;
    }

    private long silenceMax() {
        return messages.options().silenceMax().toNanos();
    }

    private void setDeadline(long nanos) {
        deadline = nanos;
        stream.setDeadline(nanos);
    }

    /// @return whether there is a whole message
    private boolean receive() {
        if (session.isFull()) {
            isPaused = true;
            return false;
        }
        if (stream.hasInput()) {
            heard();
        }
        boolean hasMessage = decode();
        count();
        if (messages.reviewNanos() < deadline && !isCloseTimed) {
            setDeadline(messages.reviewNanos());
        }
        return hasMessage;
    }

    /// Ends the session where it is to end.
    private void end() throws IOException {
        CloseReason ended = messages.ended();
        if (ended != null && state == State.OPEN) {
            state = State.ENDING;
            reason = ended;
            rest = null;
            // What the peer has sent, or why it is disconnected.
            session.close(ended);
            feed();
        }
        boolean hasMore = rest != null || messages.hasMessage(); // while the session is full
        if (state == State.OPEN && stream.isInputOver() && !hasMore) {
            stream.reset(); // without a close frame
            return;
        }
        if (state != State.OPEN) {
            stream.discardInput();
        }
        if (state == State.ENDING && session.isEmpty()) {
            state = State.ENDED;
            setDeadline(nanos() + engine.timeouts().linger());
            stream.end();
        } else if (mustTimeClose()) {
            isCloseTimed = true;
            setDeadline(nanos() + messages.options().closeMax().toNanos());
        }
    }

    /// Whether the client has begun to owe a close frame.
    private boolean mustTimeClose() {
        return state == State.OPEN && session.isClosing() && !isCloseTimed;
    }

    /// Returns the time at which [#expired] is to be called.
    public long deadline() {
        return deadline;
    }

    /// Its deadline is over.
    public void expired() {
        long now = nanos();
        long half = silenceMax() / 2;
        boolean isSilent = now - heardAt >= half;
        boolean isTooLate = now >= takenBy && session.isOverdrawn();
        takenBy = now >= takenBy ? NONE : takenBy;
        if (state != State.OPEN || isCloseTimed || isTooLate) {
            stream.reset();
        } else if (isHandedOver) {
            setDeadline(now + half);
        } else if (isPinged && isSilent) {
            stream.reset();
        } else if (messages.review()) {
            stream.proceedNext();
        } else {
            if (isSilent) {
                messages.ping();
                isPinged = true;
                heardAt = now;
                feedOnLoop();
            }
            setDeadline(Math.min(heardAt + half, messages.reviewNanos()));
        }
    }

    /// The stream is closed.
    public void closed() {
        session.over();
        if (!isHandedOver) {
            over(); // else the thread that handles a message does so when it is done
        }
    }
}
