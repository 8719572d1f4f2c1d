package dev.tandem.tls;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// What a session is until its handshake is done; then it is dropped. Confined to the session's
/// owner.
final class Handshake {
    /// A client's whole part in bytes; a chain of certificates fits in it.
    private static final int INPUT_MAX = 131_072;

    /// Each step consumes or makes a record, so that there are about ten.
    private static final int STEPS_MAX = 1000;

    private static final int CHANGE_CIPHER = 20;
    private static final int DATA = 23;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /// Why a hello was refused before there was an engine.
    record Refusal(FailureReason reason, Alert alert) {}

    private final LoadedCertificates generation;
    private final BufferedInput held;
    private final ClientHelloReader reader = new ClientHelloReader();
    private @Nullable ClientHello hello;
    private LoadedCertificates.@Nullable ServedCertificate served;
    private @Nullable SSLEngine engine;
    private @Nullable Refusal refusal;
    private int received;
    private long nanos;
    private boolean isResumed;

    /// @param held where input goes that the engine cannot take yet
    Handshake(LoadedCertificates generation, BufferedInput held) {
        this.generation = generation;
        this.held = held;
    }

    @Nullable ClientHello hello() {
        return hello;
    }

    LoadedCertificates.@Nullable ServedCertificate served() {
        return served;
    }

    @Nullable SSLEngine engine() {
        return engine;
    }

    @Nullable Refusal refusal() {
        return refusal;
    }

    /// Whether the engine goes on with an earlier session.
    boolean isResumed() {
        return isResumed;
    }

    /// Time spent in [#advance].
    long nanos() {
        return nanos;
    }

    TlsAction receive(ByteBuffer network) {
        if (hello == null) {
            return receiveHello(network);
        }
        received += network.remaining();
        if (received > INPUT_MAX) {
            return reject(FailureReason.PROTOCOL, Alert.UNEXPECTED_MESSAGE);
        }
        held.append(network);
        return afterChangeCipher() < 0 ? TlsAction.RECEIVE : TlsAction.HANDSHAKE;
    }

    private TlsAction receiveHello(ByteBuffer network) {
        return switch (reader.read(network)) {
            case INCOMPLETE -> TlsAction.RECEIVE;
            case INVALID -> reject(reader.failure(), reader.alert());
            case COMPLETE -> {
                hello = reader.hello();
                held.wrap(reader.bytes());
                held.append(network);
                yield choose(hello);
            }
        };
    }

    private TlsAction choose(ClientHello said) {
        if (!generation.hasSharedVersion(said)) {
            return reject(FailureReason.NO_SHARED_VERSION, Alert.PROTOCOL_VERSION);
        }
        if (generation.protocol(said) == null) {
            return reject(FailureReason.NO_SHARED_PROTOCOL, Alert.NO_APPLICATION_PROTOCOL);
        }
        served = generation.choose(said);
        return served == null
                ? reject(FailureReason.UNKNOWN_NAME, Alert.UNRECOGNIZED_NAME)
                : TlsAction.HANDSHAKE;
    }

    private TlsAction reject(FailureReason reason, Alert alert) {
        refusal = new Refusal(reason, alert);
        return TlsAction.FAILED;
    }

    /// Whether the next [#advance] has no key work: in TLS 1.3 an encrypted record within the
    /// handshake is the client's Finished; or its certificate, which is costly, before that.
    boolean isCheap() {
        int at = afterChangeCipher();
        return engine != null
                && generation.settings().clients() == ClientCertificateMode.NONE
                && at >= 0
                && held.bytes().get(at) == DATA;
    }

    /// Where the first record is that tells something; -1 if it is not complete. Before it there
    /// may be one for the sake of old middle boxes (RFC 8446, appendix D.4).
    private int afterChangeCipher() {
        ByteBuffer bytes = held.bytes().duplicate();
        if (BufferedInput.isRecordComplete(bytes) && bytes.get(bytes.position()) == CHANGE_CIPHER) {
            bytes.position(bytes.position() + BufferedInput.recordLength(bytes));
        }
        return BufferedInput.isRecordComplete(bytes) ? bytes.position() : -1;
    }

    /// Goes as far as it can.
    ///
    /// @throws SSLException if it failed; the engine may have an alert to send
    TlsAction advance(ByteBuffer plain, ByteBuffer out) throws SSLException {
        long start = System.nanoTime();
        int before = out.position();
        try {
            SSLEngine running = engine == null ? startEngine() : engine;
            for (int step = 0; step < STEPS_MAX; step++) {
                TlsAction next = step(running, plain, out);
                if (next != null) {
                    return next;
                }
            }
            throw new SSLException("the handshake does not end");
        } finally {
            detectResumption(out.duplicate().flip().position(before));
            nanos += System.nanoTime() - start;
        }
    }

    private void detectResumption(ByteBuffer sent) {
        var flight = new ServerFlight(sent);
        if (flight.isServerHello()) {
            isResumed = flight.isResumed();
        } else if (flight.hasCertificate()) {
            isResumed = false;
        }
    }

    private SSLEngine startEngine() throws SSLException {
        if (served == null) {
            throw new IllegalStateException("no hello has been received");
        }
        SSLEngine begun = served.engines().newEngine();
        engine = begun;
        begun.beginHandshake();
        return begun;
    }

    /// Null if another step follows.
    private @Nullable TlsAction step(SSLEngine running, ByteBuffer plain, ByteBuffer out)
            throws SSLException {
        return switch (running.getHandshakeStatus()) {
            case NEED_TASK -> {
                runTasks(running);
                yield null;
            }
            case NEED_WRAP -> {
                if (out.remaining() < TlsSession.BUFFER_MIN) {
                    yield TlsAction.BUFFER_FULL;
                }
                check(running.wrap(NOTHING, out));
                yield null;
            }
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                yield unwrap(running, plain);
            }
            case FINISHED, NOT_HANDSHAKING -> {
                held.trim();
                yield TlsAction.OPEN;
            }
        };
    }

    private @Nullable TlsAction unwrap(SSLEngine running, ByteBuffer plain) throws SSLException {
        if (BufferedInput.isRecordComplete(held.bytes())) {
            check(running.unwrap(held.bytes(), plain));
            return null;
        }
        // Without input, too: only when asked does Netty's engine see that it is done.
        running.unwrap(held.bytes(), plain);
        if (running.getHandshakeStatus() != HandshakeStatus.NEED_UNWRAP) {
            return null;
        }
        held.trim();
        return TlsAction.RECEIVE;
    }

    private static void runTasks(SSLEngine running) {
        for (Runnable task = running.getDelegatedTask();
                task != null;
                task = running.getDelegatedTask()) {
            task.run();
        }
    }

    private static void check(SSLEngineResult result) throws SSLException {
        if (result.getStatus() != SSLEngineResult.Status.OK) {
            throw new SSLException("within the handshake: " + result.getStatus());
        }
    }
}
