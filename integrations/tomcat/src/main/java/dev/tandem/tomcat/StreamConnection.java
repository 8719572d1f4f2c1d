package dev.tandem.tomcat;

import dev.tandem.engine.container.ContainerExchange;
import jakarta.servlet.ServletConnection;
import java.util.concurrent.atomic.AtomicLong;

/// What servlets see of a connection that speaks HTTP/2: the same for all its streams.
final class StreamConnection implements ServletConnection {
    private static final AtomicLong COUNT = new AtomicLong();

    private final String id = "h2-" + Long.toHexString(COUNT.incrementAndGet());
    private final boolean isSecure;

    /// @param exchange one of its streams
    StreamConnection(ContainerExchange exchange) {
        this.isSecure = exchange.security() != null;
    }

    @Override
    public String getConnectionId() {
        return id;
    }

    /// Returns the name in the registry of protocols for ALPN (RFC 7301).
    @Override
    public String getProtocol() {
        return isSecure ? "h2" : "h2c";
    }

    /// HTTP/2 has none.
    @Override
    public String getProtocolConnectionId() {
        return "";
    }

    @Override
    public boolean isSecure() {
        return isSecure;
    }
}
