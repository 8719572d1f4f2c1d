package dev.tandem.tomcat;

import dev.tandem.Options;
import java.time.Duration;
import org.apache.tomcat.util.net.AbstractEndpoint;

/// The connector's attributes as options of our server.
final class ConnectorOptions {
    private static final int HEAD_MIN = 1024;
    private static final int HEAD_MAX = 65_536;

    /// What a line leaves of the head: some field.
    private static final int HEADER_MIN = 16;

    /// An empty line.
    private static final int TRAILERS_MIN = 2;

    private static final int MIB = 1 << 20;

    private ConnectorOptions() {}

    static Options of(TandemEndpoint endpoint) {
        TandemProtocol protocol = endpoint.protocol();
        int head = Math.clamp(protocol.getMaxHttpRequestHeaderSize(), HEAD_MIN, HEAD_MAX);
        int headers = protocol.getMaxHeaderCount();
        Options options =
                Options.DEFAULT
                        .withRequestLineMax(HEAD_MIN - HEADER_MIN) // less than any head's limit
                        .withHeadMax(head)
                        .withRequestLineMax(head - HEADER_MIN)
                        .withFieldsMax(headers <= 0 ? 10_000 : Math.min(headers, 10_000))
                        .withLengthNamed(false)
                        .withLenientHeads(protocol.getLenientHeads())
                        .withTrailersMax(
                                Math.max(limitToMib(protocol.getMaxTrailerSize()), TRAILERS_MIN))
                        .withChunkExtensionsMax(limitToMib(protocol.getMaxExtensionSize()))
                        .withChunkMax(Integer.MAX_VALUE) // as much as stock's can count
                        .withBodyMax(1L << 62) // Catalina has limits of its own on what it keeps
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

    static int connectionsMax(TandemEndpoint endpoint) {
        int max = Options.DEFAULT.connectionsMax();
        int configured = endpoint.getMaxConnections();
        return configured < 1 ? max : Math.min(configured, max);
    }

    /// @param configured below 0: without end
    private static int limitToMib(int configured) {
        return configured < 0 ? MIB : Math.min(configured, MIB);
    }

    /// @param millis 0 or less: without end, which is a day for us
    private static Duration timeout(int millis) {
        long finite = AbstractEndpoint.toTimeout(millis);
        return finite == Long.MAX_VALUE ? Duration.ofDays(1) : Duration.ofMillis(finite);
    }
}
