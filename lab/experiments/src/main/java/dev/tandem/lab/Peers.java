package dev.tandem.lab;

import dev.tandem.http.h2.ErrorCode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// Connections that all behave the same, each of which is opened again whenever the server has
/// closed it. Safe for use by several threads.
public final class Peers implements AutoCloseable {
    private final LongAdder closed = new LongAdder();
    private final LongAdder calmed = new LongAdder();
    private final LongAdder reset = new LongAdder();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isStopped;

    /// How often the server has closed a connection.
    ///
    /// @param closed all of them
    /// @param calmed with ENHANCE_YOUR_CALM
    /// @param reset with a reset by the kernel, since there was more input, which may overtake the
    ///     error that the server gave
    public record Tally(long closed, long calmed, long reset) {

        /// As a line for another process.
        public String line() {
            return "closed %d calmed %d reset %d".formatted(closed, calmed, reset);
        }

        /// @param line as of [#line()]
        static Tally parse(String line) {
            String[] words = line.strip().split(" ");
            return new Tally(
                    Long.parseLong(words[1]), Long.parseLong(words[3]), Long.parseLong(words[5]));
        }
    }

    private Peers() {}

    /// Opens connections and returns at once.
    ///
    /// @param server an address of this machine: these are attacks
    /// @throws IllegalArgumentException if it is another one's
    public static Peers start(PeerBehaviour behaviour, InetSocketAddress server, int connections) {
        if (server.getAddress() == null || !server.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException(server + " is not a loopback address");
        }
        var peers = new Peers();
        for (int i = 0; i < connections; i++) {
            peers.threads.add(
                    Thread.ofPlatform().daemon().start(() -> peers.repeat(behaviour, server)));
        }
        return peers;
    }

    private void repeat(PeerBehaviour behaviour, InetSocketAddress server) {
        while (!isStopped) {
            try (var connection = new PeerConnection(behaviour, server)) {
                ErrorCode error = connection.run();
                closed.increment();
                if (error == ErrorCode.ENHANCE_YOUR_CALM) {
                    calmed.increment();
                } else if (connection.isReset()) {
                    reset.increment();
                }
            } catch (IOException e) {
                Thread.yield(); // it accepts no connection now
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    public Tally tally() {
        return new Tally(closed.sum(), calmed.sum(), reset.sum());
    }

    /// Lets no connection be opened again.
    @Override
    public void close() {
        isStopped = true;
        threads.forEach(Thread::interrupt);
    }
}
