package dev.tandem.proxy;

import dev.tandem.http.UpgradedConnection;
import dev.tandem.upstream.UpstreamConnection;
import dev.tandem.upstream.UpstreamException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/// Relays data in both directions between a client and an upstream after an upgrade, until either
/// closes. The worker reads from the client, a thread of its own from the upstream.
final class TunnelRelay {
    /// Closes the tunnel after an hour without data: peers that stay send pings.
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
            // The upstream has closed, which ends the tunnel.
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
            // Either peer has closed.
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
