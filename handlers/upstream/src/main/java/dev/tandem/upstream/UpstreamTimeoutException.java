package dev.tandem.upstream;

/// An upstream timed out.
public final class UpstreamTimeoutException extends UpstreamException {
    private static final long serialVersionUID = 1L;

    UpstreamTimeoutException(String message) {
        super(message, null);
    }
}
