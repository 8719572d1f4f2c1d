package dev.tandem.upstream;

/// Every upstream has as many connections as it may have, all in use.
public final class PoolExhaustedException extends UpstreamException {
    private static final long serialVersionUID = 1L;

    PoolExhaustedException(String message) {
        super(message, null);
    }
}
