package dev.tandem.server;

import dev.tandem.admission.Admission;
import dev.tandem.net.Acceptor;
import dev.tandem.net.Crew;
import dev.tandem.net.Loop;
import dev.tandem.net.NanoClock;
import dev.tandem.net.Poller;
import dev.tandem.net.TimingWheel;
import dev.tandem.tls.TlsConfigException;
import dev.tandem.tls.TlsContext;
import dev.tandem.tls.TlsCounters;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A server that runs. Its loops are ordinary threads that keep the process alive until it is
/// stopped. Safe for use by any thread.
public final class Server implements AutoCloseable {
    /// How often a stopping server looks whether all is done.
    private static final long LOOK_MILLIS = 5;

    /// How often it is looked whether ticket keys are due: a minute.
    private static final long REFRESH_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Engine engine;
    private final List<Door> doors;
    private final List<Loop> loops = new ArrayList<>();
    private final List<Accepting> acceptors = new ArrayList<>();
    private final List<Crew> crews = new ArrayList<>();

    /// The threads of loops without a crew, from which nobody takes them.
    private final List<Thread> loners = new ArrayList<>();

    private final CountDownLatch end = new CountDownLatch(1);
    private boolean isStopped;

    /// Tells how this one fares; the last to stop.
    private @Nullable Server management;

    /// Whether it accepts; guarded by the list of acceptors.
    private boolean isGateOpen = true;

    private volatile boolean isPaused;

    /// An acceptor and whose it is.
    private record Accepting(Loop loop, Acceptor acceptor) {}

    private Server(Engine engine, List<Door> doors) {
        this.engine = engine;
        this.doors = doors;
    }

    static Server start(Engine engine, List<Endpoint> endpoints) throws IOException {
        return start(engine, endpoints, false);
    }

    /// @param isPaused whether it waits for [#resume()] before it accepts
    static Server start(Engine engine, List<Endpoint> endpoints, boolean isPaused)
            throws IOException {
        var server = new Server(engine, open(engine, endpoints));
        try {
            server.addLoops();
        } catch (IOException e) {
            server.loops.forEach(Loop::close);
            server.closeDoors();
            throw e;
        }
        if (isPaused) {
            server.pause(); // the first that the loops do
        }
        server.keepTicketKeys();
        server.crews.forEach(Crew::start);
        server.loners.forEach(Thread::start);
        engine.turns().heartbeat().add(server::swingGate);
        engine.turns().heartbeat().start();
        Thread.ofPlatform().daemon().name("tandem-log").start(Log::prepare);
        return server;
    }

    private void addLoops() throws IOException {
        Options options = engine.options();
        int each = Math.max(1, options.connectionsMax() / options.loops());
        for (int i = 0; i < options.loops(); i++) {
            Poller poller = engine.network().poller();
            var loop = new Loop(poller, NanoClock.SYSTEM, options.loopBuffer());
            loops.add(loop);
            Kit kit = Kit.ofLoop(engine, loop.input());
            for (Door door : doors) {
                var acceptor = new Acceptor(loop, door.listener(), door.factory(kit), each);
                acceptors.add(new Accepting(loop, acceptor));
                acceptor.start();
            }
            String name = "tandem-loop-" + (i + 1);
            ThreadFactory threads = task -> new LoopThread(task, name, Kit.ofLoopThread(engine));
            if (options.isAllOnLoop()) {
                loop.forbidWaiting();
                loners.add(threads.newThread(loop::run));
            } else {
                crews.add(new Crew(loop, threads, Server::relieved));
            }
        }
    }

    /// Has the loops accept or not, as admission says and nobody has forbidden.
    private void swingGate() {
        synchronized (acceptors) {
            boolean isOpen = !isPaused && engine.turns().isGateOpen();
            if (isOpen == isGateOpen || engine.isStopping()) {
                return;
            }
            isGateOpen = isOpen;
            Events.gateSwung(isOpen);
            for (Accepting accepting : acceptors) {
                Acceptor acceptor = accepting.acceptor();
                accepting.loop().execute(isOpen ? acceptor::resume : acceptor::pause);
            }
        }
    }

    /// Accepts no new connections until [#resume()]: they wait in the kernel's backlog. Open ones
    /// go on.
    public void pause() {
        isPaused = true;
        swingGate();
    }

    /// Accepts again.
    public void resume() {
        isPaused = false;
        swingGate();
    }

    private static void relieved(Thread holder, boolean isWaiting) {
        ((LoopThread) holder).relieved(isWaiting);
    }

    private static List<Door> open(Engine engine, List<Endpoint> endpoints) throws IOException {
        var open = new ArrayList<Door>();
        try {
            for (Endpoint endpoint : endpoints) {
                open.add(Door.open(engine, endpoint));
            }
            return List.copyOf(open);
        } catch (IOException | RuntimeException e) {
            open.forEach(Door::close);
            throw e;
        }
    }

    private void closeDoors() {
        doors.forEach(Door::close);
    }

    // ---- TLS.

