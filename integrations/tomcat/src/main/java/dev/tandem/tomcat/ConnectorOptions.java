package dev.tandem.tomcat;

import dev.tandem.Options;
import java.time.Duration;
import org.apache.tomcat.util.net.AbstractEndpoint;

/// The connector's attributes as options of our server.
final class ConnectorOptions {
    private static final int HEAD_MIN = 1024;
    private static final int HEAD_MAX = 65_536;

    /// What a line leaves of the head: some field.
    private static final int FIELD_MIN = 16;

    /// An empty line.
    private static final int TRAILERS_MIN = 2;

    private static final int MIB = 1 << 20;

    private ConnectorOptions() {}

    static Options of(TandemEndpoint endpoint) {
        TandemProtocol protocol = endpoint.protocol();
        int head = Math.clamp(protocol.getMaxHttpRequestHeaderSize(), HEAD_MIN, HEAD_MAX);
        int fields = protocol.getMaxHeaderCount();
        Options options =
                Options.DEFAULT
                        .withRequestLineMax(HEAD_MIN - FIELD_MIN) // less than any head's limit
                        .withHeadMax(head)
                        .withRequestLineMax(head - FIELD_MIN)
                        .withFieldsMax(fields <= 0 ? 10_000 : Math.min(fields, 10_000))
                        .withLengthNamed(false)
                        .withLenientHeads(protocol.getLenientHeads())
                        .withTrailersMax(
                                Math.max(upToMib(protocol.getMaxTrailerSize()), TRAILERS_MIN))
                        .withChunkExtensionsMax(upToMib(protocol.getMaxExtensionSize()))
                        .withChunkMax(Integer.MAX_VALUE) // as much as stock's can count
                        .withBodyMax(1L << 62) // Catalina has limits of its own on what it keeps
                        .withBodiesCollected(false)
                        .withAmbiguousPaths(true) // Catalina has attributes for them
                        .withBacklog(Math.clamp(endpoint.getAcceptCount(), 1, 65_535))
                        .withWriteStall(time(endpoint.getConnectionTimeout()))
                        .withHeadTimeout(time(endpoint.getConnectionTimeout()));
        if (endpoint.getMaxThreads() > 0) {
            options = options.withWorkersMax(Math.min(endpoint.getMaxThreads(), 65_536));
        }
        return options.withConnectionsMax(connectionsMax(endpoint));
    }

    static int connectionsMax(TandemEndpoint endpoint) {
        int most = Options.DEFAULT.connectionsMax();
        int set = endpoint.getMaxConnections();
        return set < 1 ? most : Math.min(set, most);
    }

    /// @param set below 0: without end
    private static int upToMib(int set) {
        return set < 0 ? MIB : Math.min(set, MIB);
    }

    /// @param millis 0 or less: without end, which is a day for us
    private static Duration time(int millis) {
        long finite = AbstractEndpoint.toTimeout(millis);
        return finite == Long.MAX_VALUE ? Duration.ofDays(1) : Duration.ofMillis(finite);
    }
}
