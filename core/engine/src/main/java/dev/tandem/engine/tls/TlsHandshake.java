package dev.tandem.engine.tls;

import dev.tandem.admission.Decision;
import dev.tandem.admission.HandshakePermit;
import dev.tandem.admission.HandshakeResult;
import dev.tandem.admission.HandshakeTask;
import dev.tandem.engine.CpuTime;
import dev.tandem.engine.Engine;
import dev.tandem.engine.Events;
import dev.tandem.engine.HandshakeEvent;
import dev.tandem.engine.HandshakeWorkers;
import dev.tandem.engine.LingeringClose;
import dev.tandem.engine.Log;
import dev.tandem.net.Connection;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.Loop;
import dev.tandem.net.Protocol;
import dev.tandem.tls.ClientHello;
import dev.tandem.tls.FailureReason;
import dev.tandem.tls.TlsAction;
import dev.tandem.tls.TlsSession;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// What a TLS connection speaks until its handshake is done; then it is HTTP, and this is gone.
///
/// ```
///  HEAR:   the client's part is incomplete      the loop's
///  TURN:   key work waits for its turn, or runs a worker's
///  SAY:    our part waits for the client        the loop's
///  LINGER: it failed, and the client is told    the loop's
/// ```
///
/// All of it must be done by one deadline. Fields belong to the connection's owner of the moment.
public final class TlsHandshake implements Protocol, HandshakeTask {
    private static final String TEXT =
            "400 Bad Request\nplain HTTP was sent to a port that speaks TLS: ask by https://\n";

    /// A fatal alert, `internal_error` (RFC 8446, 6.2): nothing of the client's is wrong, but its
    /// handshake will not be gone on with. In clear, since there are no keys yet.
    private static final byte[] REFUSED = {21, 3, 3, 0, 2, 2, 80};

    /// What a client hears that does not speak TLS, but HTTP.
    private static final byte[] PLAIN_HTTP =
            """
            HTTP/1.1 400 Bad Request
            Content-Type: text/plain; charset=utf-8
            Content-Length: LENGTH
            Connection: close

            """
                    .replace("LENGTH", Integer.toString(TEXT.length()))
                    .replace("\n", "\r\n")
                    .concat(TEXT)
                    .getBytes(StandardCharsets.US_ASCII);

    private enum Mode {
        HEAR,
        TURN,
        SAY,
        LINGER
    }

    private final Connection connection;
    private final Engine engine;
    private final IoBuffer input;
    private final Protocol.Factory next;
    private final TlsSocket socket;
    private final HandshakeWorkers workers;
    private Mode mode = Mode.HEAR;

    /// What comes after our part is said.
    private TlsAction outcome = TlsAction.RECEIVE;

    private boolean hasDeadline;

    /// Whether the server has done key work for it.
    private boolean hasBegun;

    /// Whether the client claims to resume.
    private boolean isClaimed;

    /// Whether what came while it waited was no part of a handshake.
    private boolean hasFailed;

    /// Whether it was told what the handshake has been.
    private boolean isLearned;

    /// CPU time that its key work has used, in nanoseconds.
    private long cpuNanos;

    /// Of the key work that is queued or under way.
    private @Nullable HandshakePermit permit;

    private @Nullable HandshakeEvent event;

    /// How much is still dropped, while lingering.
    private long left;

    /// @param input the loop's buffer
    /// @param next makes what is spoken when the handshake is done
    public TlsHandshake(
            Connection connection, Engine engine, IoBuffer input, Protocol.Factory next) {
        this.connection = connection;
        this.engine = engine;
        this.input = input;
        this.next = next;
        this.socket = (TlsSocket) connection.socket();
        this.workers = engine.handshakes();
        engine.open().incrementAndGet();
    }

    private TlsSession session() {
        return socket.session();
    }

    // ---- The loop's turns.

