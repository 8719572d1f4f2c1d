package dev.tandem.tomcat;

import dev.tandem.Options;
import java.time.Duration;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.net.AbstractEndpoint;

/// Maps the connector's attributes to options of the server.
final class ConnectorOptions {
    private static final int HEAD_MIN = 1024;
    private static final int HEAD_MAX = 65_536;

    /// Minimum part of the head that the request line leaves for headers.
    private static final int HEADER_MIN = 16;

    /// An empty line.
    private static final int TRAILERS_MIN = 2;

    private static final int MIB = 1 << 20;

    private ConnectorOptions() {}

    static Options of(
            AbstractEndpoint<?, ?> endpoint,
            AbstractHttp11Protocol<?> protocol,
            boolean hasLenientHeads) {
        int head = Math.clamp(protocol.getMaxHttpRequestHeaderSize(), HEAD_MIN, HEAD_MAX);
        int headers = protocol.getMaxHeaderCount();
        Options options =
                Options.DEFAULT
                        // Less than any limit of the head.
                        .withRequestLineMax(HEAD_MIN - HEADER_MIN)
                        .withHeadMax(head)
                        .withRequestLineMax(head - HEADER_MIN)
                        .withFieldsMax(headers <= 0 ? 10_000 : Math.min(headers, 10_000))
                        .withLengthNamed(false)
                        .withLenientHeads(hasLenientHeads)
                        .withTrailersMax(
                                Math.max(limitToMib(protocol.getMaxTrailerSize()), TRAILERS_MIN))
                        .withChunkExtensionsMax(limitToMib(protocol.getMaxExtensionSize()))
                        .withChunkMax(Integer.MAX_VALUE) // the stock connectors' maximum
                        .withBodyMax(1L << 62) // Catalina limits what it stores
                        .withBodiesCollected(false)
                        .withAmbiguousPaths(true) // Catalina has attributes for them
                        .withBacklog(Math.clamp(endpoint.getAcceptCount(), 1, 65_535))
                        .withWriteStall(timeout(endpoint.getConnectionTimeout()))
                        .withHeadTimeout(timeout(endpoint.getConnectionTimeout()));
        if (endpoint.getMaxThreads() > 0) {
            options = options.withWorkersMax(Math.min(endpoint.getMaxThreads(), 65_536));
        }
        return options.withConnectionsMax(connectionsMax(endpoint));
    }

    static int connectionsMax(AbstractEndpoint<?, ?> endpoint) {
        int max = Options.DEFAULT.connectionsMax();
        int configured = endpoint.getMaxConnections();
        return configured < 1 ? max : Math.min(configured, max);
    }

    /// @param configured below 0: unlimited
    private static int limitToMib(int configured) {
        return configured < 0 ? MIB : Math.min(configured, MIB);
    }

    /// @param millis 0 or less: unlimited, which is mapped to a day
    private static Duration timeout(int millis) {
        long finite = AbstractEndpoint.toTimeout(millis);
        return finite == Long.MAX_VALUE ? Duration.ofDays(1) : Duration.ofMillis(finite);
    }
}
