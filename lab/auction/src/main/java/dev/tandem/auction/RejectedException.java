package dev.tandem.auction;

/// A request that cannot be fulfilled; the message is shown to the user. Rolls back the
/// transaction.
final class RejectedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    /// @param status of HTTP
    RejectedException(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }

    String says() {
        return String.valueOf(getMessage());
    }
}
