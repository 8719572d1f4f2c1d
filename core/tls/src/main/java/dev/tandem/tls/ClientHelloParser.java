package dev.tandem.tls;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses the body of one ClientHello. Used once.
final class ClientHelloParser {
    private static final int SERVER_NAME = 0;
    private static final int SIGNATURE_ALGORITHMS = 13;
    private static final int APPLICATION_PROTOCOLS = 16;
    private static final int SESSION_TICKET = 35;
    private static final int PRE_SHARED_KEY = 41;
    private static final int SUPPORTED_VERSIONS = 43;

    private static final int SSL_3 = 0x0300;
    private static final int TLS_1_2 = 0x0303;
    private static final int TLS_1_3 = 0x0304;

    private static final int SESSION_ID_MAX = 32;
    private static final int NAME_MAX = 255;

    /// The TLS 1.2 suites with ECDHE, ECDSA and authenticated encryption.
    private static final Set<Integer> ECDSA_SUITES =
            Set.of(0xc02b, 0xc02c, 0xcca9, 0xc0ac, 0xc0ad, 0xc0ae, 0xc0af);

    private final ByteReader hello;
    private final Set<Integer> seen = new HashSet<>();
    private Alert alert = Alert.DECODE_ERROR;
    private boolean isBad;

    private String serverName = "";
    private List<String> protocols = List.of();
    private boolean hasPreSharedKey;
    private boolean hasTicket;
    private boolean isTls12;
    private boolean isTls13;
    private boolean isEcdsaSuiteOffered;

    /// The default for a ClientHello without signature algorithms is SHA-1 with any key (RFC 5246,
    /// section 7.4.1.4.1), so any curve.
    private int ecdsaCurves = 7;

    ClientHelloParser(ByteBuffer body) {
        hello = new ByteReader(body);
    }

    /// Returns the parsed message, or null if it is malformed; [#alert()] is then set.
    @Nullable ClientHello parse() {
        int legacyVersion = hello.unsigned(2);
        if (legacyVersion <= SSL_3) {
            reject(Alert.PROTOCOL_VERSION); // whatever other versions are offered: appendix D.5
        }
        isTls12 = legacyVersion >= TLS_1_2;
        hello.skip(32);
        ByteReader sessionId = hello.lengthPrefixed(1);
        readSuites(hello.lengthPrefixed(2));
        ByteReader compressions = hello.lengthPrefixed(1);
        if (sessionId.size() > SESSION_ID_MAX || !compressions.contains(0)) {
            reject(Alert.ILLEGAL_PARAMETER);
        }
        if (hello.hasMore()) {
            readExtensions(hello.lengthPrefixed(2));
            requireEnd(hello);
        }
        // Checked last, because truncated input reads as zeros, which may have been rejected for
        // another reason.
        if (hello.isTruncated()) {
            alert = Alert.DECODE_ERROR;
            return null;
        }
        return isBad ? null : result(sessionId.size() > 0);
    }

    Alert alert() {
        return alert;
    }

    private ClientHello result(boolean hasSessionId) {
        return new ClientHello(
                serverName,
                protocols,
                isTls12,
                isTls13,
                hasPreSharedKey,
                hasTicket,
                hasSessionId,
                isEcdsaSuiteOffered || isTls13 ? ecdsaCurves : 0);
    }

    private void readSuites(ByteReader suites) {
        if (suites.size() < 2 || suites.size() % 2 != 0) {
            reject(Alert.DECODE_ERROR);
        }
        while (suites.hasMore()) {
            isEcdsaSuiteOffered |= ECDSA_SUITES.contains(suites.unsigned(2));
        }
    }

    private void readExtensions(ByteReader extensions) {
        int type = -1;
        while (extensions.hasMore() && !isBad) {
            type = extensions.unsigned(2);
            ByteReader body = extensions.lengthPrefixed(2);
            if (extensions.isTruncated()) {
                reject(Alert.DECODE_ERROR);
            } else if (!seen.add(type)) {
                reject(Alert.ILLEGAL_PARAMETER);
            } else {
                readExtension(type, body);
            }
        }
        // It authenticates the preceding bytes, so it must be last (RFC 8446, section 4.2.11).
        if (hasPreSharedKey && type != PRE_SHARED_KEY) {
            reject(Alert.ILLEGAL_PARAMETER);
        }
    }

    private void readExtension(int type, ByteReader body) {
        switch (type) {
            case SERVER_NAME -> readServerName(body);
            case SIGNATURE_ALGORITHMS -> readSignatureAlgorithms(body);
            case APPLICATION_PROTOCOLS -> readProtocols(body);
            case SUPPORTED_VERSIONS -> readVersions(body);
            case SESSION_TICKET -> hasTicket = body.size() > 0;
            case PRE_SHARED_KEY -> {
                hasPreSharedKey = true;
                if (body.size() == 0) {
                    reject(Alert.DECODE_ERROR);
                }
            }
            default -> {}
        }
    }

    /// Parses a list that for historical reasons contains a single host name.
    private void readServerName(ByteReader body) {
        ByteReader names = body.lengthPrefixed(2);
        requireEnd(body);
        int type = names.unsigned(1);
        ByteReader name = names.lengthPrefixed(2);
        requireEnd(names);
        if (type != 0 || name.size() == 0 || name.size() > NAME_MAX) {
            reject(Alert.DECODE_ERROR);
            return;
        }
        serverName = text(name).toLowerCase(Locale.ROOT);
        if (serverName.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
            reject(Alert.ILLEGAL_PARAMETER);
        }
    }

    private void readProtocols(ByteReader body) {
        ByteReader list = body.lengthPrefixed(2);
        requireEnd(body);
        var found = new ArrayList<String>();
        while (list.hasMore() && !isBad) {
            ByteReader name = list.lengthPrefixed(1);
            if (name.size() == 0) {
                reject(Alert.DECODE_ERROR);
            }
            found.add(text(name));
        }
        if (found.isEmpty() || list.isTruncated()) {
            reject(Alert.DECODE_ERROR);
        }
        protocols = found;
    }

    private void readVersions(ByteReader body) {
        ByteReader list = body.lengthPrefixed(1);
        requireEnd(body);
        if (list.size() < 2 || list.size() % 2 != 0) {
            reject(Alert.DECODE_ERROR);
        }
        isTls12 = false;
        while (list.hasMore()) {
            int version = list.unsigned(2);
            isTls12 |= version == TLS_1_2;
            isTls13 |= version == TLS_1_3;
        }
    }

    private void readSignatureAlgorithms(ByteReader body) {
        ByteReader list = body.lengthPrefixed(2);
        requireEnd(body);
        if (list.size() < 2 || list.size() % 2 != 0) {
            reject(Alert.DECODE_ERROR);
        }
        ecdsaCurves = 0;
        while (list.hasMore()) {
            ecdsaCurves |=
                    switch (list.unsigned(2)) {
                        case 0x0403 -> 1;
                        case 0x0503 -> 2;
                        case 0x0603 -> 4;
                        default -> 0;
                    };
        }
    }

    private static String text(ByteReader bytes) {
        return new String(bytes.remaining(), StandardCharsets.ISO_8859_1);
    }

    private void requireEnd(ByteReader span) {
        if (span.hasMore() || span.isTruncated()) {
            reject(Alert.DECODE_ERROR);
        }
    }

    private void reject(Alert why) {
        if (!isBad) {
            alert = why;
        }
        isBad = true;
    }
}
