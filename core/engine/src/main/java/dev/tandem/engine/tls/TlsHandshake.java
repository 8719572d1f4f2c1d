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
import dev.tandem.tls.CertificateSource;
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

/// The protocol of a TLS connection until its handshake is done; then another protocol follows.
///
/// ```
///  state    activity                                     owner
///  RECEIVE  the client's part is incomplete              the loop
///  KEY_WORK key work is queued or runs                   admission's queue, then a worker
///  SEND     the server's part waits for the client       the loop
///  LINGER   it failed, and the client gets the reason    the loop
/// ```
///
/// All of it must be done by one deadline. Fields are confined to the owner.
public final class TlsHandshake implements Protocol, HandshakeTask {
    private static final String TEXT =
            "400 Bad Request\nplain HTTP was sent to a TLS port: use https://\n";

    /// A fatal alert, `internal_error` (RFC 8446, 6.2): the client's messages are valid, but its
    /// handshake is rejected. Unencrypted, since there are no keys yet.
    private static final byte[] REJECTED_ALERT = {21, 3, 3, 0, 2, 2, 80};

    /// The response to a client that speaks HTTP instead of TLS.
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
        RECEIVE,
        KEY_WORK,
        SEND,
        LINGER
    }

    private final Connection connection;
    private final Engine engine;
    private final IoBuffer input;
    private final Protocol.Factory next;
    private final TlsSocket socket;
    private final HandshakeWorkers workers;
    private Mode mode = Mode.RECEIVE;

    /// The next action when the server's part is sent.
    private TlsAction outcome = TlsAction.RECEIVE;

    private boolean hasDeadline;

    /// Whether the server has done key work for it.
    private boolean hasBegun;

    /// Whether the client claims to resume.
    private boolean isClaimed;

    /// Whether the input that was received while it was queued was not part of a handshake.
    private boolean hasFailed;

    /// Whether the handshake's outcome was reported.
    private boolean isLearned;

    /// CPU time that its key work has used, in nanoseconds.
    private long cpuNanos;

    /// Of the key work that is queued or in progress.
    private @Nullable HandshakePermit permit;

    private @Nullable HandshakeEvent event;

    /// Number of bytes still to be dropped, while lingering.
    private long left;

    /// @param input the loop's buffer
    /// @param next makes the protocol that follows the handshake
    public TlsHandshake(
            Connection connection, Engine engine, IoBuffer input, Protocol.Factory next) {
        this.connection = connection;
        this.engine = engine;
        this.input = input;
        this.next = next;
        this.socket = (TlsSocket) connection.socket();
        this.workers = engine.handshakes();
        engine.open().incrementAndGet();
        engine.handshaking().incrementAndGet();
    }

    private TlsSession session() {
        return socket.session();
    }

    // ---- Called on the loop.

    @Override
    public void readable() {
        try {
            if (mode == Mode.LINGER) {
                linger();
            } else {
                continueWith(socket.receive());
            }
        } catch (IOException e) {
            connection.close(); // the client has disconnected
        } catch (RuntimeException | Error e) {
            connection.closeIfLoopIsHeld(); // a first request may have run in place
            throw e;
        }
    }

    @Override
    public void writable() {
        try {
            if (socket.flush()) {
                mode = Mode.RECEIVE;
                continueWith(outcome);
            }
        } catch (IOException e) {
            connection.close();
        } catch (RuntimeException | Error e) {
            connection.closeIfLoopIsHeld(); // a first request may have run in place
            throw e;
        }
    }

    /// Continues with the outcome of a step. The loop must not touch anything of the connection
    /// afterwards.
    private void continueWith(TlsAction next) throws IOException {
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
            long most = engine.timeouts().handshake();
            connection.setDeadline(connection.loop().nowNanos() + most);
        }
    }

    private void handshake() throws IOException {
        if (session().isHandshakeCheap()) {
            sent(socket.continueHandshake());
            return;
        }
        setDeadline();
        mode = Mode.KEY_WORK;
        if (!hasBegun) {
            ClientHello hello = session().hello();
            isClaimed = hello != null && hello.claimsToResume();
            event = Events.handshakeBegins();
        }
        connection.handOver();
        if (engine.tuning().isAllOnLoop()) {
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
            workers.submit(asked, connection.loop());
        }
    }

    /// Continues when the server's part is sent, or waits for the client to take it.
    private void sent(TlsAction next) throws IOException {
        if (socket.hasUnsent() && next != TlsAction.OPEN) {
            mode = Mode.SEND;
            outcome = next;
            connection.awaitOutput();
        } else {
            continueWith(next);
        }
    }

    /// The handshake is done. Its unsent bytes go with the first response.
    private void open() {
        learn(session().isResumed(), true);
        if (session().applicationProtocol().equals(CertificateSource.PROOF_PROTOCOL)) {
            connection.close(); // sends them; there is nothing to say (RFC 8737, section 3)
            return;
        }
        connection.cancelDeadline();
        Protocol protocol = next.protocol(connection);
        engine.open().decrementAndGet();
        connection.setProtocol(protocol);
        try {
            protocol.readable();
        } finally {
            engine.handshaking().decrementAndGet(); // behind its request, if that has come, too
        }
    }

    /// Reports the handshake's outcome, once, as soon as it is known.
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

    // ---- Called on a worker.

    private InetAddress from() {
        return socket.remoteAddress() instanceof InetSocketAddress inet
                ? inet.getAddress()
                : InetAddress.getLoopbackAddress();
    }

    @Override
    public boolean isDisconnected() {
        try {
            TlsAction received = socket.receive();
            hasFailed = received == TlsAction.FAILED;
            return received == TlsAction.CLOSED;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void run() {
        hasBegun = true;
        HandshakePermit permitted = permit;
        long before = CpuTime.ofThread();
        try {
            TlsAction next = hasFailed ? TlsAction.FAILED : socket.continueHandshake();
            long cost = CpuTime.ofThread() - before;
            cpuNanos += cost;
            if (permitted != null) {
                permitted.processorTime(cost);
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
            mode = Mode.RECEIVE;
            connection.returnToLoop();
        } else {
            loop.execute(() -> takeBack(next));
        }
    }

    private void takeBack(TlsAction next) {
        if (connection.isClosed() || !connection.takeFromWorker()) {
            return;
        }
        mode = Mode.RECEIVE;
        try {
            sent(next);
        } catch (IOException e) {
            connection.close();
        } catch (RuntimeException | Error e) {
            connection.closeIfLoopIsHeld(); // a first request may have run in place
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
            socket.sendPlain(REJECTED_ALERT);
        } catch (Throwable _) {
            // The client has disconnected, or there is no memory, or it must not keep a lane from
            // its work: closing has the same effect.
        }
        connection.close();
    }

    private void fail() throws IOException {
        if (session().failure() == FailureReason.PLAIN_HTTP) {
            socket.sendPlain(PLAIN_HTTP);
        } else {
            socket.sendAlert();
        }
        mode = Mode.LINGER;
        socket.shutdownOutput();
        left = LingeringClose.BYTES;
        long linger = engine.timeouts().linger();
        connection.setDeadline(connection.loop().nowNanos() + linger);
        linger();
    }

    private void linger() throws IOException {
        left = LingeringClose.drain(connection, input, left);
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

    /// Idle until key work was done for it.
    @Override
    public boolean isIdle() {
        return mode == Mode.RECEIVE && !hasBegun;
    }

    @Override
    public void stopping() {
        if (mode == Mode.RECEIVE) {
            connection.close();
        }
    }

    @Override
    public void closed() {
        try {
            learn(hasBegun && session().isResuming(), false);
        } finally {
            engine.open().decrementAndGet();
            engine.handshaking().decrementAndGet();
        }
    }
}
