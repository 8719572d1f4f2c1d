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

/// A server in memory whose loop is turned by the test's thread and whose workers are real.
public final class MemoryServer implements AutoCloseable {
    /// How long a turn waits for a worker; what it waits for ends the wait.
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

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

    /// How many connections are open.
    public int connections() {
        return engine.open().get();
    }

    public Loop loop() {
        return loop;
    }

    public FakeClock clock() {
        return clock;
    }

    /// A connection with room enough for all that a test sends.
    public MemoryPipe connect() {
        return network.connect(ROOMY, ROOMY);
    }

    /// @param toClient how many bytes of answers may wait for the client
    public MemoryPipe connect(int toClient) {
        return network.connect(ROOMY, toClient);
    }

    /// Runs the loop until something holds.
    public void turnUntil(String what, BooleanSupplier holds) throws IOException {
        turnUntil(what, new ByteArrayOutputStream(), holds);
    }

    private void turnUntil(String what, ByteArrayOutputStream heard, BooleanSupplier holds)
            throws IOException {
        long begin = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - begin > PATIENCE_NANOS) {
                throw new AssertionError(
                        what + " not within 20 s; heard: " + WireCase.shown(heard));
            }
            loop.runOnce(TURN_NANOS);
        }
    }

    /// Runs the loop until it has nothing to do at once.
    public void turn() throws IOException {
        for (int i = 0; i < 4; i++) {
            loop.runOnce(0);
        }
    }

    /// Waits until no worker runs anything, without a turn of the loop.
    public void awaitRest() {
        Patience.until("workers rest", () -> engine.workers().activeCount() == 0);
    }

    /// Sends a case's bytes and returns all that comes back until the server ends the stream; if
    /// it is to be kept, the client ends its own when the answer has come.
    ///
    /// @param parts sent one by one, each when the server has taken the one before
    public Conversation converse(MemoryPipe pipe, List<byte[]> parts, WireCase c)
            throws IOException {
        var heard = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            say(pipe, part, heard);
        }
        int expected = c.isLast() ? Integer.MAX_VALUE : c.answerLength();
        turnUntil("the answer", heard, () -> hear(pipe, heard) || heard.size() >= expected);
        boolean isEndedByServer = hear(pipe, heard);
        pipe.toServer().end();
        turnUntil("the end", heard, () -> hear(pipe, heard));
        return new Conversation(heard.toByteArray(), isEndedByServer);
    }

    /// Sends a text block and returns what comes back, as a text block: as long as what is
    /// expected, or until the server ends the stream.
    public String ask(MemoryPipe pipe, String request, String expected) throws IOException {
        byte[] bytes = WireText.bytes(request);
        int count = pipe.toServer().offer(bytes, 0, bytes.length);
        if (count < bytes.length) {
            throw new IllegalArgumentException("the pipe is too small for this test");
        }
        return hearAnswer(pipe, expected);
    }

    /// What comes back of what was sent before.
    public String hearAnswer(MemoryPipe pipe, String expected) throws IOException {
        var heard = new ByteArrayOutputStream();
        int length = WireCase.kept("", "", expected).answerLength();
        turnUntil("the answer", heard, () -> hear(pipe, heard) || heard.size() >= length);
        return WireText.block(heard.toByteArray());
    }

    /// Runs the loop until the server has ended the stream, and returns what was left of it.
    public String hearEnd(MemoryPipe pipe) throws IOException {
        var heard = new ByteArrayOutputStream();
        turnUntil("the end", heard, () -> hear(pipe, heard));
        return WireText.block(heard.toByteArray());
    }

    private void say(MemoryPipe pipe, byte[] part, ByteArrayOutputStream heard) throws IOException {
        int count = pipe.toServer().offer(part, 0, part.length);
        if (count < part.length) {
            throw new IllegalArgumentException("the pipe is too small for this test");
        }
        turnUntil("input is taken", heard, () -> hear(pipe, heard) || pipe.toServer().size() == 0);
    }

    /// Takes what has come to the client.
    ///
    /// @return whether the stream has ended
    static boolean hear(MemoryPipe pipe, ByteArrayOutputStream heard) {
        var bytes = new byte[512];
        try {
            int count = pipe.toClient().take(bytes, 0, bytes.length);
            while (count > 0) {
                heard.write(bytes, 0, count);
                count = pipe.toClient().take(bytes, 0, bytes.length);
            }
            return count < 0;
        } catch (IOException e) {
            return true;
        }
    }

    /// What came back.
    ///
    /// @param isEndedByServer whether the server ended it while the client could still send
    public record Conversation(byte[] answer, boolean isEndedByServer) {}

    @Override
    public void close() {
        engine.workers().stop();
        loop.close();
    }
}
