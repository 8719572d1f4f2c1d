package dev.tandem.tls.boringssl;

import dev.tandem.tls.TlsEngine;
import io.netty.internal.tcnative.Buffer;
import io.netty.internal.tcnative.SSL;
import java.nio.ByteBuffer;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// A BoringSSL connection. The library reads and writes the caller's direct buffers; only output
/// that comes up while there is no output buffer goes through a small one of its own.
///
/// Confined to its connection's owner. A lock guards it all the same, and what was released is not
/// touched again: a mistake elsewhere must not corrupt native memory.
final class BoringSslEngine implements TlsEngine {
    /// The size in bytes of the output buffer that each connection holds for its lifetime. Output
    /// is written directly to the destination buffer; only an alert passes through this one, with
    /// the tickets that may precede it: two of 270 bytes. With 512 bytes the alert would be lost.
    private static final int OWN_OUTPUT = 1024;

    private static final int RECORD_HEADER = 5;
    private static final int PLAIN_MAX = 16_384;

    /// The library's names of the enabled suites of TLS 1.2.
    private static final Map<String, String> SUITES =
            Map.of(
                    "ECDHE-ECDSA-AES128-GCM-SHA256",
                    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                    "ECDHE-RSA-AES128-GCM-SHA256",
                    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                    "ECDHE-ECDSA-AES256-GCM-SHA384",
                    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                    "ECDHE-RSA-AES256-GCM-SHA384",
                    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                    "ECDHE-ECDSA-CHACHA20-POLY1305",
                    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
                    "ECDHE-RSA-CHACHA20-POLY1305",
                    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private final BoringSslEngineFactory factory;
    private final int overhead;

    /// The addresses of the connection and of its input and output; 0 after the release.
    private long ssl;

    private long bio;
    private boolean isHandshakeDone;
    private boolean isFailed;
    private boolean isInputEnded;
    private boolean isOutputEnded;

    /// Whether output could not be written, or is in the library's buffer.
    private boolean hasOutput;

    BoringSslEngine(BoringSslEngineFactory factory, long ssl) {
        this.factory = factory;
        this.ssl = ssl;
        bio = SSL.bioNewByteBuffer(ssl, OWN_OUTPUT);
        overhead = SSL.getMaxWrapOverhead(ssl);
    }

    @Override
    public synchronized HandshakeStatus handshakeStatus() {
        if (hasOutput) {
            return HandshakeStatus.NEED_WRAP;
        }
        return isHandshakeDone || isFailed
                ? HandshakeStatus.NOT_HANDSHAKING
                : HandshakeStatus.NEED_UNWRAP;
    }

    @Override
    public synchronized SSLEngineResult unwrap(ByteBuffer network, ByteBuffer plain)
            throws SSLException {
        if (isInputEnded || isFailed || ssl == 0) {
            return result(Status.CLOSED, 0, 0);
        }
        int length = recordLength(network);
        if (length > network.remaining()) {
            return result(Status.BUFFER_UNDERFLOW, 0, 0);
        }
        if (network.isDirect()) {
            return unwrap(network, Buffer.address(network) + network.position(), length, plain);
        }
        ByteBuffer scratch = ScratchBuffers.take();
        try {
            if (length > scratch.remaining()) {
                isFailed = true;
                throw new SSLException("a record is too long");
            }
            scratch.put(0, network, network.position(), length);
            return unwrap(network, Buffer.address(scratch), length, plain);
        } finally {
            ScratchBuffers.giveBack(scratch);
        }
    }

    private static int recordLength(ByteBuffer network) {
        if (network.remaining() < RECORD_HEADER) {
            return Integer.MAX_VALUE;
        }
        return RECORD_HEADER
                + Short.toUnsignedInt(network.getShort(network.position() + RECORD_HEADER - 2));
    }

    private SSLEngineResult unwrap(ByteBuffer network, long address, int length, ByteBuffer plain)
            throws SSLException {
        SSL.bioSetByteBuffer(bio, address, length, false);
        int consumed = 0;
        int produced = 0;
        try {
            if (isHandshakeDone) {
                produced = read(plain);
            } else {
                shake();
            }
        } finally {
            consumed = length - SSL.bioLengthByteBuffer(bio);
            network.position(network.position() + consumed);
            SSL.bioClearByteBuffer(bio);
            hasOutput |= SSL.bioLengthNonApplication(bio) > 0;
        }
        return result(isInputEnded ? Status.CLOSED : Status.OK, consumed, produced);
    }

    private int read(ByteBuffer plain) throws SSLException {
        if (plain.isDirect()) {
            int count = read(Buffer.address(plain) + plain.position(), plain.remaining());
            plain.position(plain.position() + count);
            return count;
        }
        ByteBuffer scratch = ScratchBuffers.take();
        try {
            int room = Math.min(scratch.capacity(), plain.remaining());
            int count = read(Buffer.address(scratch), room);
            plain.put(scratch.limit(count));
            return count;
        } finally {
            ScratchBuffers.giveBack(scratch);
        }
    }

    private int read(long address, int room) throws SSLException {
        int count = SSL.readFromSSL(ssl, address, room);
        if (count > 0) {
            return count;
        }
        int error = SSL.getError(ssl, count);
        if (error == SSL.SSL_ERROR_ZERO_RETURN) {
            isInputEnded = true;
        } else if (error != SSL.SSL_ERROR_WANT_READ && error != SSL.SSL_ERROR_WANT_WRITE) {
            throw failure(error);
        }
        return 0;
    }

    private void shake() throws SSLException {
        int done = SSL.doHandshake(ssl);
        if (done > 0) {
            isHandshakeDone = true;
            return;
        }
        int error = SSL.getError(ssl, done);
        if (error == SSL.SSL_ERROR_WANT_WRITE) {
            hasOutput = true;
        } else if (error != SSL.SSL_ERROR_WANT_READ) {
            throw failure(error);
        }
    }

    private SSLException failure(int error) {
        isFailed = true;
        int number = SSL.getLastErrorNumber();
        SSL.clearError();
        return new SSLException(
                number == 0 ? "BoringSSL failed: " + error : SSL.getErrorString(number));
    }

    @Override
    public synchronized SSLEngineResult wrap(ByteBuffer plain, ByteBuffer network)
            throws SSLException {
        if (ssl == 0) {
            return result(Status.CLOSED, 0, 0);
        }
        boolean canSend = isHandshakeDone && !isFailed && !isOutputEnded;
        int length = canSend ? Math.min(plain.remaining(), PLAIN_MAX) : 0;
        if (length > 0 && network.remaining() < length + overhead) {
            return result(Status.BUFFER_OVERFLOW, 0, 0);
        }
        if (network.isDirect()) {
            long address = Buffer.address(network) + network.position();
            return wrap(plain, length, address, network);
        }
        ByteBuffer scratch = ScratchBuffers.take();
        try {
            scratch.limit(Math.min(scratch.capacity(), network.remaining()));
            try {
                return wrap(plain, length, Buffer.address(scratch), scratch);
            } finally {
                network.put(scratch.flip());
            }
        } finally {
            ScratchBuffers.giveBack(scratch);
        }
    }

    /// @param to whose position advances by the output, which is written to the address
    private SSLEngineResult wrap(ByteBuffer plain, int length, long address, ByteBuffer to)
            throws SSLException {
        int room = to.remaining();
        SSL.bioSetByteBuffer(bio, address, room, true);
        int consumed = 0;
        int produced = 0;
        try {
            SSL.bioFlushByteBuffer(bio);
            hasOutput = false;
            if (!isHandshakeDone && !isFailed) {
                shake();
            } else if (length > 0) {
                consumed = write(plain, length);
            }
        } finally {
            produced = room - SSL.bioLengthByteBuffer(bio);
            to.position(to.position() + produced);
            SSL.bioClearByteBuffer(bio);
            hasOutput |= SSL.bioLengthNonApplication(bio) > 0;
        }
        boolean isEnded = isOutputEnded && !hasOutput;
        return result(isEnded ? Status.CLOSED : Status.OK, consumed, produced);
    }

    private int write(ByteBuffer plain, int length) throws SSLException {
        int count;
        if (plain.isDirect()) {
            count = SSL.writeToSSL(ssl, Buffer.address(plain) + plain.position(), length);
        } else {
            ByteBuffer scratch = ScratchBuffers.take();
            try {
                scratch.put(0, plain, plain.position(), length);
                count = SSL.writeToSSL(ssl, Buffer.address(scratch), length);
            } finally {
                ScratchBuffers.giveBack(scratch);
            }
        }
        if (count <= 0) {
            throw failure(SSL.getError(ssl, count));
        }
        plain.position(plain.position() + count);
        return count;
    }

    private SSLEngineResult result(Status status, int consumed, int produced) {
        return new SSLEngineResult(status, handshakeStatus(), consumed, produced);
    }

    /// Before the end of the handshake there is no close_notify (RFC 8446, section 6.1).
    @Override
    public synchronized void closeOutbound() {
        if (isOutputEnded || ssl == 0) {
            return;
        }
        isOutputEnded = true;
        if (isHandshakeDone && !isFailed) {
            if (SSL.shutdownSSL(ssl) < 0) {
                SSL.clearError();
            }
            hasOutput |= SSL.bioLengthNonApplication(bio) > 0;
        }
    }

    @Override
    public synchronized @Nullable String applicationProtocol() {
        return SSL.getAlpnSelected(open());
    }

    @Override
    public synchronized String protocol() {
        return SSL.getVersion(open());
    }

    @Override
    public synchronized String cipherSuite() {
        String name = SSL.getCipherForSSL(open());
        return SUITES.getOrDefault(name, name);
    }

    @Override
    public synchronized byte[] sessionId() {
        byte[] id = SSL.getSessionId(open());
        return id == null ? new byte[0] : id;
    }

    @Override
    public synchronized List<X509Certificate> peerCertificates() {
        byte[] own = SSL.getPeerCertificate(open());
        if (own == null) {
            return List.of();
        }
        var chain = new ArrayList<byte[]>();
        chain.add(own);
        byte[][] issuers = SSL.getPeerCertChain(ssl); // a server's has no own certificate
        if (issuers != null) {
            for (byte[] issuer : issuers) {
                if (!Arrays.equals(issuer, own)) {
                    chain.add(issuer);
                }
            }
        }
        try {
            return List.copyOf(ClientVerifier.parse(chain));
        } catch (CertificateException e) {
            return List.of(); // cannot be: it was verified
        }
    }

    /// Returns the connection's address.
    private long open() {
        if (ssl == 0) {
            throw new IllegalStateException("the engine was released");
        }
        return ssl;
    }

    @Override
    public synchronized void release() {
        if (ssl != 0) {
            SSL.freeSSL(ssl); // and its input and output
            ssl = 0;
            bio = 0;
            factory.engineReleased();
        }
    }
}
