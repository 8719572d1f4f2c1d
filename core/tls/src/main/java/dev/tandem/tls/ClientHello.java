package dev.tandem.tls;

import java.util.List;

/// What a client says first (RFC 8446, section 4.1.2; RFC 5246, section 7.4.1.2), as far as a
/// server decides by it before any key work. None of it is proved: it is what the client claims.
///
/// @param serverName the host it asks for, in lower case (RFC 6066, section 3); empty if it does
///     not say
/// @param applicationProtocols in its order (RFC 7301); empty if it does not say
/// @param isTls12 whether it offers TLS 1.2
/// @param isTls13 whether it offers TLS 1.3
/// @param hasPreSharedKey whether it offers a TLS 1.3 ticket
/// @param hasTicket whether it offers a TLS 1.2 ticket (RFC 5077)
/// @param hasSessionId whether it names a session; in TLS 1.3 most do, and mean nothing by it
/// @param ecdsaCurves the curves whose ECDSA signatures it takes, as a set of bits: 1 for P-256,
///     2 for P-384, 4 for P-521
public record ClientHello(
        String serverName,
        List<String> applicationProtocols,
        boolean isTls12,
        boolean isTls13,
        boolean hasPreSharedKey,
        boolean hasTicket,
        boolean hasSessionId,
        int ecdsaCurves) {

    /// Takes a copy of the list.
    public ClientHello {
        applicationProtocols = List.copyOf(applicationProtocols);
    }

    /// Whether it wants to go on with an earlier session, which saves the key work. Whether it does
    /// is known only after the handshake: [TlsSession#isResumed()].
    public boolean claimsToResume() {
        return hasPreSharedKey || hasTicket || (hasSessionId && !isTls13);
    }

    /// Whether a certificate with an elliptic key of this curve can be used.
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
