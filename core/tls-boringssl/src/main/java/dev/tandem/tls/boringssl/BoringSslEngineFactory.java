package dev.tandem.tls.boringssl;

import dev.tandem.tls.ClientCertificateMode;
import dev.tandem.tls.EngineSettings;
import dev.tandem.tls.KeyMismatchException;
import dev.tandem.tls.TicketKey;
import dev.tandem.tls.TlsEngine;
import dev.tandem.tls.TlsEngineFactory;
import dev.tandem.tls.TlsVersion;
import io.netty.internal.tcnative.Buffer;
import io.netty.internal.tcnative.SSL;
import io.netty.internal.tcnative.SSLContext;
import io.netty.internal.tcnative.SSLCredential;
import io.netty.internal.tcnative.SessionTicketKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;

/// Creates BoringSSL engines through netty-tcnative's classes. The certificate, its key and all
/// settings are in one native context, which is freed when this is closed and the last engine is
/// released: the library calls nothing in Java during handshakes, except to verify clients'
/// certificates.
final class BoringSslEngineFactory implements TlsEngineFactory {
    /// Certificates between a client's and its root.
    private static final int VERIFY_DEPTH = 10;

    /// The key exchanges, preferred first; the first is post-quantum
    /// (draft-ietf-tls-ecdhe-mlkem).
    private static final String[] GROUPS = {"X25519MLKEM768", "X25519", "P-256", "P-384"};

    /// The suites of TLS 1.2 of [EngineSettings#CIPHERS], by their names in the library. Those of
    /// TLS 1.3 cannot be configured: it has the three that are enabled.
    private static final String CIPHERS =
            "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256"
                    + ":ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384"
                    + ":ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";

    private final long context;

    /// The unreleased engines, and one until [#close()].
    private final AtomicInteger users = new AtomicInteger(1);

    BoringSslEngineFactory(EngineSettings settings) throws SSLException, GeneralSecurityException {
        try {
            context =
                    SSLContext.make(
                            SSL.SSL_PROTOCOL_TLSV1_2 | SSL.SSL_PROTOCOL_TLSV1_3,
                            SSL.SSL_MODE_SERVER);
        } catch (Exception e) {
            throw new SSLException("BoringSSL cannot make a context: " + e.getMessage(), e);
        }
        boolean isConfigured = false;
        try {
            configure(settings);
            setCertificate(settings);
            isConfigured = true;
        } catch (SSLException | GeneralSecurityException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new SSLException(e.getMessage(), e);
        } finally {
            if (!isConfigured) {
                SSLContext.free(context);
            }
        }
    }

