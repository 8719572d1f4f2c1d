package dev.tandem.proxy;

import dev.tandem.http.UpgradedConnection;
import dev.tandem.upstream.UpstreamException;
import dev.tandem.upstream.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/// Passes bytes both ways between a client and an upstream that have changed their protocol,
/// until either ends. The worker goes for the client's, a thread of its own for the upstream's.
final class Bridge {
    /// An hour without a byte either way ends it: those who mean to stay send pings.
    private static final Duration SILENCE = Duration.ofHours(1);

    private static final int PIECE = 16 << 10;

    private final Wire wire;
    private final UpgradedConnection tunnel;

    Bridge(Wire wire, UpgradedConnection tunnel) {
        this.wire = wire;
        this.tunnel = tunnel;
    }

    void run() throws IOException {
        wire.within(SILENCE);
        Thread back = Thread.ofPlatform().name("tandem-tunnel").daemon().start(this::passBack);
        try {
            var piece = new byte[PIECE];
            for (int count = tunnel.read(piece); count >= 0; count = tunnel.read(piece)) {
                wire.within(SILENCE);
                wire.put(piece, 0, count);
                wire.flush();
            }
        } catch (UpstreamException _) {
            // It has ended, and so has all.
        } finally {
            wire.end();
            join(back);
        }
    }

    private void passBack() {
        try {
            ByteBuffer in = wire.input();
            boolean isGoingOn = true;
            while (isGoingOn) {
                tunnel.write(in.array(), in.arrayOffset() + in.position(), in.remaining());
                in.position(in.limit());
                isGoingOn = wire.read();
                wire.within(SILENCE);
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
