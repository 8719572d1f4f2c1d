package dev.tandem.tls;

import java.util.List;

/// The ClientHello message (RFC 8446, section 4.1.2; RFC 5246, section 7.4.1.2), as far as the
/// server uses it before any public-key operation. Its content is not authenticated: it only states
/// what the client claims.
///
/// @param serverName the requested host name in lower case (SNI; RFC 6066, section 3); empty if
///     absent
/// @param applicationProtocols the offered protocols in the client's order (ALPN; RFC 7301); empty
///     if absent
/// @param isTls12 whether it offers TLS 1.2
/// @param isTls13 whether it offers TLS 1.3
/// @param hasPreSharedKey whether it offers a TLS 1.3 ticket
/// @param hasTicket whether it offers a TLS 1.2 ticket (RFC 5077)
/// @param hasSessionId whether it contains a session id; in TLS 1.3 most clients send one without
///     significance
/// @param ecdsaCurves the curves whose ECDSA signatures it accepts, as a bit set: 1 for P-256, 2
///     for P-384, 4 for P-521
public record ClientHello(
        String serverName,
        List<String> applicationProtocols,
        boolean isTls12,
        boolean isTls13,
        boolean hasPreSharedKey,
        boolean hasTicket,
        boolean hasSessionId,
        int ecdsaCurves) {

    /// Copies the list.
    public ClientHello {
        applicationProtocols = List.copyOf(applicationProtocols);
    }

    /// Returns whether the client offers to resume an earlier session, which saves the public-key
    /// operations. Whether the session is resumed is known only after the handshake:
    /// [TlsSession#isResumed()].
    public boolean claimsToResume() {
        return hasPreSharedKey || hasTicket || (hasSessionId && !isTls13);
    }

    /// Returns whether the client accepts a certificate with an elliptic-curve key of this curve.
    ///
    /// @param curveBits 256, 384 or 521
    boolean takesEcdsa(int curveBits) {
        int bit =
                switch (curveBits) {
                    case 256 -> 1;
                    case 384 -> 2;
                    case 521 -> 4;
                    default -> 0;
                };
        return (ecdsaCurves & bit) != 0;
    }
}