    @Override
    public void readable() {
        try {
            if (mode == Mode.LINGER) {
                linger();
            } else {
                goOn(socket.hear());
            }
        } catch (IOException e) {
            connection.close(); // the client has gone
        } catch (RuntimeException | Error e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public void writable() {
        try {
            if (socket.flush()) {
                mode = Mode.HEAR;
                goOn(outcome);
            }
        } catch (IOException e) {
            connection.close();
        }
    }

    /// The loop must not touch anything of the connection's afterwards.
    private void goOn(TlsAction next) throws IOException {
        switch (next) {
            case RECEIVE -> awaitClient();
            case HANDSHAKE -> handshake();
            case OPEN -> open();
            case FAILED -> fail();
            case CLOSED, BUFFER_FULL -> connection.close();
        }
    }

    private void awaitClient() throws IOException {
        setDeadline();
        connection.awaitInput();
    }

    private void setDeadline() {
        if (!hasDeadline) {
            hasDeadline = true;
            long most = engine.options().handshakeTimeoutNanos();
            connection.setDeadline(connection.loop().nowNanos() + most);
        }
    }

    private void handshake() throws IOException {
        if (session().isHandshakeCheap()) {
            said(socket.shakeHands());
            return;
        }
        setDeadline();
        mode = Mode.TURN;
        if (!hasBegun) {
            ClientHello hello = session().hello();
            isClaimed = hello != null && hello.claimsToResume();
            event = Events.handshakeBegins();
        }
        connection.handOver();
        if (engine.options().isAllOnLoop()) {
            run();
        } else {
            submit();
        }
    }

    private void submit() {
        var asked = new HandshakePermit(this, from(), isClaimed);
        permit = asked;
        if (hasBegun) {
            workers.resume(asked);
        } else {
            workers.submit(asked);
        }
    }

    /// Our part is said, or as much of it as the client takes.
    private void said(TlsAction next) throws IOException {
        if (socket.hasUnsent() && next != TlsAction.OPEN) {
            mode = Mode.SAY;
            outcome = next;
            connection.awaitOutput();
        } else {
            goOn(next);
        }
    }

    /// The handshake is done. What waits to be sent of it goes with the first answer.
    private void open() {
        learn(session().isResumed(), true);
        connection.cancelDeadline();
        Protocol protocol = next.protocol(connection);
        engine.open().decrementAndGet();
        connection.setProtocol(protocol);
        protocol.readable();
    }

    /// Once, as soon as it is known what it has been.
    private void learn(boolean isResumed, boolean isDone) {
        if (isLearned) {
            return;
        }
        isLearned = true;
        var result = new HandshakeResult(from(), isClaimed, isResumed, cpuNanos);
        if (hasBegun) {
            workers.learn(result);
        }
        if (event != null) {
            event.ended(result, isDone);
            event = null;
        }
    }

    // ---- The worker's turn.

    private InetAddress from() {
        return socket.remoteAddress() instanceof InetSocketAddress inet
                ? inet.getAddress()
                : InetAddress.getLoopbackAddress();
    }

    @Override
    public boolean isDisconnected() {
        try {
            TlsAction heard = socket.hear();
            hasFailed = heard == TlsAction.FAILED;
            return heard == TlsAction.CLOSED;
        } catch (IOException e) {
            return true;
        } catch (RuntimeException e) {
            // Its lane must not lose a worker by it.
            Log.LOG.log(Level.ERROR, "a handshake failed", e);
            return true;
        }
    }

    @Override
    public void run() {
        hasBegun = true;
        HandshakePermit permitted = permit;
        long before = CpuTime.ofThread();
        try {
            TlsAction next = hasFailed ? TlsAction.FAILED : socket.shakeHands();
            long cost = CpuTime.ofThread() - before;
            cpuNanos += cost;
            if (permitted != null) {
                permitted.worked(cost);
            }
            giveBack(next);
        } catch (IOException e) {
            connection.close();
        } catch (RuntimeException | Error e) {
            connection.close();
            Log.LOG.log(Level.ERROR, "a handshake failed", e);
        }
    }

    private void giveBack(TlsAction next) throws IOException {
        Loop loop = connection.loop();
        boolean isStopping = engine.isStopping();
        if (loop.isEnded() || isStopping && next == TlsAction.RECEIVE) {
            connection.close();
        } else if (next == TlsAction.RECEIVE && !socket.hasUnsent()) {
            mode = Mode.HEAR;
            connection.returnToLoop();
        } else {
            loop.execute(() -> takeBack(next));
        }
    }

    private void takeBack(TlsAction next) {
        if (connection.isClosed()) {
            return;
        }
        connection.takeFromWorker();
        mode = Mode.HEAR;
        try {
            said(next);
        } catch (IOException e) {
            connection.close();
        } catch (RuntimeException | Error e) {
            connection.close();
            throw e;
        }
    }

    // ---- The end.

    @Override
    public void reject(Decision.Reject rejection) {
        close();
    }

    @Override
    public void close() {
        try {
            socket.sayPlainly(REFUSED);
        } catch (IOException | RuntimeException _) {
            // It has gone, or must not keep a lane from its work: closing says the same.
        }
        connection.close();
    }

    private void fail() throws IOException {
        if (session().failure() == FailureReason.PLAIN_HTTP) {
            socket.sayPlainly(PLAIN_HTTP);
        } else {
            socket.sayAlert();
        }
        mode = Mode.LINGER;
        socket.shutdownOutput();
        left = LingeringClose.BYTES;
        long linger = engine.options().lingerNanos();
        connection.setDeadline(connection.loop().nowNanos() + linger);
        linger();
    }

    private void linger() throws IOException {
        left = LingeringClose.hear(connection, input, left);
        if (left > 0) {
            connection.awaitInput();
        } else {
            connection.close();
        }
    }

    @Override
    public void expired() {
        connection.close();
    }

    /// Until key work was done for it.
    @Override
    public boolean isIdle() {
        return mode == Mode.HEAR && !hasBegun;
    }

    @Override
    public void stopping() {
        if (mode == Mode.HEAR) {
            connection.close();
        }
    }

    @Override
    public void closed() {
        learn(hasBegun && session().isResuming(), false);
        engine.open().decrementAndGet();
    }
}
