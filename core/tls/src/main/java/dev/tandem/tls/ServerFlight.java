package dev.tandem.tls;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/// Determines from an engine's output whether it resumes an earlier session. The JDK's engine
/// offers no other way, and a client observes the same:
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

    /// @param sent the output; its position is not changed
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

    /// Returns whether there is a ServerHello; if not, resumption cannot be determined.
    boolean isServerHello() {
        return isServerHello;
    }

    /// Returns whether there is an unencrypted certificate; it may be sent separately after the
    /// ServerHello.
    boolean hasCertificate() {
        return hasCertificate;
    }

    boolean isResumed() {
        return isTls13 ? hasPreSharedKey : !hasCertificate;
    }

    /// Returns the messages before encryption begins.
    private static byte[] plainMessages(ByteBuffer sent) {
        var messages = new ByteArrayOutputStream();
        while (BufferedInput.isRecordComplete(sent)
                && sent.get(sent.position()) == HANDSHAKE_RECORD) {
            var body = new byte[BufferedInput.recordLength(sent) - BufferedInput.RECORD_HEADER];
            sent.position(sent.position() + BufferedInput.RECORD_HEADER).get(body);
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
