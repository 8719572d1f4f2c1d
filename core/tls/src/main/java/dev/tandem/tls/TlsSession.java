package dev.tandem.tls;

import java.nio.ByteBuffer;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/// The server's end of one TLS connection: bytes in, bytes out; no socket, no thread.
///
/// ```
///   from the socket --> receive() --> plaintext                     (an event loop)
///                          |
///                      HANDSHAKE --> handshake() --> to the socket  (a worker)
///
///   plaintext --> send() --> to the socket                          (whoever answers)
/// ```
///
/// [#receive] only deciphers. All key work is in [#handshake], which runs when the caller, who may
/// look at the [#hello()] first, decides. Between calls a session holds no buffer, unless a record
/// was cut; what it writes to is handed in, best as direct buffers.
///
/// It belongs to one owner at a time, as its connection does. [#close()] must be called in the end,
/// since it holds memory outside of the heap.
public final class TlsSession implements AutoCloseable {
    /// What every buffer for a result should have room for, in bytes: one record (RFC 8446, section
    /// 5.2: 5 + 16,384 + 256), rounded up. With less, some calls answer `ROOM` for ever.
    public static final int BUFFER_MIN = 17_408;

    private static final int ALERT_RECORD = 21;
    private static final int HANDSHAKE_RECORD = 22;

    /// An alert of TLS 1.3: two bytes, their type, and the cipher's tag, 19 in all; and padding.
    /// The JDK's clients add 16.
    private static final int HIDDEN_ALERT_MAX = 64;

    /// An alert or an answer is made in one step or two.
    private static final int OUTPUT_STEPS_MAX = 4;

    /// Answers to changes of keys that a client does not read, in bytes: then it is cut off.
    private static final int OUTPUT_MAX = 65_536;

    private static final byte[] EMPTY = {};
    private static final ByteBuffer NOTHING = ByteBuffer.wrap(EMPTY);

    private final TlsContext context;
    private final BufferedInput held = new BufferedInput();

    /// Null once it is done.
    private @Nullable Handshake handshake;

    private @Nullable SSLEngine engine;
    private @Nullable TlsEngineFactory engines;
    private String serverName = "";
    private boolean isResumed;
    private boolean isTls12;
    private boolean isEnded;
    private @Nullable FailureReason failure;
    private String failureMessage = "";

    /// What was deciphered with the handshake's end; empty once it was received.
    private byte[] early = EMPTY;

    /// What is to be sent without being asked for; nearly always empty.
    private byte[] output = EMPTY;

    TlsSession(TlsContext context) {
        this.context = context;
        handshake = new Handshake(context.current(), held);
    }

    /// Takes bytes that came from the socket: a part of the handshake, which is kept for
    /// [#handshake], or data, which is deciphered.
    ///
    /// @param network is read to its end, unless the answer is `ROOM`
    /// @param plain takes what was deciphered; may be too full for the next record
    public TlsAction receive(ByteBuffer network, ByteBuffer plain) {
        if (failure != null) {
            return TlsAction.FAILED;
        }
        if (isEnded) {
            network.position(network.limit());
            return TlsAction.CLOSED;
        }
        if (handshake != null) {
            TlsAction next = handshake.receive(network);
            return next == TlsAction.FAILED ? refused(handshake) : next;
        }
        try {
            return decipher(network, plain);
        } catch (SSLException e) {
            return failed(e);
        } catch (RuntimeException e) {
            return fail(FailureReason.INTERNAL, String.valueOf(e));
        }
    }

    /// What the client said first; from the first `HANDSHAKE` until `OPEN`, else null.
    public @Nullable ClientHello hello() {
        return handshake == null ? null : handshake.hello();
    }

    /// Whether the next [#handshake] has no key work (some ten microseconds), so that it need not
    /// be handed over: true of the last step of TLS 1.3 without a client's certificate.
    public boolean isHandshakeCheap() {
        return handshake != null && handshake.isCheap();
    }

    /// Goes on with the handshake as far as it can. Takes some hundred microseconds.
    ///
    /// @param plain scratch room for a record; it comes back empty as it was
    /// @param out takes what is to be sent, whatever the answer is
    /// @throws IllegalStateException if `HANDSHAKE` was not the last answer
    public TlsAction handshake(ByteBuffer plain, ByteBuffer out) {
        Handshake running = handshake;
        if (running == null || running.hello() == null || failure != null) {
            throw new IllegalStateException("there is no handshake to go on with");
        }
        try {
            int before = plain.position();
            TlsAction next = running.advance(plain, out);
            keepEngine(running);
            keepEarly(plain, before);
            if (next == TlsAction.OPEN) {
                open(running);
            }
            return next;
        } catch (SSLException e) {
            keepEngine(running);
            TlsAction next = failed(e);
            flush(out);
            return next;
        } catch (RuntimeException e) {
            keepEngine(running);
            return fail(FailureReason.INTERNAL, String.valueOf(e));
        }
    }

    /// Netty's engine says that the handshake is done only when it is asked for more, and by then
    /// may have deciphered what came behind its end.
    private void keepEarly(ByteBuffer plain, int before) {
        int count = plain.position() - before;
        if (count > 0) {
            int size = early.length;
            early = Arrays.copyOf(early, size + count);
            plain.get(before, early, size, count);
            plain.position(before);
        }
    }

