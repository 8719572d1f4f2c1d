package dev.tandem;

import dev.tandem.admission.Admission;
import dev.tandem.admission.HandshakeCounters;
import dev.tandem.engine.Descriptors;
import dev.tandem.engine.Engine;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.Log;
import dev.tandem.engine.LoopThread;
import dev.tandem.engine.listen.Endpoint;
import dev.tandem.engine.listen.ListenerBinding;
import dev.tandem.engine.listen.Listeners;
import dev.tandem.engine.manage.Management;
import dev.tandem.engine.manage.Metrics;
import dev.tandem.engine.manage.ThreadTrace;
import dev.tandem.engine.site.Hosts;
import dev.tandem.engine.tuning.EngineTuning;
import dev.tandem.net.Listener;
import dev.tandem.net.Loop;
import dev.tandem.net.LoopThreads;
import dev.tandem.net.NanoClock;
import dev.tandem.net.Poller;
import dev.tandem.net.TimingWheel;
import dev.tandem.tls.TlsConfigException;
import dev.tandem.tls.TlsContext;
import dev.tandem.tls.TlsCounters;
import dev.tandem.tls.TlsSettings;
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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A running server. Its loops are non-daemon threads, which keep the process alive until it is
/// stopped. Safe for use by any thread.
public final class Server implements AutoCloseable {
    /// Interval at which a stopping server checks whether all connections are closed.
    private static final long CHECK_MILLIS = 5;

    /// Tunnels are ended after a tenth of the grace: 3 s of 30, so that a stop is not held up.
    private static final int TUNNELS_PART = 10;

    /// How long a retiring server keeps idle connections, on which clients may be about to send a
    /// request: 10 s.
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// How long a stopping server lets TLS handshakes finish, whose clients have no request to
    /// repeat yet: 2 s.
    private static final Duration HANDSHAKES = Duration.ofSeconds(2);

    /// And a fifth of the grace at most: running requests have the rest.
    private static final int HANDSHAKES_PART = 5;

    /// How long a server whose grace is over waits for handlers of sessions' ends: 1 s.
    private static final long ENDS_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// Interval of the check whether ticket keys must be rotated: a minute.
    private static final long REFRESH_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Engine engine;
    private final Listeners listeners;
    private final List<Loop> loops = new ArrayList<>();
    private final List<LoopThreads> loopThreads = new ArrayList<>();

    /// The threads of loops that run all handlers themselves, without a watchdog.
    private final List<Thread> unwatchedThreads = new ArrayList<>();

    /// Held while a configuration or certificates are reloaded, one at a time. A stop does not wait
    /// for it.
    private final ReentrantLock reloads = new ReentrantLock();

    private final CountDownLatch end = new CountDownLatch(1);
    private boolean isStopped;

    /// The server of the management address; stopped last.
    private @Nullable Server management;

    private boolean areTicketKeysKept;
    private Runnable beforeManagementStops = () -> {};

    private Server(Engine engine, Listeners listeners) {
        this.engine = engine;
        this.listeners = listeners;
    }

    /// @param inherited listeners that are already open
    /// @param isPaused whether it waits for [#resume()] before it accepts
    static Server start(
            Engine engine, List<Endpoint> endpoints, List<Listener> inherited, boolean isPaused)
            throws IOException {
        String problem = Descriptors.problem(engine.options().limits().connectionsMax());
        if (problem != null) {
            Log.LOG.log(Level.WARNING, problem);
        }
        var server = new Server(engine, Listeners.open(engine, endpoints, inherited));
        if (isPaused) {
            server.pause();
        }
        try {
            server.addLoops();
        } catch (IOException e) {
            server.loops.forEach(Loop::close);
            server.listeners.closeUnused();
            throw e;
        }
        server.keepTicketKeys();
        server.loopThreads.forEach(LoopThreads::start);
        server.unwatchedThreads.forEach(Thread::start);
        engine.dispatcher().heartbeat().add(server.listeners::applyGate);
        engine.dispatcher().heartbeat().start();
        Thread.ofPlatform().daemon().name("tandem-log").start(Log::prepare);
        return server;
    }

    private void addLoops() throws IOException {
        EngineTuning tuning = engine.tuning();
        int count = engine.options().threads().loops();
        int each = Math.max(1, engine.options().limits().connectionsMax() / count);
        for (int i = 0; i < count; i++) {
            Poller poller = engine.network().poller();
            var loop = new Loop(poller, NanoClock.SYSTEM, tuning.loopBuffer());
            loop.closeIdleAfter(engine.options().timeouts().idle().toNanos());
            loops.add(loop);
            IoContext context = IoContext.ofLoop(loop.input(), tuning.loopBuffer());
            loop.gatherOutputIn(context.output());
            listeners.addLoop(loop, context, each);
            String name = "tandem-loop-" + (i + 1);
            ThreadFactory threads = task -> loopThread(task, name);
            if (tuning.isAllOnLoop()) {
                loop.forbidBlocking();
                unwatchedThreads.add(threads.newThread(loop::run));
            } else {
                loopThreads.add(new LoopThreads(loop, threads, Server::relieved));
            }
        }
    }

