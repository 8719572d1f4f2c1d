package dev.tandem.auction;

/// What a visitor asked for cannot be; the message is for the visitor. Takes back the transaction.
final class Sorry extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    /// @param status of HTTP
    Sorry(int status, String message) {
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