    /// Looks every minute whether ticket keys are due.
    private void keepTicketKeys() {
        if (contexts().isEmpty()) {
            return;
        }
        Loop loop = loops.getFirst();
        var next = new AtomicReference<TimingWheel.@Nullable Deadline>();
        var due =
                new TimingWheel.Deadline(
                        () -> {
                            engine.workers().submit(_ -> refreshTicketKeys());
                            scheduleRefresh(loop, next.get());
                        });
        next.set(due);
        loop.execute(() -> scheduleRefresh(loop, due));
    }

    private static void scheduleRefresh(Loop loop, TimingWheel.@Nullable Deadline due) {
        if (due != null) {
            loop.timers().schedule(due, loop.nowNanos() + REFRESH_NANOS);
        }
    }

    private void refreshTicketKeys() {
        for (TlsContext context : contexts()) {
            try {
                context.refresh();
            } catch (TlsConfigException e) {
                Log.LOG.log(Level.WARNING, "ticket keys stay as they are: " + e.getMessage());
            }
        }
    }

    private List<TlsContext> contexts() {
        return doors.stream().map(Door::tls).filter(Objects::nonNull).toList();
    }

    /// Reads certificates and keys again. New connections get what was read; open ones stay.
    ///
    /// @throws TlsConfigException if a file cannot be used; its message names it. What could not be
    ///     read stays as it was
    public void reloadTls() throws TlsConfigException {
        for (TlsContext context : contexts()) {
            context.reload();
        }
    }

    /// What counts TLS handshakes and failures, one for each TLS listener in their order.
    public List<TlsCounters> tlsCounters() {
        return contexts().stream().map(TlsContext::counters).toList();
    }

    /// What became of handshakes that asked to be done.
    public Handshakes handshakes() {
        return engine.handshakeTurns().counts();
    }

    /// Which engine does the cryptography; empty if there is no TLS.
    public String tlsEngine() {
        return contexts().isEmpty() ? "" : contexts().getFirst().engineName();
    }

    // ---- What it is.

    /// Where it listens, at first.
    public InetSocketAddress address() {
        return addresses().getFirst();
    }

    /// Where it listens, in the order in which that was said.
    public List<InetSocketAddress> addresses() {
        return doors.stream().map(door -> (InetSocketAddress) door.listener().local()).toList();
    }

    public int port() {
        return address().getPort();
    }

    /// Where it can be asked how it fares ([Tandem#manage]); null if nowhere.
    public @Nullable InetSocketAddress managementAddress() {
        return management == null ? null : management.address();
    }

    Admission admission() {
        return engine.turns().admission();
    }

    void managedBy(Server management) {
        this.management = management;
    }

    /// Which sockets it uses: `epoll` or `nio`.
    public String network() {
        return engine.network().name();
    }

    /// How many connections are open.
    public int connectionCount() {
        return engine.open().get();
    }

    /// How many requests wait to be admitted; see [dev.tandem.admission.Admission].
    public int waitingCount() {
        return engine.turns().admission().waitingCount();
    }

    /// How many worker threads there are now.
    public int workerCount() {
        return engine.workers().size();
    }

    /// Stops: takes no new connections, closes idle ones, lets what runs finish.
    ///
    /// @param grace how long what runs may take; after it, connections are closed and workers
    ///     interrupted
    /// @return whether all was done within the grace
    public synchronized boolean stop(Duration grace) {
        if (isStopped) {
            return true;
        }
        isStopped = true;
        engine.beginToStop();
        stopAccepting();
        engine.handshakeTurns().stop();
        loops.forEach(Loop::announceStop);
        boolean isDone = awaitNone(System.nanoTime() + grace.toNanos());
        engine.turns().stop();
        engine.workers().stop();
        engine.shared().forEach(ExchangeWire::drop);
        loops.forEach(Loop::stop);
        crews.forEach(Server::awaitEnd);
        awaitLoners();
        if (management != null) {
            management.stop(Management.GRACE);
        }
        end.countDown();
        return isDone;
    }

    private static void awaitEnd(Crew crew) {
        try {
            crew.awaitEnd(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// All of them together may take as long as a crew; who still runs then is interrupted.
    private void awaitLoners() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        try {
            for (Thread loner : loners) {
                long left = Math.max(1, end - System.nanoTime());
                if (!loner.join(Duration.ofNanos(left))) {
                    loner.interrupt();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The listener is closed once no loop uses it, and at once after that, so that clients are
    /// refused and do not wait in a backlog that nobody empties.
    private void stopAccepting() {
        var left = new CountDownLatch(acceptors.size());
        for (Accepting accepting : acceptors) {
            accepting
                    .loop()
                    .execute(
                            () -> {
                                accepting.acceptor().close();
                                left.countDown();
                            });
        }
        try {
            // Where all runs on loops, handlers may well be at work on them.
            if (!left.await(1, TimeUnit.SECONDS) && !engine.options().isAllOnLoop()) {
                Log.LOG.log(
                        Level.WARNING,
                        "an event loop is blocked: a handler that never blocks does");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closeDoors();
    }

    private boolean awaitNone(long untilNanos) {
        try {
            while (connectionCount() > 0) {
                if (System.nanoTime() - untilNanos >= 0) {
                    return false;
                }
                Thread.sleep(LOOK_MILLIS);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Waits until the server was stopped.
    public void join() throws InterruptedException {
        end.await();
    }

    /// Stops with the grace that the options say.
    @Override
    public void close() {
        stop(engine.options().stopGrace());
    }
}