    private LoopThread loopThread(Runnable task, String name) {
        int buffer = Math.min(IoContext.WORKER_BUFFER, engine.tuning().loopBuffer());
        return new LoopThread(task, name, IoContext.ofLoopThread(buffer), engine.loopThreads());
    }

    /// Stops accepting connections until [#resume()]: they wait in the kernel's backlog. Open
    /// connections are served.
    public void pause() {
        listeners.pause(true);
    }

    // ---- Leaving a fleet.

    /// Asks balancers to use another server: `/ready` responds with 503. Everything is served as
    /// before.
    public void withdraw() {
        engine.withdraw();
    }

    /// Returns whether it was withdrawn, or stops.
    public boolean isWithdrawn() {
        return engine.isWithdrawn();
    }

    /// Ends connections with their next responses (`Connection: close`; GOAWAY), so that clients
    /// use another server for the next request. Listeners stay open, and idle connections, too.
    public void endConnections() {
        engine.withdraw();
        engine.beginDraining();
        drainStreams();
    }

    /// Sets what `POST /drain` at the management address, and so `tandem drain`, does; without it,
    /// such requests are rejected.
    ///
    /// @param drain must return at once
    public void onDrain(Runnable drain) {
        engine.onDrain(drain);
    }

    /// Returns what it does, and how much of what it can do, at this moment: for load balancers.
    /// Takes some tens of microseconds.
    public ServerLoad load() {
        return ServerLoad.of(engine);
    }

    /// Has clients that speak HTTP/2 use other connections for further requests (GOAWAY); running
    /// ones are completed. Connections of HTTP/1.1 are not affected.
    public void drainStreams() {
        loops.forEach(Loop::announceEnd);
    }

    /// Resumes accepting.
    public void resume() {
        listeners.pause(false);
    }

    /// Closes the listeners: new connections are refused by the kernel, so that a balancer uses
    /// another server at once. Connections in the backlog are accepted. Open connections are served
    /// until [#stop].
    public synchronized void closeListeners() {
        if (!isStopped) {
            listeners.close(true);
        }
    }