    private void keepEngine(Handshake running) {
        engine = running.engine();
        engines = running.served() == null ? null : running.served().engines();
    }

    private void open(Handshake done) {
        ClientHello said = done.hello();
        serverName = said == null ? "" : said.serverName();
        isResumed = done.isResumed();
        isTls12 = engine().getSession().getProtocol().equals(TlsVersion.TLS_1_2.jdkName());
        boolean isClaimed = said != null && said.claimsToResume();
        context.counters().handshake(isResumed, isClaimed, done.nanos());
        handshake = null;
    }

    /// Enciphers until all of `plain` is read or `out` is too full for the next record of 16 KiB or
    /// what is left. Both move.
    ///
    /// @return whether all was read
    /// @throws SSLException if the connection is over
    /// @throws IllegalStateException before the handshake is done
    public boolean send(ByteBuffer plain, ByteBuffer out) throws SSLException {
        if (handshake != null) {
            throw new IllegalStateException("the handshake is not done");
        }
        SSLEngine to = engine();
        while (plain.hasRemaining()) {
            SSLEngineResult result = to.wrap(plain, out);
            switch (result.getStatus()) {
                case OK -> {}
                case BUFFER_OVERFLOW -> {
                    return false;
                }
                default -> throw new SSLException("cannot send: " + result.getStatus());
            }
        }
        return true;
    }

    /// Whether there is something to send that nobody asked for: an alert, an answer to a change of
    /// keys. If so, [#flush] it.
    public boolean hasOutput() {
        return output.length > 0;
    }

    /// Writes as much as there is room for of what [#hasOutput] tells of.
    public void flush(ByteBuffer out) {
        int count = Math.min(output.length, out.remaining());
        out.put(output, 0, count);
        output = Arrays.copyOfRange(output, count, output.length);
    }

    /// Says that nothing more will be sent (close_notify).
    public void closeNotify(ByteBuffer out) {
        if (engine != null) {
            engine.closeOutbound();
            collectOutput(engine);
        }
        flush(out);
    }

    /// To be called when the socket has no more input.
    ///
    /// @return whether the client had said so; if not, what came last may be missing (RFC 8446,
    ///     section 6.1), and [#failure()] is `TRUNCATED` or `ABANDONED`
    public boolean inputEnded() {
        if (!isEnded && failure == null) {
            fail(
                    handshake == null ? FailureReason.TRUNCATED : FailureReason.ABANDONED,
                    "the stream ended without close_notify");
        }
        return isEnded;
    }

    /// Why it failed, or null.
    public @Nullable FailureReason failure() {
        return failure;
    }

    /// The engine's words for it, for a log.
    public String failureMessage() {
        return failureMessage;
    }

    /// Whether data may be sent: the handshake is done, and nothing has failed.
    public boolean isOpen() {
        return handshake == null && failure == null;
    }

    /// How many bytes were received and are kept until the next [#receive]: of a record that was
    /// cut, or what came with a handshake's end.
    public int bufferedInputBytes() {
        return held.bytes().remaining() + early.length;
    }

    /// Whether the server has gone on with an earlier session, as far as is known before `OPEN`.
    public boolean isResuming() {
        return handshake == null ? isResumed : handshake.isResumed();
    }

    /// Whether the handshake went on with an earlier session. Not before `OPEN`.
    public boolean isResumed() {
        return isResumed;
    }

    /// The name that the client asked for; empty if none, and before `OPEN`.
    public String serverName() {
        return serverName;
    }

    /// The protocol that was agreed on, such as `http/1.1`; empty if the client named none.
    public String applicationProtocol() {
        String protocol = engine().getApplicationProtocol();
        return protocol == null ? "" : protocol;
    }

    /// Such as `TLSv1.3`.
    public String version() {
        return engine().getSession().getProtocol();
    }

    /// Such as `TLS_AES_128_GCM_SHA256`.
    public String cipher() {
        return engine().getSession().getCipherSuite();
    }

    /// The session's name in hexadecimal digits, for a log; empty if it has none.
    public String id() {
        byte[] id = engine().getSession().getId();
        return id == null ? "" : HexFormat.of().formatHex(id);
    }

    /// The client's certificate first; empty if it showed none.
    public List<X509Certificate> clientCertificates() {
        try {
            var chain = new ArrayList<X509Certificate>();
            for (Certificate certificate : engine().getSession().getPeerCertificates()) {
                chain.add((X509Certificate) certificate);
            }
            return List.copyOf(chain);
        } catch (SSLPeerUnverifiedException e) {
            return List.of();
        }
    }

    /// Gives back what is held outside of the heap. Nothing but this may be called afterwards.
    @Override
    public void close() {
        SSLEngine closing = engine;
        engine = null;
        if (closing != null) {
            engines().release(closing);
        }
    }

    /// How much memory is held for input, in bytes.
    int heldCapacity() {
        return held.capacity();
    }

