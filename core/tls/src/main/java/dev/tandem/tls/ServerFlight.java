package dev.tandem.tls;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/// Tells from what an engine sends whether it goes on with an earlier session. The JDK's engine
/// says it in no other way, and a client sees just this:
///
/// - in TLS 1.3 the ServerHello has a pre_shared_key (RFC 8446, section 4.2.11);
/// - in TLS 1.2 no certificate follows it (RFC 5246, section 7.3; RFC 5077, section 3.1).
final class ServerFlight {
    private static final int HANDSHAKE_RECORD = 22;
    private static final int SERVER_HELLO = 2;
    private static final int CERTIFICATE = 11;
    private static final int PRE_SHARED_KEY = 41;
    private static final int SUPPORTED_VERSIONS = 43;

    private boolean isServerHello;
    private boolean isTls13;
    private boolean hasPreSharedKey;
    private boolean hasCertificate;

    /// @param sent what was sent; it is not moved
    ServerFlight(ByteBuffer sent) {
        var messages = new ByteReader(ByteBuffer.wrap(plainMessages(sent.duplicate())));
        while (messages.hasMore()) {
            int type = messages.unsigned(1);
            ByteReader body = messages.lengthPrefixed(3);
            hasCertificate |= type == CERTIFICATE;
            if (type == SERVER_HELLO) {
                isServerHello = true;
                readHello(body);
            }
        }
    }

    /// Whether there is a ServerHello; if not, nothing can be told.
    boolean isServerHello() {
        return isServerHello;
    }

    /// Whether there is a certificate that can be seen; it may come behind the hello in a part of
    /// its own.
    boolean hasCertificate() {
        return hasCertificate;
    }

    boolean isResumed() {
        return isTls13 ? hasPreSharedKey : !hasCertificate;
    }

    /// Until ciphers begin to be used.
    private static byte[] plainMessages(ByteBuffer sent) {
        var messages = new ByteArrayOutputStream();
        while (BufferedInput.isRecordComplete(sent)
                && sent.get(sent.position()) == HANDSHAKE_RECORD) {
            var body = new byte[BufferedInput.recordLength(sent) - BufferedInput.RECORD_HEAD];
            sent.position(sent.position() + BufferedInput.RECORD_HEAD).get(body);
            messages.writeBytes(body);
        }
        return messages.toByteArray();
    }

    private void readHello(ByteReader hello) {
        hello.skip(2 + 32);
        hello.lengthPrefixed(1);
        hello.skip(2 + 1);
        ByteReader extensions = hello.lengthPrefixed(2);
        while (extensions.hasMore()) {
            int type = extensions.unsigned(2);
            extensions.lengthPrefixed(2);
            isTls13 |= type == SUPPORTED_VERSIONS;
            hasPreSharedKey |= type == PRE_SHARED_KEY;
        }
    }
}