    /// Closes connections without a request. While the server is paused, new connections wait.
    /// Returns when all are closed, or after a second if a loop is busy: then they are closed
    /// later.
    public void closeIdle() {
        var left = new CountDownLatch(loops.size());
        for (Loop loop : loops) {
            loop.execute(
                    () -> {
                        loop.evict(loop.connectionCount());
                        left.countDown();
                    });
        }
        try {
            left.await(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void relieved(Thread holder, boolean isWaiting) {
        ((LoopThread) holder).relieved(isWaiting);
    }

    // ---- Changes.

    /// Replaces the configuration without interrupting anything: running requests finish as they
    /// began, connections of HTTP/1.1 stay open, and later requests get the sites, the filters, the
    /// error pages and the access log of `next`. Clients that speak HTTP/2 use new connections for
    /// later requests ([#drainStreams]), so that they learn of new certificates and settings.
    /// Listeners are opened and closed, and their protocols changed, as `next` defines;
    /// certificates and keys are read again. Listeners at addresses that stay are not closed.
    ///
    /// The options, the network and the management address do not change: those need a new server.
    /// Where an address is replaced by one that includes it, the old listener is still open when
    /// the new one is opened, and conflicts with it: that needs two calls.
    ///
    /// @throws IOException if an address or a certificate cannot be used; nothing is changed then
    /// @throws IllegalArgumentException if two routes or hosts are in conflict; nothing is changed
    ///     then
    /// @throws IllegalStateException if the server was stopped, or its listeners closed; nothing is
    ///     changed then
    public void reload(Tandem next) throws IOException {
        reloads.lock();
        try {
            Hosts hosts = next.hosts(engine.hosts().fallback().shared());
            Runnable commit = () -> engine.replaceSites(hosts, next.accessLog());
            listeners.change(next.endpoints(), next.inherited(), commit);
            drainStreams();
            keepTicketKeys();
        } finally {
            reloads.unlock();
        }
    }

    /// Runs a short task on the first loop, again and again until the server stops.
    void repeat(long intervalNanos, Runnable task) {
        Loop loop = loops.getFirst();
        var next = new AtomicReference<TimingWheel.@Nullable Deadline>();
        Runnable schedule =
                () -> {
                    if (next.get() instanceof TimingWheel.Deadline due) {
                        loop.timers().schedule(due, loop.nowNanos() + intervalNanos);
                    }
                };
        next.set(
                new TimingWheel.Deadline(
                        () -> {
                            schedule.run();
                            task.run();
                        }));
        loop.execute(schedule);
    }

    // ---- TLS.

    /// Schedules the check every minute whether ticket keys must be rotated.
    private void keepTicketKeys() {
        if (contexts().isEmpty() || areTicketKeysKept) {
            return;
        }
        areTicketKeysKept = true;
        repeat(REFRESH_NANOS, () -> engine.workers().submit(_ -> refreshTicketKeys()));
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
        return listeners.all().stream().map(ListenerBinding::tls).filter(Objects::nonNull).toList();
    }

    /// Reads certificates and keys again. New connections use them; open ones are not affected.
    ///
    /// @throws TlsConfigException if a file of a listener cannot be used; its message names it.
    /// That
    ///     listener keeps its certificates; the others have new ones
    public void reloadTls() throws TlsConfigException {
        reloadTls(UnaryOperator.identity());
    }

    /// As [#reloadTls()], and changes the settings of all listeners, except the choice of their
    /// engines.
    public void reloadTls(UnaryOperator<TlsSettings> change) throws TlsConfigException {
        reloads.lock(); // else these settings could replace those of a reload
        try {
            reloadContexts(change);
        } finally {
            reloads.unlock();
        }
    }

    private void reloadContexts(UnaryOperator<TlsSettings> change) throws TlsConfigException {
        TlsConfigException failure = null;
        for (TlsContext context : contexts()) {
            try {
                context.reload(change.apply(context.settings()));
                context.invalidCertificates().forEach(line -> Log.LOG.log(Level.WARNING, line));
            } catch (TlsConfigException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /// Returns the counters of TLS handshakes and failures, one for each TLS listener in their
    /// order.
    public List<TlsCounters> tlsCounters() {
        return contexts().stream().map(TlsContext::counters).toList();
    }

    /// Returns the counts of admitted and rejected handshakes.
    public HandshakeCounters handshakes() {
        return engine.handshakes().counters();
    }

    /// Returns the name of the engine that does the cryptography; empty if there is no TLS.
    public String tlsEngine() {
        return contexts().isEmpty() ? "" : contexts().getFirst().engineName();
    }

    // ---- What it is.

    /// Returns the address of the first listener.
    ///
    /// @throws java.util.NoSuchElementException if it listens only at Unix-domain sockets
    public InetSocketAddress address() {
        return addresses().getFirst();
    }

    /// Returns the addresses of its listeners, in their configured order, without Unix-domain
    /// sockets.
    public List<InetSocketAddress> addresses() {
        return listeners().stream()
                .map(Listener::localAddress)
                .filter(InetSocketAddress.class::isInstance)
                .map(InetSocketAddress.class::cast)
                .toList();
    }

    /// Returns its listeners, in their configured order. They belong to the server: callers may
    /// only inspect them, and send them to the process that replaces this one.
    public List<Listener> listeners() {
        return listeners.all().stream().map(ListenerBinding::listener).toList();
    }

    /// Returns the listener of the management address; null if there is none.
    public @Nullable Listener managementListener() {
        return management == null ? null : management.listeners().getFirst();
    }

    public int port() {
        return address().getPort();
    }

    /// Returns the management address ([Tandem#manage]); null if there is none, or if it is a
    /// Unix-domain socket, which [#managementListener()] returns.
    public @Nullable InetSocketAddress managementAddress() {
        return managementListener() instanceof Listener listener
                        && listener.localAddress() instanceof InetSocketAddress inet
                ? inet
                : null;
    }

    Admission admission() {
        return engine.dispatcher().admission();
    }

    /// @param beforeItStops called before the management server stops
    void managedBy(Server management, Runnable beforeItStops) {
        this.management = management;
        this.beforeManagementStops = beforeItStops;
    }

    /// Returns the name of its network: `epoll` or `nio`.
    public String network() {
        return engine.network().name();
    }

    /// Begins to record what each thread does. One recording of each process at a time is useful;
    /// more are possible, and record the same.
    public TraceRecording record() {
        return new TraceRecording(ThreadTrace.start(engine));
    }

    /// Returns the metrics of `/metrics` at this moment, for other exporters. Safe for use by any
    /// thread; takes some hundred microseconds.
    public List<Metric> metrics() {
        return Metrics.of(engine).all();
    }

    /// Returns the number of open connections.
    public int connectionCount() {
        return engine.open().get();
    }

    /// Returns the number of requests that wait to be admitted; see
    /// [dev.tandem.admission.Admission].
    public int waitingCount() {
        return engine.dispatcher().admission().waitingCount();
    }

    /// Returns the number of requests that have a worker.
    public int runningCount() {
        return engine.dispatcher().admission().counters().running();
    }

    /// Returns the number of worker threads.
    public int workerCount() {
        return engine.workers().size();
    }

    /// Stops: closes the listeners, lets TLS handshakes finish for up to 2 s, closes idle
    /// connections, and lets running requests finish.
    ///
    /// @param grace how long running requests may take; after it, connections are closed and
    ///     workers interrupted
    /// @return whether all requests finished within the grace
    public boolean stop(Duration grace) {
        return stop(grace, HANDSHAKES);
    }

    /// @param handshakes how long TLS handshakes may take; a fifth of the grace at most
    synchronized boolean stop(Duration grace, Duration handshakes) {
        if (isStopped) {
            return true;
        }
        long begun = System.nanoTime();
        engine.beginDraining();
        listeners.close(true);
        long most = grace.dividedBy(HANDSHAKES_PART).toNanos();
        awaitHandshakes(begun + Math.min(most, handshakes.toNanos()));
        return end(grace.minusNanos(System.nanoTime() - begun));
    }

    /// Stops after another process has taken over the listeners: closes no connection on which a
    /// client may be about to send a request. Each gets `Connection: close` with its next response,
    /// and only those without a request for 10 s are closed without one.
    ///
    /// @param grace as in [#stop]; the 10 s come before it
    /// @return whether all requests finished
    public synchronized boolean retire(Duration grace) {
        if (isStopped) {
            return true;
        }
        engine.beginDraining();
        listeners.close(false);
        awaitNone(System.nanoTime() + IDLE_NANOS);
        return end(grace);
    }

    private boolean end(Duration grace) {
        isStopped = true;
        engine.beginToStop();
        tried(engine.handshakes()::stop);
        loops.forEach(loop -> tried(loop::announceStop));
        boolean isDone = awaitRequests(grace);
        tried(engine.dispatcher()::stop);
        tried(engine.workers()::stop);
        engine.detached().forEach(request -> tried(request::drop));
        loops.forEach(loop -> tried(loop::stop));
        loopThreads.forEach(Server::awaitEnd);
        boolean _ = awaitNone(System.nanoTime() + ENDS_NANOS); // sessions end with their loops
        awaitUnwatched();
        tried(engine.dispatcher()::stop); // closes what the loops have queued meanwhile
        if (management != null) {
            beforeManagementStops.run();
            management.stop(Management.GRACE);
        }
        end.countDown();
        return isDone;
    }

    /// Does a part of the stop: whatever fails in it, such as for lack of memory, the rest follows.
    private static void tried(Runnable part) {
        try {
            part.run();
        } catch (Throwable e) {
            Log.failure("a part of the stop failed", e);
        }
    }

    private static void awaitEnd(LoopThreads threads) {
        try {
            threads.awaitEnd(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Waits 5 s for all of them together; threads that still run then are interrupted.
    private void awaitUnwatched() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        try {
            for (Thread thread : unwatchedThreads) {
                long left = Math.max(1, end - System.nanoTime());
                if (!thread.join(Duration.ofNanos(left))) {
                    thread.interrupt();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitHandshakes(long untilNanos) {
        boolean _ = await(() -> engine.handshaking().get() == 0, untilNanos);
    }

    /// Waits for running requests. Tunnels have no end of their own: they are ended once nothing
    /// else is open, at the latest after a tenth of the grace.
    private boolean awaitRequests(Duration grace) {
        long begun = System.nanoTime();
        long nanos = grace.toNanos();
        var tunnels = engine.tunnels();
        boolean _ = await(() -> connectionCount() <= tunnels.size(), begun + nanos / TUNNELS_PART);
        return await(
                () -> {
                    tunnels.forEach(tunnel -> tried(tunnel::endSoon));
                    return connectionCount() == 0;
                },
                begun + nanos);
    }

    private boolean awaitNone(long untilNanos) {
        return await(() -> connectionCount() == 0, untilNanos);
    }

    private static boolean await(BooleanSupplier holds, long untilNanos) {
        try {
            while (!holds.getAsBoolean()) {
                if (System.nanoTime() - untilNanos >= 0) {
                    return false;
                }
                Thread.sleep(CHECK_MILLIS);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Waits until the server is stopped.
    public void join() throws InterruptedException {
        end.await();
    }

    /// Stops with the grace of the options.
    @Override
    public void close() {
        stop(engine.options().timeouts().stopGrace());
    }
}
