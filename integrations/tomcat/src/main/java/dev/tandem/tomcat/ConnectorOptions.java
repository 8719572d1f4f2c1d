package dev.tandem.tomcat;

import dev.tandem.Options;
import dev.tandem.http.HeadLimits;
import dev.tandem.http.h1.ChunkLimits;
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

    /// Of a chunk-size line.
    private static final int CHUNK_DIGITS_MAX = 16;

    private static final int EXTENSION_MIN = 240;
    private static final int EXTENSION_MAX = 65_000;

    private static final int MIB = 1 << 20;

    private ConnectorOptions() {}

    static Options of(AbstractEndpoint<?, ?> endpoint, TandemProtocol protocol) {
        int head = Math.clamp(protocol.getMaxHttpRequestHeaderSize(), HEAD_MIN, HEAD_MAX);
        int headers = protocol.getMaxHeaderCount();
        int trailers = Math.max(limitToMib(protocol.getMaxTrailerSize()), TRAILERS_MIN);
        var heads =
                new HeadLimits(
                        head - HEADER_MIN,
                        head,
                        headers <= 0 ? 10_000 : Math.min(headers, 10_000),
                        trailers);
        Duration timeout = timeout(endpoint.getConnectionTimeout());
        int threads = endpoint.getMaxThreads();
        return Options.DEFAULT
                .withHttp2(protocol.http2().options())
                .withLimits(
                        l ->
                                l.withConnectionsMax(connectionsMax(endpoint))
                                        .withBacklog(backlog(endpoint))
                                        .withHeads(heads)
                                        .withBodyMax(1L << 62) // Catalina limits what it stores
                                        .withChunks(chunks(protocol)))
                .withTimeouts(
                        t ->
                                t.withIdle(idle(endpoint.getKeepAliveTimeout()))
                                        .withHead(timeout)
                                        .withWriteStall(timeout))
                .withThreads(t -> threads > 0 ? t.withWorkersMax(Math.min(threads, 65_536)) : t);
    }

    /// All extensions of a body may be in one chunk-size line, as far as its limit goes.
    private static ChunkLimits chunks(AbstractHttp11Protocol<?> protocol) {
        int extensions = limitToMib(protocol.getMaxExtensionSize());
        int line = Math.clamp(extensions, EXTENSION_MIN, EXTENSION_MAX) + CHUNK_DIGITS_MAX;
        return new ChunkLimits(line, extensions, Integer.MAX_VALUE); // the stock connectors' size
    }

    /// At least the default of our own: Tomcat's, 100, is for a thread that only accepts. Ours also
    /// runs requests, and accepts in groups under overload; connections beyond the backlog are
    /// dropped, and their clients try again only after a second.
    private static int backlog(AbstractEndpoint<?, ?> endpoint) {
        int least = Options.DEFAULT.limits().backlog();
        return Math.clamp(endpoint.getAcceptCount(), least, 65_535);
    }

    static int connectionsMax(AbstractEndpoint<?, ?> endpoint) {
        int max = Options.DEFAULT.limits().connectionsMax();
        int configured = endpoint.getMaxConnections();
        return configured < 1 ? max : Math.min(configured, max);
    }

    /// @param configured below 0: unlimited
    private static int limitToMib(int configured) {
        return configured < 0 ? MIB : Math.min(configured, MIB);
    }

    /// @param millis 0 or less: unlimited
    private static Duration idle(int millis) {
        return Duration.ofMillis(Math.clamp(millis, 0, Duration.ofDays(1).toMillis()));
    }

    /// @param millis 0 or less: unlimited, which is mapped to a day
    private static Duration timeout(int millis) {
        long finite = AbstractEndpoint.toTimeout(millis);
        return finite == Long.MAX_VALUE ? Duration.ofDays(1) : Duration.ofMillis(finite);
    }
}
