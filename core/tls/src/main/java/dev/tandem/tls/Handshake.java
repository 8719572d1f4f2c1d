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

    private final Generation generation;
    private final HeldInput held;
    private final HelloReader reader = new HelloReader();
    private @Nullable ClientHello hello;
    private Generation.@Nullable Served served;
    private @Nullable SSLEngine engine;
    private @Nullable Refusal refusal;
    private int received;
    private long nanos;
    private boolean isResumed;

    /// @param held where input goes that the engine cannot take yet
    Handshake(Generation generation, HeldInput held) {
        this.generation = generation;
        this.held = held;
    }

    @Nullable ClientHello hello() {
        return hello;
    }

    Generation.@Nullable Served served() {
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

    /// Time spent in [#run].
    long nanos() {
        return nanos;
    }

    Next receive(ByteBuffer network) {
        if (hello == null) {
            return receiveHello(network);
        }
        received += network.remaining();
        if (received > INPUT_MAX) {
            return refuse(FailureReason.PROTOCOL, Alert.UNEXPECTED_MESSAGE);
        }
        held.takeAll(network);
        return afterChangeCipher() < 0 ? Next.RECEIVE : Next.HANDSHAKE;
    }

    private Next receiveHello(ByteBuffer network) {
        return switch (reader.read(network)) {
            case MORE -> Next.RECEIVE;
            case BAD -> refuse(reader.failure(), reader.alert());
            case HELLO -> {
                hello = reader.hello();
                held.keep(reader.bytes());
                held.takeAll(network);
                yield choose(hello);
            }
        };
    }

    private Next choose(ClientHello said) {
        if (!generation.hasSharedVersion(said)) {
            return refuse(FailureReason.NO_SHARED_VERSION, Alert.PROTOCOL_VERSION);
        }
        if (generation.protocol(said) == null) {
            return refuse(FailureReason.NO_SHARED_PROTOCOL, Alert.NO_APPLICATION_PROTOCOL);
        }
        served = generation.choose(said);
        return served == null
                ? refuse(FailureReason.UNKNOWN_NAME, Alert.UNRECOGNIZED_NAME)
                : Next.HANDSHAKE;
    }

    private Next refuse(FailureReason reason, Alert alert) {
        refusal = new Refusal(reason, alert);
        return Next.FAILED;
    }

    /// Whether the next [#run] has no key work: in TLS 1.3 an encrypted record within the handshake
    /// is the client's Finished; or its certificate, which is costly, before that.
    boolean isCheap() {
        int at = afterChangeCipher();
        return engine != null
                && generation.settings().clients() == ClientCertificates.NONE
                && at >= 0
                && held.bytes().get(at) == DATA;
    }

    /// Where the first record is that tells something; -1 if it is not complete. Before it there
    /// may be one for the sake of old middle boxes (RFC 8446, appendix D.4).
    private int afterChangeCipher() {
        ByteBuffer bytes = held.bytes().duplicate();
        if (HeldInput.isRecordComplete(bytes) && bytes.get(bytes.position()) == CHANGE_CIPHER) {
            bytes.position(bytes.position() + HeldInput.recordLength(bytes));
        }
        return HeldInput.isRecordComplete(bytes) ? bytes.position() : -1;
    }

    /// Goes as far as it can.
    ///
    /// @throws SSLException if it failed; the engine may have an alert to send
    Next run(ByteBuffer plain, ByteBuffer out) throws SSLException {
        long start = System.nanoTime();
        int before = out.position();
        try {
            SSLEngine running = engine == null ? begin() : engine;
            for (int step = 0; step < STEPS_MAX; step++) {
                Next next = step(running, plain, out);
                if (next != null) {
                    return next;
                }
            }
            throw new SSLException("the handshake does not end");
        } finally {
            look(out.duplicate().flip().position(before));
            nanos += System.nanoTime() - start;
        }
    }

    private void look(ByteBuffer sent) {
        var flight = new ServerFlight(sent);
        if (flight.isServerHello()) {
            isResumed = flight.isResumed();
        } else if (flight.hasCertificate()) {
            isResumed = false;
        }
    }

    private SSLEngine begin() throws SSLException {
        if (served == null) {
            throw new IllegalStateException("no hello has been received");
        }
        SSLEngine begun = served.engines().engine();
        engine = begun;
        begun.beginHandshake();
        return begun;
    }

    /// Null if another step follows.
    private @Nullable Next step(SSLEngine running, ByteBuffer plain, ByteBuffer out)
            throws SSLException {
        return switch (running.getHandshakeStatus()) {
            case NEED_TASK -> {
                runTasks(running);
                yield null;
            }
            case NEED_WRAP -> {
                if (out.remaining() < TlsSession.ROOM_MIN) {
                    yield Next.ROOM;
                }
                check(running.wrap(NOTHING, out));
                yield null;
            }
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                yield unwrap(running, plain);
            }
            case FINISHED, NOT_HANDSHAKING -> {
                held.trim();
                yield Next.OPEN;
            }
        };
    }

    private @Nullable Next unwrap(SSLEngine running, ByteBuffer plain) throws SSLException {
        if (HeldInput.isRecordComplete(held.bytes())) {
            check(running.unwrap(held.bytes(), plain));
            return null;
        }
        // Without input, too: only when asked does Netty's engine see that it is done.
        running.unwrap(held.bytes(), plain);
        if (running.getHandshakeStatus() != HandshakeStatus.NEED_UNWRAP) {
            return null;
        }
        held.trim();
        return Next.RECEIVE;
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
