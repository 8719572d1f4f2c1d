package dev.tandem.tls;

import java.security.InvalidKeyException;

/// A private key is not that of its certificate.
public final class KeyMismatchException extends InvalidKeyException {
    private static final long serialVersionUID = 1;

    /// @param cause what the library reports
    public KeyMismatchException(Throwable cause) {
        super("the key does not match the certificate", cause);
    }
}
