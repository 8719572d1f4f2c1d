package dev.tandem.engine;

import dev.tandem.net.Acceptor;
import dev.tandem.net.Connection;
import dev.tandem.net.Loop;
import dev.tandem.net.Protocol;
import dev.tandem.testkit.FakeClock;
import dev.tandem.testkit.MemoryPipe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// One connection in memory without a protocol, for tests of protocol parts. A worker has it, as if
/// its request ran; the loop is run by the test's thread.
public final class MemoryConnection implements AutoCloseable {
    private static final long PATIENCE_NANOS = 20_000_000_000L;
    private static final long ITERATION_NANOS = 5_000_000;

    private final FakeClock clock = new FakeClock(0);
    private final Loop loop;
    private final MemoryPipe pipe;
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private @Nullable Connection connection;
    private IntConsumer watched = _ -> {};

    /// @param toServer maximum number of bytes in transit to the server
    /// @param toClient likewise
    public MemoryConnection(int toServer, int toClient) {
        var network = new MemoryNetwork();
        loop = new Loop(network.poller(), clock::nanos);
        pipe = network.connect(toServer, toClient);
        try {
            new Acceptor(loop, network.listener(), this::protocol, 1).start();
            loop.runOnce(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        connection().handOver();
    }

    private Protocol protocol(Connection made) {
        connection = made;
        return new Watching();
    }

    public Connection connection() {
        return Objects.requireNonNull(connection);
    }

    public MemoryPipe pipe() {
        return pipe;
    }

    public FakeClock clock() {
        return clock;
    }

    /// Passes the events that the connection is watched for to `listener`.
    public void onWatchedEvent(IntConsumer listener) {
        watched = listener;
    }

    /// Sends text to the server.
    public void say(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        if (pipe.toServer().offer(bytes, 0, bytes.length) < bytes.length) {
            throw new IllegalArgumentException("the pipe is too small for this test");
        }
    }

    /// Returns all that the client has received so far.
    public String received() {
        MemoryServer.receive(pipe, received);
        return received.toString(StandardCharsets.US_ASCII);
    }

    /// Runs the loop until it has nothing to do at once.
    public void iterate() throws IOException {
        for (int i = 0; i < 4; i++) {
            loop.runOnce(0);
        }
    }

    /// Runs the loop until something holds.
    public void iterateUntil(String what, BooleanSupplier holds) throws IOException {
        long begin = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - begin > PATIENCE_NANOS) {
                throw new AssertionError(what + " not within 20 s; heard: " + received());
            }
            loop.runOnce(ITERATION_NANOS);
        }
    }

    @Override
    public void close() {
        connection().close();
        loop.close();
    }

    private final class Watching implements Protocol {
        @Override
        public void readable() {
            // A worker has the connection.
        }

        @Override
        public void writable() {
            throw new IllegalStateException("a worker has the connection");
        }

        @Override
        public void watchedEvent(int operations) {
            watched.accept(operations);
        }

        @Override
        public void expired() {
            throw new IllegalStateException("no deadline was set");
        }

        @Override
        public boolean isIdle() {
            return false;
        }

        @Override
        public void stopping() {
            // A worker has the connection.
        }

        @Override
        public void closed() {
            // Nothing is kept with it.
        }
    }
}
