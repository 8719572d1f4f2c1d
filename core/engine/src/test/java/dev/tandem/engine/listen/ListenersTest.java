package dev.tandem.engine.listen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.ErrorPage;
import dev.tandem.Options;
import dev.tandem.engine.Engine;
import dev.tandem.engine.Engines;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.SlowCertificate;
import dev.tandem.engine.TestCertificate;
import dev.tandem.engine.site.Site;
import dev.tandem.engine.tuning.EngineTuning;
import dev.tandem.http.Handler;
import dev.tandem.http.Router;
import dev.tandem.net.Listener;
import dev.tandem.net.Loop;
import dev.tandem.net.NanoClock;
import dev.tandem.net.Network;
import dev.tandem.net.NioNetwork;
import dev.tandem.net.OpenFile;
import dev.tandem.net.Poller;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.RawClient;
import dev.tandem.tls.TlsContext;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Listeners on real sockets of this machine. The test runs the one loop, so that it sees what is
/// accepted and what waits in the backlog.
@Timeout(60)
class ListenersTest {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long ITERATION_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int CONNECTIONS_MAX = 16;
    private static final Endpoint ANY =
            Endpoint.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

    private final LogCapture log = LogCapture.of("dev.tandem");
    private final WatchedNetwork network = new WatchedNetwork();
    private final Engine engine = engine(network);
    private final Loop loop;
    private final IoContext context;
    private final List<RawClient> clients = new ArrayList<>();
    private final Path folder;

    ListenersTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        loop = new Loop(network.poller(), NanoClock.SYSTEM);
        context = IoContext.ofLoop(loop.input(), EngineTuning.DEFAULT.loopBuffer());
    }

    private static Engine engine(Network network) {
        Router routes =
                Router.builder().add("GET", "/", Handler.nonBlocking(x -> x.send("hello"))).build();
        var admission = Engines.admission(Options.DEFAULT);
        var site = new Site(routes, List.of(), ErrorPage.PLAIN, admission);
        return new Engine(Options.DEFAULT, network, site, null);
    }

    @AfterEach
    void stop() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
        engine.workers().stop();
        loop.close();
        network.all.forEach(Listener::close);
        log.close();
    }

    /// The network of the JDK, which remembers what listens.
    private static final class WatchedNetwork implements Network {
        private final NioNetwork real = new NioNetwork();
        private final List<Listener> all = new ArrayList<>();

        @Override
        public String name() {
            return real.name();
        }

        @Override
        public boolean isUsable() {
            return true;
        }

        @Override
        public Listener listen(SocketAddress address, int backlog) throws IOException {
            Listener listener = real.listen(address, backlog);
            all.add(listener);
            return listener;
        }

        @Override
        public Poller poller() throws IOException {
            return real.poller();
        }

        @Override
        public OpenFile open(Path path) throws IOException {
            return real.open(path);
        }

        long openCount() {
            return all.stream().filter(listener -> !isClosed(listener)).count();
        }
    }

    private static boolean isClosed(Listener listener) {
        try (var _ = SocketChannel.open(listener.localAddress())) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private Listeners open(Endpoint... endpoints) throws IOException {
        return Listeners.open(engine, List.of(endpoints), new ArrayList<>());
    }

    private Endpoint unix(String name) {
        return Endpoint.at(UnixDomainSocketAddress.of(folder.resolve(name)));
    }

    private static Endpoint unknown() {
        return Endpoint.at(InetSocketAddress.createUnresolved("unknown.invalid", 80));
    }

    private Listeners accepting(Endpoint... endpoints) throws IOException {
        Listeners listeners = open(endpoints);
        listeners.addLoop(loop, context, CONNECTIONS_MAX);
        return listeners;
    }

    private RawClient client(ListenerBinding binding) throws IOException {
        var address = (InetSocketAddress) binding.listener().localAddress();
        RawClient client = RawClient.connect(address);
        clients.add(client);
        return client;
    }

    /// A client whose connection the kernel has accepted, and that has sent a request.
    private RawClient asking(ListenerBinding binding) throws IOException {
        return client(binding).send("GET / HTTP/1.1\nHost: a\n\n");
    }

    private void iterate() throws IOException {
        for (int i = 0; i < 4; i++) {
            loop.runOnce(0);
        }
    }

    private void iterateUntil(String what, BooleanSupplier holds) throws IOException {
        long begin = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - begin > PATIENCE_NANOS) {
                throw new AssertionError("not within 20 s: " + what);
            }
            loop.runOnce(ITERATION_NANOS);
        }
    }

    private void assertServes(ListenerBinding binding) throws IOException {
        int before = engine.open().get();
        RawClient client = asking(binding);
        iterateUntil("it is accepted", () -> engine.open().get() > before);
        iterate();
        assertEquals("hello", client.response().text());
    }

    @FunctionalInterface
    private interface Change {
        void run() throws IOException;
    }

    /// Runs a change that waits for the loop, on another thread, and runs the loop meanwhile.
    private void whileLooping(Change change) throws Exception {
        FutureTask<Void> task = started(change);
        iterateUntil("it is done", task::isDone);
        task.get();
        iterate(); // the selector lets go of what is closed
    }

    // ---- Opening.

    @Test
    void everyEndpointHasAListener() throws IOException {
        Listeners listeners = open(ANY, ANY, unix("socket"));
        assertEquals(3, listeners.all().size());
        assertEquals(3, network.openCount());
        assertNotEquals(
                listeners.all().get(0).listener().localAddress(),
                listeners.all().get(1).listener().localAddress());
        assertEquals(ANY.address(), listeners.all().getFirst().address(), "as it was named");
        assertFalse(engine.areListenersClosed());
    }

    @Test
    void serverWithoutEndpointsListensNowhere() throws Exception {
        Listeners listeners = accepting();
        assertEquals(List.of(), listeners.all());
        listeners.pause(true);
        whileLooping(() -> listeners.close(true));
        assertTrue(engine.areListenersClosed());
    }

    @Test
    void nothingIsLeftOpenIfOneEndpointCannotBeOpened() {
        var failure = assertThrows(IOException.class, () -> open(ANY, unix("a"), unknown()));
        assertEquals("cannot listen on unknown.invalid: unknown host", failure.getMessage());
        assertEquals(2, network.all.size());
        assertEquals(0, network.openCount());
    }

    @Test
    void inheritedListenerIsUsedAndNotOpenedAgain() throws IOException {
        Listener first = network.listen(ANY.address(), 10);
        Listener second = network.listen(ANY.address(), 10);
        var inherited = new ArrayList<>(List.of(first, second));
        Listeners listeners =
                Listeners.open(engine, List.of(Endpoint.at(second.localAddress())), inherited);
        assertSame(second, listeners.all().getFirst().listener());
        assertEquals(List.of(first), inherited);
        assertEquals(2, network.all.size());
    }

    // ---- Accepting.

    @Test
    void clientsOfEveryListenerAreServed() throws IOException {
        Listeners listeners = accepting(ANY, ANY);
        assertServes(listeners.all().get(0));
        assertServes(listeners.all().get(1));
        assertEquals(2, engine.open().get());
    }

    @Test
    void pausedServerLeavesClientsInTheBacklogAndServesOthers() throws IOException {
        Listeners listeners = accepting(ANY);
        ListenerBinding binding = listeners.all().getFirst();
        RawClient known = asking(binding);
        iterateUntil("it is accepted", () -> engine.open().get() == 1);
        iterate();
        assertEquals("hello", known.response().text());
        listeners.pause(true);
        listeners.pause(true);
        iterate();
        RawClient late = asking(binding);
        known.send("GET / HTTP/1.1\nHost: a\n\n");
        loop.runOnce(PATIENCE_NANOS);
        iterate();
        assertEquals("hello", known.response().text());
        assertEquals(1, engine.open().get());
        listeners.pause(false);
        iterateUntil("it is accepted", () -> engine.open().get() == 2);
        iterate();
        assertEquals("hello", late.response().text());
    }

    @Test
    void loopThatIsAddedToAPausedServerAcceptsNothing() throws IOException {
        Listeners listeners = open(ANY);
        listeners.pause(true);
        listeners.addLoop(loop, context, CONNECTIONS_MAX);
        RawClient client = asking(listeners.all().getFirst());
        iterate();
        assertEquals(0, engine.open().get());
        listeners.pause(false);
        iterateUntil("it is accepted", () -> engine.open().get() == 1);
        iterate();
        assertEquals("hello", client.response().text());
    }

    @Test
    void drainingServerIsNotPaused() throws IOException {
        Listeners listeners = accepting(ANY);
        engine.beginDraining();
        listeners.pause(true);
        RawClient client = asking(listeners.all().getFirst());
        loop.runOnce(PATIENCE_NANOS);
        iterate();
        assertEquals("hello", client.response().text());
    }

    /// Each of its responses ends a connection, so that every further request needs a new one.
    @Test
    void listenerThatWasPausedAcceptsWhileConnectionsEnd() throws IOException {
        Listeners listeners = accepting(ANY);
        listeners.pause(true);
        iterate();
        engine.beginDraining();
        RawClient client = asking(listeners.all().getFirst());
        listeners.pause(false);
        iterateUntil("it is accepted", () -> engine.accepted().sum() == 1);
        iterate();
        assertEquals("hello", client.response().text());
    }

    // ---- Changing.

    @Test
    void listenerAtAnAddressThatIsNamedAgainStays() throws Exception {
        Listeners listeners = accepting(ANY, unix("old"));
        ListenerBinding kept = listeners.all().getFirst();
        var commits = new ArrayList<List<ListenerBinding>>();
        whileLooping(
                () ->
                        listeners.change(
                                List.of(unix("new"), ANY),
                                new ArrayList<>(),
                                () -> commits.add(listeners.all())));
        assertEquals(1, commits.size());
        assertSame(kept, commits.getFirst().getFirst(), "nothing is changed before the commit");
        assertEquals(2, listeners.all().size());
        assertSame(kept, listeners.all().get(1));
        assertEquals(2, network.openCount());
        assertFalse(Files.exists(folder.resolve("old")));
        assertTrue(Files.exists(folder.resolve("new")));
        assertServes(kept);
    }

    @Test
    void listenerIsKnownByTheAddressThatItGot() throws Exception {
        Listeners listeners = accepting(ANY);
        ListenerBinding kept = listeners.all().getFirst();
        Endpoint same = Endpoint.at(kept.listener().localAddress());
        whileLooping(() -> listeners.change(List.of(same), new ArrayList<>(), () -> {}));
        assertEquals(List.of(kept), listeners.all());
        assertEquals(1, network.all.size());
        assertServes(kept);
    }

    @Test
    void clientsOfANewListenerAreServed() throws Exception {
        Listeners listeners = accepting(ANY);
        ListenerBinding old = listeners.all().getFirst();
        RawClient waiting = asking(old);
        Endpoint other = Endpoint.at(new InetSocketAddress("127.0.0.2", 0));
        whileLooping(() -> listeners.change(List.of(other), new ArrayList<>(), () -> {}));
        assertEquals("hello", waiting.response().text(), "it was in the backlog");
        assertTrue(isClosed(old.listener()));
        assertServes(listeners.all().getFirst());
    }

    @Test
    void listenerThatIsOpenedWhilePausedAcceptsNothing() throws Exception {
        Listeners listeners = accepting(ANY);
        listeners.pause(true);
        Endpoint other = Endpoint.at(new InetSocketAddress("127.0.0.2", 0));
        whileLooping(() -> listeners.change(List.of(other), new ArrayList<>(), () -> {}));
        RawClient client = asking(listeners.all().getFirst());
        iterate();
        assertEquals(0, engine.open().get());
        listeners.pause(false);
        iterateUntil("it is accepted", () -> engine.open().get() == 1);
        iterate();
        assertEquals("hello", client.response().text());
    }

    @Test
    void changeThatFailsChangesNothing() throws Exception {
        Listeners listeners = accepting(ANY);
        List<ListenerBinding> before = listeners.all();
        var commits = new ArrayList<String>();
        assertThrows(
                IOException.class,
                () ->
                        listeners.change(
                                List.of(unix("new"), unknown()),
                                new ArrayList<>(),
                                () -> commits.add("committed")));
        assertEquals(List.of(), commits);
        assertSame(before, listeners.all());
        assertEquals(1, network.openCount(), "what was opened is closed again");
        assertFalse(Files.exists(folder.resolve("new")));
        assertServes(before.getFirst());
    }

    /// Else its certificates and counters would stay for good.
    @Test
    void listenerOfAFailedChangeIsNotCounted() throws Exception {
        Listeners listeners = accepting(ANY);
        Endpoint secure = unix("new").with(TlsSettings.of(TestCertificate.files()));
        assertThrows(
                IOException.class,
                () -> listeners.change(List.of(secure, unknown()), new ArrayList<>(), () -> {}));
        assertTrue(engine.tls().isEmpty());
        whileLooping(() -> listeners.change(List.of(secure), new ArrayList<>(), () -> {}));
        assertFalse(engine.tls().isEmpty());
    }

    /// Its clients keep what they have, and the next change finds it as it was.
    @Test
    void failedChangeKeepsTheSettingsOfAListener() throws Exception {
        TlsSettings settings = TlsSettings.of(TestCertificate.files());
        Endpoint strict = unix("a").with(settings.withUnknownNamesRejected(true));
        Listeners listeners = accepting(unix("a").with(settings));
        TlsContext context = Objects.requireNonNull(listeners.all().getFirst().tls());
        assertThrows(
                IOException.class,
                () -> listeners.change(List.of(strict, unknown()), new ArrayList<>(), () -> {}));
        assertFalse(context.settings().areUnknownNamesRejected());
        whileLooping(() -> listeners.change(List.of(strict), new ArrayList<>(), () -> {}));
        assertSame(context, listeners.all().getFirst().tls());
        assertTrue(context.settings().areUnknownNamesRejected());
    }

    private static FutureTask<Void> started(Change change) {
        var task =
                new FutureTask<Void>(
                        () -> {
                            change.run();
                            return null;
                        });
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    /// As with a dead file server. One endpoint is new, the other has certificates already.
    @ParameterizedTest
    @ValueSource(strings = {"new", "known"})
    void changeThatWaitsForAFileHoldsUpNeitherTheGateNorTheEnd(String name) throws Exception {
        Endpoint known = unix("known").with(TlsSettings.of(TestCertificate.files()));
        Listeners listeners = accepting(known);
        var file = new SlowCertificate();
        var commits = new ArrayList<String>();
        Endpoint slow = unix(name).with(TlsSettings.of(file.files()));
        FutureTask<Void> change =
                started(
                        () ->
                                listeners.change(
                                        List.of(slow),
                                        new ArrayList<>(),
                                        () -> commits.add("committed")));
        file.awaitReader();
        started(listeners::applyGate).get(10, TimeUnit.SECONDS);
        whileLooping(() -> listeners.close(true));
        file.release();
        var e = assertThrows(ExecutionException.class, () -> change.get(20, TimeUnit.SECONDS));
        assertInstanceOf(IllegalStateException.class, e.getCause());
        assertEquals(List.of(), commits);
        assertEquals(0, network.openCount());
        assertFalse(Files.exists(folder.resolve(name)));
    }

    private static ArrayList<Listener> listOf(Listener listener) {
        return new ArrayList<>(List.of(listener));
    }

    @Test
    void inheritedListenerThatWasClosedIsNotUsedAgain() throws Exception {
        Listener inherited = network.listen(ANY.address(), 10);
        Endpoint same = Endpoint.at(inherited.localAddress());
        Listeners listeners = Listeners.open(engine, List.of(same), listOf(inherited));
        listeners.addLoop(loop, context, CONNECTIONS_MAX);
        whileLooping(() -> listeners.change(List.of(unix("a")), listOf(inherited), () -> {}));
        assertTrue(isClosed(inherited));
        whileLooping(() -> listeners.change(List.of(same), listOf(inherited), () -> {}));
        assertNotSame(inherited, listeners.all().getFirst().listener());
        assertServes(listeners.all().getFirst());
    }

    @Test
    void failedChangeKeepsInheritedListenersOpen() throws Exception {
        Listeners listeners = accepting(unix("a"));
        Listener inherited = network.listen(ANY.address(), 10);
        Endpoint same = Endpoint.at(inherited.localAddress());
        assertThrows(
                IOException.class,
                () -> listeners.change(List.of(same, unknown()), listOf(inherited), () -> {}));
        whileLooping(() -> listeners.change(List.of(same), listOf(inherited), () -> {}));
        assertSame(inherited, listeners.all().getFirst().listener());
        assertServes(listeners.all().getFirst());
    }

    // ---- Closing.

    @Test
    void closingForGoodDeletesSocketFiles() throws Exception {
        Listeners listeners = accepting(ANY, unix("socket"));
        whileLooping(() -> listeners.close(true));
        assertTrue(engine.areListenersClosed());
        assertEquals(0, network.openCount());
        assertFalse(Files.exists(folder.resolve("socket")));
    }

    @Test
    void socketFileStaysIfAnotherProcessHasItsListener() throws Exception {
        Listeners listeners = accepting(unix("socket"));
        whileLooping(() -> listeners.close(false));
        assertEquals(0, network.openCount());
        assertTrue(Files.exists(folder.resolve("socket")));
    }

    @Test
    void closingTwiceClosesOnce() throws Exception {
        Listeners listeners = accepting(unix("socket"));
        whileLooping(() -> listeners.close(false));
        Files.deleteIfExists(folder.resolve("socket"));
        Files.createFile(folder.resolve("socket"));
        listeners.close(true);
        assertTrue(Files.exists(folder.resolve("socket")), "it is another's by now");
    }

    @Test
    void clientsInTheBacklogAreServedBeforeItCloses() throws Exception {
        Listeners listeners = accepting(ANY);
        listeners.pause(true);
        iterate();
        RawClient waiting = asking(listeners.all().getFirst());
        iterate();
        assertEquals(0, engine.open().get());
        whileLooping(() -> listeners.close(true));
        iterate();
        assertEquals("hello", waiting.response().text());
    }

    @Test
    void clientsInTheBacklogStayForTheProcessThatHasTheListener() throws Exception {
        Listeners listeners = accepting(ANY);
        listeners.pause(true);
        iterate();
        asking(listeners.all().getFirst());
        iterate();
        whileLooping(() -> listeners.close(false));
        iterate();
        assertEquals(0, engine.open().get());
    }

    @Test
    void listenersThatNoLoopHasAreClosedAtOnce() throws IOException {
        Listeners listeners = open(ANY, unix("socket"));
        listeners.closeUnused();
        assertEquals(0, network.openCount());
        assertFalse(Files.exists(folder.resolve("socket")));
    }
}
