package dev.tandem.engine;

import dev.tandem.AccessLog;
import dev.tandem.ErrorPage;
import dev.tandem.Options;
import dev.tandem.engine.container.Container;
import dev.tandem.engine.http1.Http1Factory;
import dev.tandem.engine.http1.Http1Loop;
import dev.tandem.engine.http1.WireCase;
import dev.tandem.engine.site.Hosts;
import dev.tandem.engine.site.Site;
import dev.tandem.engine.site.Traffic;
import dev.tandem.engine.tuning.EngineTuning;
import dev.tandem.http.Exchange;
import dev.tandem.http.Router;
import dev.tandem.net.Acceptor;
import dev.tandem.net.Loop;
import dev.tandem.testkit.FakeClock;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.WireText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A server in memory whose loop is run by the test's thread and whose workers are real.
public final class MemoryServer implements AutoCloseable {
    /// How long an iteration of the loop waits for a worker; the expected event ends the wait.
    private static final long ITERATION_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final int ROOMY = 1 << 14;

    private final MemoryNetwork network = new MemoryNetwork();
    private final FakeClock clock = new FakeClock(0);
    private final Engine engine;
    private final Loop loop;

    public MemoryServer(Options options, Router routes) {
        this(options, EngineTuning.DEFAULT, routes);
    }

    public MemoryServer(Options options, Router routes, ErrorPage page, @Nullable AccessLog log) {
        this(
                options,
                EngineTuning.DEFAULT,
                new Site(routes, List.of(), page, Engines.admission(options)),
                log);
    }

    public MemoryServer(Options options, EngineTuning tuning, Router routes) {
        this(
                options,
                tuning,
                new Site(routes, List.of(), MemoryServer::page, Engines.admission(options)),
                null);
    }

    private static void page(Exchange x, String message) throws IOException {
        x.send(x.status() + " " + message);
    }

    public MemoryServer(Options options, Container container) {
        this(
                options,
                EngineTuning.DEFAULT.withContainer(container.options()),
                new Site(container, new Site.Shared(Engines.admission(options), new Traffic())),
                null);
    }

    private MemoryServer(Options options, EngineTuning tuning, Site site, @Nullable AccessLog log) {
        engine = new Engine(options, tuning, network, Hosts.only(site), log);
        loop = new Loop(network.poller(), clock::nanos);
        IoContext context = IoContext.ofLoop(loop.input(), tuning.loopBuffer());
        loop.gatherOutputIn(context.output());
        int most = options.limits().connectionsMax();
        var acceptor = new Acceptor(loop, network.listener(), factory(context), most);
        try {
            acceptor.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Http1Factory factory(IoContext context) {
        return new Http1Factory(Http1Loop.of(engine, context));
    }

    public Engine engine() {
        return engine;
    }

    /// Returns the number of open connections.
    public int connections() {
        return engine.open().get();
    }

    public Loop loop() {
        return loop;
    }

    public FakeClock clock() {
        return clock;
    }

    /// Opens a connection with enough buffer space for all that a test sends.
    public MemoryPipe connect() {
        return network.connect(ROOMY, ROOMY);
    }

    /// @param toClient number of bytes of responses that may wait for the client
    public MemoryPipe connect(int toClient) {
        return network.connect(ROOMY, toClient);
    }

    /// Has the next write to a connection fail.
    public void failNextWrite(Error failure) {
        network.writeFailure.set(failure);
    }

    /// Runs the loop until something holds.
    public void iterateUntil(String what, BooleanSupplier holds) throws IOException {
        iterateUntil(what, new ByteArrayOutputStream(), holds);
    }

    private void iterateUntil(String what, ByteArrayOutputStream received, BooleanSupplier holds)
            throws IOException {
        long begin = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - begin > PATIENCE_NANOS) {
                throw new AssertionError(
                        what + " not within 20 s; heard: " + WireCase.shown(received));
            }
            loop.runOnce(ITERATION_NANOS);
        }
    }

    /// Runs the loop until it has nothing to do at once.
    public void iterate() throws IOException {
        for (int i = 0; i < 4; i++) {
            loop.runOnce(0);
        }
    }

    /// Waits until no worker runs anything, without an iteration of the loop.
    public void awaitRest() {
        Patience.until("workers rest", () -> engine.workers().activeCount() == 0);
    }

    /// Sends a case's bytes and returns all that is received until the server ends the stream; if
    /// the connection is kept, the client ends its side when the response was received.
    ///
    /// @param parts sent one by one, each when the server has read the one before
    public Conversation converse(MemoryPipe pipe, List<byte[]> parts, WireCase c)
            throws IOException {
        var received = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            say(pipe, part, received);
        }
        int expected = c.isLast() ? Integer.MAX_VALUE : c.responseLength();
        iterateUntil(
                "the response",
                received,
                () -> receive(pipe, received) || received.size() >= expected);
        boolean isEndedByServer = receive(pipe, received);
        pipe.toServer().end();
        iterateUntil("the end", received, () -> receive(pipe, received));
        return new Conversation(received.toByteArray(), isEndedByServer);
    }

    /// Sends a text block and returns the received bytes, as a text block: as many as expected, or
    /// until the server ends the stream.
    public String ask(MemoryPipe pipe, String request, String expected) throws IOException {
        byte[] bytes = WireText.bytes(request);
        int count = pipe.toServer().offer(bytes, 0, bytes.length);
        if (count < bytes.length) {
            throw new IllegalArgumentException("the pipe is too small for this test");
        }
        return readResponse(pipe, expected);
    }

    /// Returns the response to an earlier request.
    public String readResponse(MemoryPipe pipe, String expected) throws IOException {
        var received = new ByteArrayOutputStream();
        int length = WireCase.kept("", "", expected).responseLength();
        iterateUntil(
                "the response",
                received,
                () -> receive(pipe, received) || received.size() >= length);
        return WireText.block(received.toByteArray());
    }

    /// Runs the loop until the server has ended the stream, and returns the rest of it.
    public String readToEnd(MemoryPipe pipe) throws IOException {
        var received = new ByteArrayOutputStream();
        iterateUntil("the end", received, () -> receive(pipe, received));
        return WireText.block(received.toByteArray());
    }

    private void say(MemoryPipe pipe, byte[] part, ByteArrayOutputStream received)
            throws IOException {
        int count = pipe.toServer().offer(part, 0, part.length);
        if (count < part.length) {
            throw new IllegalArgumentException("the pipe is too small for this test");
        }
        iterateUntil(
                "input is taken",
                received,
                () -> receive(pipe, received) || pipe.toServer().size() == 0);
    }

    /// Reads the bytes that were sent to the client.
    ///
    /// @return whether the stream has ended
    public static boolean receive(MemoryPipe pipe, ByteArrayOutputStream received) {
        var bytes = new byte[512];
        try {
            int count = pipe.toClient().take(bytes, 0, bytes.length);
            while (count > 0) {
                received.write(bytes, 0, count);
                count = pipe.toClient().take(bytes, 0, bytes.length);
            }
            return count < 0;
        } catch (IOException e) {
            return true;
        }
    }

    /// The received bytes.
    ///
    /// @param isEndedByServer whether the server ended the stream while the client could still send
    public record Conversation(byte[] response, boolean isEndedByServer) {}

    @Override
    public void close() {
        engine.workers().stop();
        loop.close();
    }
}
