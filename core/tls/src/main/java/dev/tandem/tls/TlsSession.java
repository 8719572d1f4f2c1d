package dev.tandem.tls;

import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The server side of one TLS connection: bytes in, bytes out; no socket, no thread.
///
/// ```
///   from the socket --> receive() --> plaintext                     (an event loop)
///                          |
///                      HANDSHAKE --> handshake() --> to the socket  (a worker)
///
///   plaintext --> send() --> to the socket                          (the responder)
/// ```
///
/// [#receive] only decrypts. All public-key operations are in [#handshake], which the caller,
/// having inspected the [#hello()], schedules. Between calls a session holds no buffer, unless a
/// record is incomplete; output buffers are passed in, preferably direct ones.
///
/// It has one owner at a time, that of its connection. [#close()] must be called finally, because
/// it holds off-heap memory.
public final class TlsSession implements AutoCloseable {
    /// The minimum size of output buffers, in bytes: one record (RFC 8446, section 5.2: 5 + 16,384
    /// + 256), rounded up. With a smaller buffer, some calls return `BUFFER_FULL` forever.
    public static final int BUFFER_MIN = 17_408;

    private static final int ALERT_RECORD = 21;
    private static final int HANDSHAKE_RECORD = 22;

    /// The maximum length of a TLS 1.3 alert: two bytes, their type and the cipher's tag, 19 in
    /// total, and padding, of which the JDK's clients add 16.
    private static final int HIDDEN_ALERT_MAX = 64;

    /// An alert or a response takes one or two steps, and what an engine made before it one or two.
    private static final int OUTPUT_STEPS_MAX = 4;

    /// The maximum size of unread responses to key updates, in bytes; beyond it the connection is
    /// closed.
    private static final int OUTPUT_MAX = 65_536;

    /// Updates of keys that want a response, without data between them: 32, as BoringSSL allows.
    /// Each costs some 10 us, and its response is kept until the client reads.
    private static final int UPDATES_MAX = 32;

    /// Size of a record with an update of keys, in bytes: 256, where 27 are needed. One of 16 KiB
    /// has 3,000 updates, of each of which the JDK's engine keeps a cipher.
    private static final int UPDATE_MAX = 256;

    private static final byte[] EMPTY = {};
    private static final ByteBuffer NOTHING = ByteBuffer.wrap(EMPTY);

    private final TlsContext context;
    private final BufferedInput input = new BufferedInput();

    /// Null after the handshake.
    private @Nullable Handshake handshake;

    private @Nullable TlsEngine engine;
    private String serverName = "";
    private boolean isResumed;
    private boolean isTls12;
    private boolean isEnded;
    private @Nullable FailureReason failure;
    private String failureMessage = "";

    /// Data decrypted at the end of the handshake; empty after it was received.
    private byte[] early = EMPTY;

    /// Pending output other than data; nearly always empty.
    private byte[] output = EMPTY;

    /// Updates of keys since the client has sent data.
    private int updates;

    TlsSession(TlsContext context) {
        this.context = context;
        handshake = new Handshake(context.current(), input);
    }

