package dev.tandem.acme;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Signals that the authority did not issue a certificate. The message has its reason.
final class OrderFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    /// When the authority allows the next attempt; null if it does not say.
    private final transient @Nullable Instant retryAfter;

    OrderFailedException(String message, @Nullable Instant retryAfter, @Nullable Throwable cause) {
        super(message, cause);
        this.retryAfter = retryAfter;
    }

    @Nullable Instant retryAfter() {
        return retryAfter;
    }
}
