package dev.tandem.http;

/// Ends a handler with an error status: `throw new HttpException(404, "no such item")`.
public final class HttpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// The status of the response.
    private final int status;

    /// @param status 400 to 599
    /// @param message shown to the client
    public HttpException(int status, String message) {
        super(message, null, false, false);
        if (status < 400 || status > 599) {
            throw new IllegalArgumentException("status must be 400..599, was " + status);
        }
        this.status = status;
    }

    public int status() {
        return status;
    }
}
