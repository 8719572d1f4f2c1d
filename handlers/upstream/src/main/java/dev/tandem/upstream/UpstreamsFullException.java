package dev.tandem.upstream;

/// Every upstream has as many connections as it may have, all in use.
public final class UpstreamsFullException extends UpstreamException {
    private static final long serialVersionUID = 1L;

    UpstreamsFullException(String message) {
        super(message, null);
    }
}
