package dev.tandem.tls;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/// Determines from an engine's output whether it resumes an earlier session. The JDK's engine
/// offers no other way, and a client observes the same:
///
/// - in TLS 1.3 the ServerHello has a pre_shared_key (RFC 8446, section 4.2.11);
/// - in TLS 1.2 no certificate follows it (RFC 5246, section 7.3; RFC 5077, section 3.1).
///
/// Confined to the handshake's owner.
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

    /// In TLS 1.2 the Finished message is in a handshake record, too, but encrypted.
    private boolean isEncrypted;

    /// Reads further output.
    ///
    /// @param sent complete records; its position is not changed
    void add(ByteBuffer sent) {
        if (isEncrypted && !isTls13) {
            return;
        }
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

    /// Returns whether the output so far resumes a session: in TLS 1.2 a certificate may still
    /// follow.
    boolean isResumed() {
        return isServerHello && (isTls13 ? hasPreSharedKey : !hasCertificate);
    }

    /// Returns the messages before encryption begins.
    private byte[] plainMessages(ByteBuffer sent) {
        var messages = new ByteArrayOutputStream();
        while (BufferedInput.isRecordComplete(sent)) {
            if (sent.get(sent.position()) != HANDSHAKE_RECORD) {
                isEncrypted = true;
                break;
            }
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
