package dev.tandem.tls;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The state of a session until its handshake is complete. Confined to the owner of the session.
final class Handshake {
    /// The maximum handshake input of a client in bytes; sufficient for a certificate chain.
    private static final int INPUT_MAX = 131_072;

    /// Each step consumes or produces a record, so about ten are expected.
    private static final int STEPS_MAX = 1000;

    private static final int CHANGE_CIPHER = 20;
    private static final int DATA = 23;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /// The reason why a ClientHello was rejected before an engine existed.
    record Rejection(FailureReason reason, Alert alert) {}

    private final LoadedCertificates generation;
    private final BufferedInput input;
    private final ClientHelloReader reader = new ClientHelloReader();
    private final ServerFlight flight = new ServerFlight();
    private @Nullable ClientHello hello;
    private LoadedCertificates.@Nullable ServedCertificate served;
    private @Nullable TlsEngine engine;
    private @Nullable Rejection rejection;
    private int received;
    private long nanos;

    /// @param input buffers input that the engine cannot process yet
    Handshake(LoadedCertificates generation, BufferedInput input) {
        this.generation = generation;
        this.input = input;
    }

    @Nullable ClientHello hello() {
        return hello;
    }

    LoadedCertificates.@Nullable ServedCertificate served() {
        return served;
    }

    @Nullable TlsEngine engine() {
        return engine;
    }

    @Nullable Rejection rejection() {
        return rejection;
    }

    /// Returns the memory that the ClientHello uses until it is complete, in bytes.
    int helloMemory() {
        return reader.memory();
    }

    /// Returns whether an earlier session is resumed.
    boolean isResumed() {
        return flight.isResumed();
    }

    /// Returns the time spent in [#advance].
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
        input.append(network);
        return afterChangeCipher() < 0 ? TlsAction.RECEIVE : TlsAction.HANDSHAKE;
    }

    private TlsAction receiveHello(ByteBuffer network) {
        return switch (reader.read(network)) {
            case INCOMPLETE -> TlsAction.RECEIVE;
            case INVALID -> reject(reader.failure(), reader.alert());
            case COMPLETE -> {
                hello = reader.hello();
                input.wrap(reader.bytes());
                reader.release();
                input.append(network);
                yield choose(hello);
            }
        };
    }

    private TlsAction choose(ClientHello hello) {
        if (!generation.hasSharedVersion(hello)) {
            return reject(FailureReason.NO_SHARED_VERSION, Alert.PROTOCOL_VERSION);
        }
        if (LoadedCertificates.isProofRequested(hello)) {
            served = generation.proof(hello);
            return served == null
                    ? reject(FailureReason.NO_SHARED_PROTOCOL, Alert.NO_APPLICATION_PROTOCOL)
                    : TlsAction.HANDSHAKE;
        }
        if (generation.protocol(hello) == null) {
            return reject(FailureReason.NO_SHARED_PROTOCOL, Alert.NO_APPLICATION_PROTOCOL);
        }
        served = generation.choose(hello);
        return served == null
                ? reject(FailureReason.UNKNOWN_NAME, Alert.UNRECOGNIZED_NAME)
                : TlsAction.HANDSHAKE;
    }

    private TlsAction reject(FailureReason reason, Alert alert) {
        rejection = new Rejection(reason, alert);
        return TlsAction.FAILED;
    }

    /// Returns whether the next [#advance] performs no public-key operation: in TLS 1.3 an
    /// encrypted record within the handshake is the client's Finished, or before it the client's
    /// certificate, which is expensive.
    boolean isCheap() {
        int at = afterChangeCipher();
        return engine != null
                && generation.settings().clients() == ClientCertificateMode.NONE
                && at >= 0
                && input.bytes().get(at) == DATA;
    }

    /// Returns the position of the first significant record; -1 if it is incomplete. A
    /// compatibility record for middleboxes may precede it (RFC 8446, appendix D.4).
    private int afterChangeCipher() {
        ByteBuffer bytes = input.bytes().duplicate();
        if (BufferedInput.isRecordComplete(bytes) && isChangeCipher(bytes)) {
            bytes.position(bytes.position() + BufferedInput.recordLength(bytes));
        }
        return BufferedInput.isRecordComplete(bytes) ? bytes.position() : -1;
    }

    /// A malformed one is left to the engine, which rejects it: a client that sends it may wait for
    /// that.
    private static boolean isChangeCipher(ByteBuffer record) {
        int at = record.position();
        return record.get(at) == CHANGE_CIPHER
                && BufferedInput.recordLength(record) == BufferedInput.RECORD_HEADER + 1
                && record.get(at + BufferedInput.RECORD_HEADER) == 1;
    }

    /// Advances the handshake as far as possible.
    ///
    /// @throws SSLException if the handshake failed; the engine may have an alert to send
    TlsAction advance(ByteBuffer plain, ByteBuffer out) throws SSLException {
        long start = System.nanoTime();
        int before = out.position();
        try {
            TlsEngine running = engine == null ? startEngine() : engine;
            for (int step = 0; step < STEPS_MAX; step++) {
                TlsAction next = step(running, plain, out);
                if (next != null) {
                    return next;
                }
            }
            throw new SSLException("the handshake does not end");
        } finally {
            flight.add(out.duplicate().flip().position(before));
            nanos += System.nanoTime() - start;
        }
    }

    private TlsEngine startEngine() throws SSLException {
        if (served == null) {
            throw new IllegalStateException("no hello has been received");
        }
        TlsEngine begun = served.engines().newEngine();
        engine = begun;
        return begun;
    }

    /// Returns null if another step follows.
    private @Nullable TlsAction step(TlsEngine running, ByteBuffer plain, ByteBuffer out)
            throws SSLException {
        return switch (running.handshakeStatus()) {
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
                input.trim();
                yield TlsAction.OPEN;
            }
        };
    }

    private @Nullable TlsAction unwrap(TlsEngine running, ByteBuffer plain) throws SSLException {
        if (BufferedInput.isRecordComplete(input.bytes())) {
            check(running.unwrap(input.bytes(), plain));
            return null;
        }
        input.trim();
        return TlsAction.RECEIVE;
    }

    private static void runTasks(TlsEngine running) {
        for (Runnable task = running.delegatedTask();
                task != null;
                task = running.delegatedTask()) {
            task.run();
        }
    }

    private static void check(SSLEngineResult result) throws SSLException {
        if (result.getStatus() != SSLEngineResult.Status.OK) {
            throw new SSLException("during the handshake: " + result.getStatus());
        }
    }
}
