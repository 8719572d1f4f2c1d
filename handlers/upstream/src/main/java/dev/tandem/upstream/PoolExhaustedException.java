package dev.tandem.upstream;

/// All upstreams have the maximum number of connections in use, or the client its share of them.
public final class PoolExhaustedException extends UpstreamException {
    private static final long serialVersionUID = 1L;

    PoolExhaustedException(String message) {
        super(message, null);
    }
}