    private TlsAction decipher(ByteBuffer network, ByteBuffer plain) throws SSLException {
        int begin = plain.position();
        if (early.length > 0) {
            if (plain.remaining() < early.length) {
                return TlsAction.BUFFER_FULL;
            }
            plain.put(early);
            early = EMPTY;
        }
        for (ByteBuffer from = wholeRecord(network); from != null; from = wholeRecord(network)) {
            if (plain.remaining() < BufferedInput.recordLength(from)) {
                return TlsAction.BUFFER_FULL;
            }
            if (isTls12 && from.get(from.position()) == HANDSHAKE_RECORD) {
                return fail(FailureReason.RENEGOTIATION, "the client asked for renegotiation");
            }
            if (plain.position() > begin && mayBeEnd(from)) {
                held.append(network);
                return TlsAction.RECEIVE;
            }
            int before = from.position();
            SSLEngineResult result = engine().unwrap(from, plain);
            handlePostHandshake(result);
            if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                isEnded = true;
                network.position(network.limit());
                return TlsAction.CLOSED;
            }
            if (from.position() == before) {
                throw new SSLException("a record is not taken: " + result);
            }
        }
        return TlsAction.RECEIVE;
    }

    /// Whether a record may say close_notify, which TLS 1.3 hides: then it is short. If the engine
    /// saw it now, it would not send the answer to what came before it: Netty's engine, and the
    /// JDK's with TLS 1.2, end both directions at once.
    private boolean mayBeEnd(ByteBuffer record) {
        return isTls12
                ? record.get(record.position()) == ALERT_RECORD
                : BufferedInput.recordLength(record)
                        <= BufferedInput.RECORD_HEAD + HIDDEN_ALERT_MAX;
    }

    /// Whether the next [#receive] has something to tell without more input: the client's end,
    /// which came right behind its request. To be asked once that is answered, or more is wanted.
    public boolean isInputHeld() {
        return handshake == null
                && failure == null
                && (isEnded || BufferedInput.isRecordComplete(held.bytes()));
    }

    /// Where the next record is complete; null if it is not, and then what there is of it is held.
    private @Nullable ByteBuffer wholeRecord(ByteBuffer network) throws SSLException {
        held.trim();
        if (held.isEmpty() && BufferedInput.isRecordComplete(network)) {
            return network;
        }
        held.completeFirst(network);
        if (BufferedInput.recordLength(held.bytes()) > BUFFER_MIN) {
            throw new SSLException("a record is too long");
        }
        return BufferedInput.isRecordComplete(held.bytes()) ? held.bytes() : null;
    }

    /// After the handshake: keys may be changed, which costs a hash or two and wants an answer. Or
    /// it has failed, and Netty's engine does not say so before it has been asked for the alert.
    private void handlePostHandshake(SSLEngineResult result) throws SSLException {
        if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
            Runnable task = engine().getDelegatedTask();
            if (task != null) {
                task.run();
            }
        }
        if (isWrapNeeded(result)) {
            SSLException failedBy = collectOutput(engine());
            if (failedBy != null) {
                throw failedBy;
            }
            if (output.length > OUTPUT_MAX) {
                throw new SSLException("the client changes keys and does not read the answers");
            }
        }
    }

    private TlsAction refused(Handshake running) {
        Handshake.Refusal refusal = running.refusal();
        if (refusal == null) {
            throw new IllegalStateException("refused without a reason");
        }
        output = refusal.alert().asRecord();
        return fail(refusal.reason(), "the hello was refused");
    }

    private TlsAction failed(SSLException e) {
        if (engine != null) {
            collectOutput(engine);
        }
        return fail(FailureClassifier.reason(e), String.valueOf(e.getMessage()));
    }

    private TlsAction fail(FailureReason reason, String message) {
        failure = reason;
        failureMessage = message;
        context.counters().failure(reason);
        return TlsAction.FAILED;
    }

    /// Takes what the engine has to say. Rare, so that a buffer may be made for it.
    ///
    /// @return what it failed by, or null
    private @Nullable SSLException collectOutput(SSLEngine from) {
        var buffer = ByteBuffer.allocate(BUFFER_MIN);
        SSLException failedBy = null;
        try {
            SSLEngineResult result = from.wrap(NOTHING, buffer);
            for (int step = 1; step < OUTPUT_STEPS_MAX && isWrapNeeded(result); step++) {
                result = from.wrap(NOTHING, buffer);
            }
            if (engines().throwsAfterAlert()) {
                from.wrap(NOTHING, buffer);
            }
        } catch (SSLException e) {
            failedBy = e;
        }
        int length = output.length;
        output = Arrays.copyOf(output, length + buffer.position());
        buffer.flip().get(output, length, buffer.limit());
        return failedBy;
    }

    private static boolean isWrapNeeded(SSLEngineResult result) {
        return result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP
                && result.getStatus() == SSLEngineResult.Status.OK;
    }

    private SSLEngine engine() {
        if (engine == null) {
            throw new IllegalStateException("there is no engine: before the handshake, or closed");
        }
        return engine;
    }

    private TlsEngineFactory engines() {
        if (engines == null) {
            throw new IllegalStateException("there is no engine");
        }
        return engines;
    }
}