    private void configure(EngineSettings settings) throws Exception {
        int disabled = SSL.SSL_OP_NO_SSLv2 | SSL.SSL_OP_NO_SSLv3;
        disabled |= SSL.SSL_OP_NO_TLSv1 | SSL.SSL_OP_NO_TLSv1_1 | SSL.SSL_OP_NO_COMPRESSION;
        disabled |= SSL.SSL_OP_NO_TICKET; // until there are keys
        if (!settings.versions().contains(TlsVersion.TLS_1_2)) {
            disabled |= SSL.SSL_OP_NO_TLSv1_2;
        }
        if (!settings.versions().contains(TlsVersion.TLS_1_3)) {
            disabled |= SSL.SSL_OP_NO_TLSv1_3;
        }
        int options = SSLContext.getOptions(context) | SSL.SSL_OP_CIPHER_SERVER_PREFERENCE;
        SSLContext.setOptions(context, options | disabled);
        SSLContext.setMode(
                context, SSLContext.getMode(context) | SSL.SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
        SSLContext.setCipherSuite(context, CIPHERS, false);
        if (!SSLContext.setCurvesList(context, GROUPS)) {
            throw new SSLException("BoringSSL does not have the groups");
        }
        if (!settings.protocols().isEmpty()) {
            SSLContext.setAlpnProtos(
                    context,
                    settings.protocols().toArray(String[]::new),
                    SSL.SSL_SELECTOR_FAILURE_NO_ADVERTISE);
        }
        SSLContext.setSessionCacheMode(context, SSL.SSL_SESS_CACHE_SERVER);
        SSLContext.setSessionCacheSize(context, EngineSettings.SESSIONS_MAX);
        SSLContext.setSessionCacheTimeout(context, EngineSettings.SESSION_SECONDS);
        SSLContext.setSessionIdContext(context, scope(settings));
        // All expensive work runs in the thread that calls a session's handshake(), so it need not
        // be handed over again.
        SSLContext.setUseTasks(context, false);
        SSLContext.setVerify(context, verification(settings.clients()), VERIFY_DEPTH);
        if (settings.clients() != ClientCertificateMode.NONE) {
            SSLContext.setCertVerifyCallback(context, new ClientVerifier(settings.clientRoots()));
            requestIssuers(settings.clientRoots());
        }
    }

    private static int verification(ClientCertificateMode clients) {
        return switch (clients) {
            case NONE -> SSL.SSL_CVERIFY_NONE;
            case OPTIONAL -> SSL.SSL_CVERIFY_OPTIONAL;
            case REQUIRED -> SSL.SSL_CVERIFY_REQUIRED;
        };
    }

    /// Returns the scope in which tickets are valid. Servers that share keys may have different
    /// client certificate settings: a session from a server that requested no certificate must not
    /// be resumed on one that requires it.
    private static byte[] scope(EngineSettings settings) throws GeneralSecurityException {
        var digest = MessageDigest.getInstance("SHA-256");
        digest.update((byte) settings.clients().ordinal());
        for (X509Certificate root : settings.clientRoots()) {
            digest.update(root.getEncoded());
        }
        return digest.digest();
    }

    /// Sends clients the names of the accepted issuers (RFC 8446, section 4.2.4).
    private void requestIssuers(List<X509Certificate> roots) throws Exception {
        if (roots.isEmpty()) {
            return;
        }
        long issuers = memory(pem(roots));
        try {
            if (!SSLContext.setCACertificateBio(context, issuers)) {
                throw new SSLException("BoringSSL does not take the certificates of issuers");
            }
        } finally {
            SSL.freeBIO(issuers);
        }
    }

    /// Sets certificate, key and OCSP response; the context has its own references to them then.
    private void setCertificate(EngineSettings settings) throws Exception {
        long credential = SSLCredential.newX509();
        long chain = 0;
        long key = 0;
        try {
            chain = parsed(pem(settings.chain()), SSL::parseX509Chain);
            key = parsed(pem(settings.key()), input -> SSL.parsePrivateKey(input, null));
            SSLCredential.setPrivateKey(credential, key);
            setChain(credential, chain);
            if (settings.ocsp() != null) {
                SSLCredential.setOcspResponse(credential, settings.ocsp());
            }
            SSLContext.addCredential(context, credential);
        } finally {
            SSLCredential.free(credential);
            if (chain != 0) {
                SSL.freeX509Chain(chain);
            }
            if (key != 0) {
                SSL.freePrivateKey(key);
            }
        }
    }

    /// The library compares the chain with the key, which it has already.
    private static void setChain(long credential, long chain) throws Exception {
        try {
            SSLCredential.setCertChain(credential, chain);
        } catch (Exception e) {
            if (String.valueOf(e.getMessage()).toUpperCase(Locale.ROOT).contains("MISMATCH")) {
                throw new KeyMismatchException(e);
            }
            throw e;
        }
    }

    /// Parses native input.
    @FunctionalInterface
    private interface Parser {
        long parse(long input) throws Exception;
    }

    private static long parsed(byte[] pem, Parser parser) throws Exception {
        long input = memory(pem);
        try {
            return parser.parse(input);
        } finally {
            SSL.freeBIO(input);
            Arrays.fill(pem, (byte) 0);
        }
    }

    private static byte[] pem(List<X509Certificate> chain) throws GeneralSecurityException {
        var all = new StringBuilder();
        for (X509Certificate certificate : chain) {
            all.append(
                    new String(
                            pem("CERTIFICATE", certificate.getEncoded()),
                            StandardCharsets.US_ASCII));
        }
        return all.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] pem(PrivateKey key) throws InvalidKeyException {
        byte[] encoded = key.getEncoded();
        if (encoded == null) {
            throw new InvalidKeyException("the key cannot be exported, as BoringSSL needs it");
        }
        byte[] pem = pem("PRIVATE KEY", encoded);
        Arrays.fill(encoded, (byte) 0);
        return pem;
    }

    /// Encodes as RFC 7468 says.
    private static byte[] pem(String label, byte[] der) {
        byte[] lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encode(der);
        byte[] begin = ("-----BEGIN " + label + "-----\n").getBytes(StandardCharsets.US_ASCII);
        byte[] end = ("\n-----END " + label + "-----\n").getBytes(StandardCharsets.US_ASCII);
        byte[] pem =
                ByteBuffer.allocate(begin.length + lines.length + end.length)
                        .put(begin)
                        .put(lines)
                        .put(end)
                        .array();
        Arrays.fill(lines, (byte) 0);
        return pem;
    }

    /// Returns native input with a copy of the bytes, to be freed by the caller.
    private static long memory(byte[] bytes) throws Exception {
        boolean isShort = bytes.length <= ScratchBuffers.SIZE;
        ByteBuffer direct =
                isShort ? ScratchBuffers.take() : ByteBuffer.allocateDirect(bytes.length);
        long input = SSL.newMemBIO();
        int written = SSL.bioWrite(input, Buffer.address(direct.put(0, bytes)), bytes.length);
        direct.put(0, new byte[bytes.length]); // it may be a key
        if (isShort) {
            ScratchBuffers.giveBack(direct);
        }
        if (written != bytes.length) {
            SSL.freeBIO(input);
            throw new SSLException("BoringSSL does not take " + bytes.length + " bytes");
        }
        return input;
    }

    @Override
    public TlsEngine newEngine() {
        users.incrementAndGet();
        return new BoringSslEngine(this, SSL.newSSL(context, true));
    }

    @Override
    public void setTicketKeys(List<TicketKey> keys) {
        SSLContext.clearOptions(context, SSL.SSL_OP_NO_TICKET);
        SSLContext.setSessionTicketKeys(
                context,
                keys.stream()
                        .map(k -> new SessionTicketKey(k.name(), k.hmac(), k.aes()))
                        .toArray(SessionTicketKey[]::new));
    }

    @Override
    public void close() {
        engineReleased();
    }

    /// One of the context's users is gone.
    void engineReleased() {
        if (users.decrementAndGet() == 0) {
            SSLContext.free(context);
        }
    }
}
