package dev.tandem.proxy;

import dev.tandem.http.UpgradedConnection;
import dev.tandem.upstream.UpstreamConnection;
import dev.tandem.upstream.UpstreamException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/// Passes bytes both ways between a client and an upstream that have changed their protocol,
/// until either ends. The worker goes for the client's, a thread of its own for the upstream's.
final class TunnelRelay {
    /// An hour without a byte either way ends it: those who mean to stay send pings.
    private static final Duration INACTIVITY_MAX = Duration.ofHours(1);

    private static final int BUFFER = 16 << 10;

    private final UpstreamConnection connection;
    private final UpgradedConnection tunnel;

    TunnelRelay(UpstreamConnection connection, UpgradedConnection tunnel) {
        this.connection = connection;
        this.tunnel = tunnel;
    }

    void run() throws IOException {
        connection.setTimeout(INACTIVITY_MAX);
        Thread back =
                Thread.ofPlatform().name("tandem-tunnel").daemon().start(this::relayFromUpstream);
        try {
            var buffer = new byte[BUFFER];
            for (int count = tunnel.read(buffer); count >= 0; count = tunnel.read(buffer)) {
                connection.setTimeout(INACTIVITY_MAX);
                connection.write(buffer, 0, count);
                connection.flush();
            }
        } catch (UpstreamException _) {
            // It has ended, and so has all.
        } finally {
            connection.abort();
            join(back);
        }
    }

    private void relayFromUpstream() {
        try {
            ByteBuffer in = connection.input();
            boolean isWanted = true;
            while (isWanted) {
                tunnel.write(in.array(), in.arrayOffset() + in.position(), in.remaining());
                in.position(in.limit());
                isWanted = connection.read();
                connection.setTimeout(INACTIVITY_MAX);
            }
        } catch (IOException _) {
            // Either has gone.
        } finally {
            tunnel.cancelRead();
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
