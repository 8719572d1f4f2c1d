package dev.tandem.http;

import java.security.cert.X509Certificate;
import java.util.List;

/// The negotiated parameters of a TLS connection.
///
/// @param protocol such as `TLSv1.3`
/// @param cipherSuite such as `TLS_AES_128_GCM_SHA256`
/// @param sessionId in hexadecimal digits; empty if the session has no id
/// @param isResumed whether an earlier session was resumed
/// @param serverName the host name that the client sent in its ClientHello (SNI; RFC 6066, section
///     3); empty if it sent none
/// @param clientCertificates the client's own certificate first; empty if it sent none or none was
///     requested
public record TlsSessionInfo(
        String protocol,
        String cipherSuite,
        String sessionId,
        boolean isResumed,
        String serverName,
        List<X509Certificate> clientCertificates) {

    /// Copies the list.
    public TlsSessionInfo {
        clientCertificates = List.copyOf(clientCertificates);
    }
}
