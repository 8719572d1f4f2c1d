package dev.tandem.http;

import java.security.cert.X509Certificate;
import java.util.List;

/// What client and server agreed on for a connection over TLS.
///
/// @param protocol such as `TLSv1.3`
/// @param cipherSuite such as `TLS_AES_128_GCM_SHA256`
/// @param sessionId in hexadecimal digits; empty if the session has no name
/// @param isResumed whether they went on with an earlier session
/// @param serverName the host that the client asked for when it connected (RFC 6066, section 3);
///     empty if it did not say
/// @param clientCertificates the client's own first; empty if it showed none, or was not asked
public record TlsSessionInfo(
        String protocol,
        String cipherSuite,
        String sessionId,
        boolean isResumed,
        String serverName,
        List<X509Certificate> clientCertificates) {

    /// Takes a copy of the list.
    public TlsSessionInfo {
        clientCertificates = List.copyOf(clientCertificates);
    }
}