    /// Processes input from the socket: handshake messages, which are buffered for [#handshake], or
    /// data, which is decrypted.
    ///
    /// @param network the input, which is completely consumed unless the result is `BUFFER_FULL`
    /// @param plain receives the decrypted data; may have too little space for the next record
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
            return next == TlsAction.FAILED ? rejected(handshake) : next;
        }
        try {
            return decipher(network, plain);
        } catch (SSLException e) {
            return failed(e);
        } catch (RuntimeException e) {
            return fail(FailureReason.INTERNAL, String.valueOf(e));
        }
    }

    /// Returns the ClientHello, from the first `HANDSHAKE` until `OPEN`, else null.
    public @Nullable ClientHello hello() {
        return handshake == null ? null : handshake.hello();
    }

    /// Returns whether the next [#handshake] performs no public-key operation (some ten
    /// microseconds), so that it need not be handed to a worker: true for the last step of TLS 1.3
    /// without a client certificate.
    public boolean isHandshakeCheap() {
        return handshake != null && handshake.isCheap();
    }

    /// Advances the handshake as far as possible. Takes some hundred microseconds.
    ///
    /// @param plain scratch space for a record; its position is unchanged afterwards
    /// @param out receives the output, whatever the result is
    /// @throws IllegalStateException if the last result was not `HANDSHAKE`
    public TlsAction handshake(ByteBuffer plain, ByteBuffer out) {
        Handshake running = handshake;
        if (running == null || running.hello() == null || failure != null) {
            throw new IllegalStateException("there is no handshake in progress");
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

    /// Keeps data that an engine decrypted with the end of the handshake.
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
    }

    private void open(Handshake done) {
        ClientHello hello = done.hello();
        serverName = hello == null ? "" : hello.serverName();
        isResumed = done.isResumed();
        isTls12 = engine().protocol().equals(TlsVersion.TLS_1_2.jdkName());
        boolean isClaimed = hello != null && hello.claimsToResume();
        context.counters().handshake(isResumed, isClaimed, done.nanos());
        handshake = null;
    }

    /// Encrypts until `plain` is completely consumed or `out` has too little space for the next
    /// record of up to 16 KiB. Advances both positions.
    ///
    /// @return whether `plain` is completely consumed
    /// @throws SSLException if the connection has ended
    /// @throws IllegalStateException before the end of the handshake
    public boolean send(ByteBuffer plain, ByteBuffer out) throws SSLException {
        if (handshake != null) {
            throw new IllegalStateException("the handshake is not complete");
        }
        TlsEngine to = engine();
        while (plain.hasRemaining()) {
            SSLEngineResult result = to.wrap(plain, out);
            switch (result.getStatus()) {
                case OK -> {
                    // As BoringSSL's after a failure: it would be called for ever.
                    if (result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
                        throw new SSLException("cannot send: " + failureMessage);
                    }
                }
                case BUFFER_OVERFLOW -> {
                    return false;
                }
                default -> throw new SSLException("cannot send: " + result.getStatus());
            }
        }
        return true;
    }

    /// Returns whether there is output other than data: an alert, or a response to a key update. If
    /// so, call [#flush].
    public boolean hasOutput() {
        return output.length > 0;
    }

    /// Writes as much of the pending output ([#hasOutput]) as fits.
    public void flush(ByteBuffer out) {
        int count = Math.min(output.length, out.remaining());
        out.put(output, 0, count);
        output = Arrays.copyOfRange(output, count, output.length);
    }

    /// Ends the output with close_notify.
    public void closeNotify(ByteBuffer out) {
        if (engine != null) {
            engine.closeOutbound();
            collectOutput(engine);
        }
        flush(out);
    }

    /// Must be called at the end of the socket's input.
    ///
    /// @return whether the client had sent close_notify; if not, the last data may be missing (RFC
    ///     8446, section 6.1), and [#failure()] is `TRUNCATED` or `ABANDONED`
    public boolean inputEnded() {
        if (!isEnded && failure == null) {
            fail(
                    handshake == null ? FailureReason.TRUNCATED : FailureReason.ABANDONED,
                    "the stream ended without close_notify");
        }
        return isEnded;
    }

    /// Returns the reason of the failure, or null.
    public @Nullable FailureReason failure() {
        return failure;
    }

    /// Returns the engine's message for the failure, for the log.
    public String failureMessage() {
        return failureMessage;
    }

    /// Returns whether data can be sent: the handshake is complete, and the session has not failed.
    public boolean isOpen() {
        return handshake == null && failure == null;
    }

    /// Returns the number of received bytes that are buffered until the next [#receive]: of an
    /// incomplete record, or received with the end of the handshake.
    public int bufferedInputBytes() {
        return input.bytes().remaining() + early.length;
    }

    /// Returns the memory that received bytes use, in bytes: of a handshake's messages, or of an
    /// incomplete record.
    public int inputMemory() {
        int ofHello = handshake == null ? 0 : handshake.helloMemory();
        return ofHello + input.capacity() + early.length;
    }

    /// Returns whether an earlier session was resumed, as far as known before `OPEN`.
    public boolean isResuming() {
        return handshake == null ? isResumed : handshake.isResumed();
    }

    /// Whether the handshake resumed an earlier session. Not before `OPEN`.
    public boolean isResumed() {
        return isResumed;
    }

    /// Returns the host name that the client requested; empty if none, and before `OPEN`.
    public String serverName() {
        return serverName;
    }

    /// Returns the negotiated application protocol, such as `http/1.1`; empty if the client offered
    /// none.
    public String applicationProtocol() {
        String protocol = engine().applicationProtocol();
        return protocol == null ? "" : protocol;
    }

    /// Returns the TLS version, such as `TLSv1.3`.
    public String version() {
        return engine().protocol();
    }

    /// Returns the cipher suite, such as `TLS_AES_128_GCM_SHA256`.
    public String cipher() {
        return engine().cipherSuite();
    }

    /// Returns the session id in hexadecimal digits, for the log; empty if it has none.
    public String id() {
        return HexFormat.of().formatHex(engine().sessionId());
    }

    /// Returns the client's certificate chain, its own certificate first; empty if it presented
    /// none.
    public List<X509Certificate> clientCertificates() {
        return engine().peerCertificates();
    }

    /// Releases the off-heap memory. No other method may be called afterwards.
    @Override
    public void close() {
        Handshake running = handshake;
        // An error in its first step may have left the engine with the handshake.
        TlsEngine closing = engine == null && running != null ? running.engine() : engine;
        engine = null;
        if (closing != null) {
            closing.release();
        }
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
        for (ByteBuffer from = completeRecord(network);
                from != null;
                from = completeRecord(network)) {
            if (plain.remaining() < BufferedInput.recordLength(from)) {
                return TlsAction.BUFFER_FULL;
            }
            if (isTls12 && from.get(from.position()) == HANDSHAKE_RECORD) {
                return fail(FailureReason.RENEGOTIATION, "the client requested renegotiation");
            }
            if (plain.position() > begin && mayBeCloseNotify(from)) {
                input.append(network);
                return TlsAction.RECEIVE;
            }
            int before = from.position();
            SSLEngineResult result = engine().unwrap(from, plain);
            handlePostHandshake(result, from.position() - before);
            if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                isEnded = true;
                network.position(network.limit());
                return TlsAction.CLOSED;
            }
            if (from.position() == before) {
                throw new SSLException("the engine does not consume a record: " + result);
            }
        }
        return TlsAction.RECEIVE;
    }

    /// Returns whether a record may be a close_notify, which TLS 1.3 encrypts, but which is short.
    /// If the engine processed it now, the response to preceding data could not be sent: the JDK's
    /// ends both directions at once with TLS 1.2, and the caller ends the connection.
    private boolean mayBeCloseNotify(ByteBuffer record) {
        return isTls12
                ? record.get(record.position()) == ALERT_RECORD
                : BufferedInput.recordLength(record)
                        <= BufferedInput.RECORD_HEADER + HIDDEN_ALERT_MAX;
    }

    /// Returns whether the next [#receive] has a result without more input: the client's
    /// close_notify directly after its request, or a failure found behind data. Check it after
    /// responding, or before waiting for more input.
    public boolean isInputHeld() {
        return handshake == null
                && (failure != null || isEnded || BufferedInput.isRecordComplete(input.bytes()));
    }

    /// Returns the buffer with the next complete record; null if it is incomplete, in which case
    /// its bytes are buffered.
    private @Nullable ByteBuffer completeRecord(ByteBuffer network) throws SSLException {
        input.trim();
        if (input.isEmpty() && BufferedInput.isRecordComplete(network)) {
            return network;
        }
        input.completeFirst(network);
        if (BufferedInput.recordLength(input.bytes()) > BUFFER_MIN) {
            throw new SSLException("a record is too long");
        }
        return BufferedInput.isRecordComplete(input.bytes()) ? input.bytes() : null;
    }

    /// Handles messages after the handshake: a key update, which costs a hash or two and requires a
    /// response, or a failure; and a key update of the engine's own.
    ///
    /// @param length of the record in bytes
    private void handlePostHandshake(SSLEngineResult result, int length) throws SSLException {
        if (result.bytesProduced() > 0) {
            updates = 0;
        }
        if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
            Runnable task = engine().delegatedTask();
            if (task != null) {
                task.run();
            }
        }
        if (isWrapNeeded(result)) {
            // Behind much data the JDK's engine updates its keys by itself.
            boolean isClients = result.bytesProduced() == 0;
            if (isClients && (++updates > UPDATES_MAX || length > UPDATE_MAX)) {
                throw new SSLException("the client updates keys again and again");
            }
            SSLException failedBy = collectOutput(engine());
            if (failedBy != null) {
                throw failedBy;
            }
            if (output.length > OUTPUT_MAX) {
                throw new SSLException("the client updates keys without reading the responses");
            }
        }
    }

    private TlsAction rejected(Handshake running) {
        Handshake.Rejection rejection = running.rejection();
        if (rejection == null) {
            throw new IllegalStateException("rejected without a reason");
        }
        output = rejection.alert().asRecord();
        return fail(rejection.reason(), "the ClientHello was rejected");
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

    /// Collects pending output of the engine. Rare, so that allocating a buffer is acceptable.
    ///
    /// @return the exception by which it failed, or null
    private @Nullable SSLException collectOutput(TlsEngine from) {
        var buffer = ByteBuffer.allocate(BUFFER_MIN);
        SSLException failedBy = null;
        try {
            SSLEngineResult result = from.wrap(NOTHING, buffer);
            for (int step = 1; step < OUTPUT_STEPS_MAX && isWrapNeeded(result); step++) {
                // The JDK's wants space for the longest record, whatever it has.
                keepOutput(buffer);
                result = from.wrap(NOTHING, buffer);
            }
        } catch (SSLException e) {
            failedBy = e;
        }
        keepOutput(buffer);
        return failedBy;
    }

    private void keepOutput(ByteBuffer made) {
        int length = output.length;
        output = Arrays.copyOf(output, length + made.position());
        made.flip().get(output, length, made.limit());
        made.clear();
    }

    private static boolean isWrapNeeded(SSLEngineResult result) {
        return result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP
                && result.getStatus() == SSLEngineResult.Status.OK;
    }

    private TlsEngine engine() {
        if (engine == null) {
            throw new IllegalStateException("there is no engine: before the handshake, or closed");
        }
        return engine;
    }
}
