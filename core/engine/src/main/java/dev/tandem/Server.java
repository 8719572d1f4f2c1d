package dev.tandem;

import dev.tandem.admission.Admission;
import dev.tandem.admission.HandshakeCounters;
import dev.tandem.engine.DetachedRequest;
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

    /// How long clients may be about to use a connection that was idle when the server retires:
    /// 10 s.
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// How often it is looked whether ticket keys are due: a minute.
    private static final long REFRESH_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Engine engine;
    private final Listeners doors;
    private final List<Loop> loops = new ArrayList<>();
    private final List<LoopThreads> crews = new ArrayList<>();

    /// The threads of loops without a crew, from which nobody takes them.
    private final List<Thread> loners = new ArrayList<>();

    private final CountDownLatch end = new CountDownLatch(1);
    private boolean isStopped;

    /// Tells how this one fares; the last to stop.
    private @Nullable Server management;

    private boolean areTicketKeysKept;
    private Runnable beforeManagementStops = () -> {};

    private Server(Engine engine, Listeners doors) {
        this.engine = engine;
        this.doors = doors;
    }

    /// @param inherited listeners that are open already
    /// @param isPaused whether it waits for [#resume()] before it accepts
    static Server start(
            Engine engine, List<Endpoint> endpoints, List<Listener> inherited, boolean isPaused)
            throws IOException {
        var server = new Server(engine, Listeners.open(engine, endpoints, inherited));
        if (isPaused) {
            server.pause();
        }
        try {
            server.addLoops();
        } catch (IOException e) {
            server.loops.forEach(Loop::close);
            server.doors.closeUnused();
            throw e;
        }
        server.keepTicketKeys();
        server.crews.forEach(LoopThreads::start);
        server.loners.forEach(Thread::start);
        engine.dispatcher().heartbeat().add(server.doors::applyGate);
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
            loops.add(loop);
            IoContext context = IoContext.ofLoop(loop.input(), tuning.loopBuffer());
            doors.addLoop(loop, context, each);
            String name = "tandem-loop-" + (i + 1);
            ThreadFactory threads = task -> loopThread(task, name);
            if (tuning.isAllOnLoop()) {
                loop.forbidBlocking();
                loners.add(threads.newThread(loop::run));
            } else {
                crews.add(new LoopThreads(loop, threads, Server::relieved));
            }
        }
    }

    private LoopThread loopThread(Runnable task, String name) {
        int buffer = Math.min(IoContext.WORKER_BUFFER, engine.tuning().loopBuffer());
        return new LoopThread(task, name, IoContext.ofWorker(buffer), engine.loopThreads());
    }

    /// Accepts no new connections until [#resume()]: they wait in the kernel's backlog. Open ones
    /// go on.
    public void pause() {
        doors.pause(true);
    }

    /// Accepts again.
    public void resume() {
        doors.pause(false);
    }

    /// Accepts no new connections any more: the listeners are closed, and who comes is refused, so
    /// that a balancer goes elsewhere at once. Who waited in the backlog is taken in. Open
    /// connections go on; what is left to do is [#stop].
    public synchronized void closeListeners() {
        if (!isStopped) {
            doors.close(true);
        }
    }

    /// Closes connections whose clients ask for nothing now. Who asks later, over a new one, waits
    /// while the server is paused. Returns when it is done, or after a second if a loop is busy:
    /// then it is done later.
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

    /// Serves what another builder says, without an end to anything: requests that run go on as
    /// they began, connections stay open, the next requests get the sites, the filters, the error
    /// pages and the access log of `next`. It listens where `next` says, and speaks there what it
    /// says; certificates and keys are read again. Listeners at addresses that stay are not
    /// closed.
    ///
    /// The options, the network and the management address stay as they were: those need a new
    /// server. Where an address is replaced by one that includes it, the old one is still open
    /// when the new one is opened, and in its way: that needs two calls.
    ///
    /// @throws IOException if an address or a certificate is not to be had; all is as it was
    /// @throws IllegalArgumentException if two routes or hosts are in conflict; all is as it was
    /// @throws IllegalStateException if the server was stopped
    public synchronized void reload(Tandem next) throws IOException {
        if (isStopped) {
            throw new IllegalStateException("the server is stopped");
        }
        Hosts hosts = next.hosts(engine.hosts().fallback().shared());
        Runnable commit = () -> engine.become(hosts, next.accessLog());
        doors.change(next.endpoints(), next.inherited(), commit);
        keepTicketKeys();
    }

    // ---- TLS.

    /// Looks every minute whether ticket keys are due.
    private void keepTicketKeys() {
        if (contexts().isEmpty() || areTicketKeysKept) {
            return;
        }
        areTicketKeysKept = true;
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
        return doors.all().stream().map(ListenerBinding::tls).filter(Objects::nonNull).toList();
    }

    /// Reads certificates and keys again. New connections get what was read; open ones stay.
    ///
    /// @throws TlsConfigException if a file cannot be used; its message names it. What could not
    ///     be read stays as it was
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
    public HandshakeCounters handshakes() {
        return engine.handshakes().counters();
    }

    /// Which engine does the cryptography; empty if there is no TLS.
    public String tlsEngine() {
        return contexts().isEmpty() ? "" : contexts().getFirst().engineName();
    }

    // ---- What it is.

    /// Where it listens, at first.
    ///
    /// @throws java.util.NoSuchElementException if only at Unix-domain sockets
    public InetSocketAddress address() {
        return addresses().getFirst();
    }

    /// Where it listens, in the order in which that was said, but for Unix-domain sockets.
    public List<InetSocketAddress> addresses() {
        return listeners().stream()
                .map(Listener::localAddress)
                .filter(InetSocketAddress.class::isInstance)
                .map(InetSocketAddress.class::cast)
                .toList();
    }

    /// What it listens by, in the order in which that was said. They are the server's: for others
    /// only to look at, and to be sent to the process that follows this one.
    public List<Listener> listeners() {
        return doors.all().stream().map(ListenerBinding::listener).toList();
    }

    /// The same for the management address; null if there is none.
    public @Nullable Listener managementListener() {
        return management == null ? null : management.listeners().getFirst();
    }

    public int port() {
        return address().getPort();
    }

    /// Where it can be asked how it fares ([Tandem#manage]); null if nowhere, or at a Unix-domain
    /// socket, which [#managementListener()] tells.
    public @Nullable InetSocketAddress managementAddress() {
        return managementListener() instanceof Listener listener
                        && listener.localAddress() instanceof InetSocketAddress inet
                ? inet
                : null;
    }

    Admission admission() {
        return engine.dispatcher().admission();
    }

    /// @param beforeItStops does what is left to do
    void managedBy(Server management, Runnable beforeItStops) {
        this.management = management;
        this.beforeManagementStops = beforeItStops;
    }

    /// Which sockets it uses: `epoll` or `nio`.
    public String network() {
        return engine.network().name();
    }

    /// Begins to record what each thread does. One recording of each process at a time is useful;
    /// more are possible, and see the same.
    public TraceRecording record() {
        return new TraceRecording(ThreadTrace.start(engine));
    }

    /// What `/metrics` tells, at this moment: for those who carry it elsewhere. Safe for use by any
    /// thread; takes some hundred microseconds.
    public List<Metric> metrics() {
        return Metrics.of(engine).all();
    }

    /// How many connections are open.
    public int connectionCount() {
        return engine.open().get();
    }

    /// How many requests wait to be admitted; see [dev.tandem.admission.Admission].
    public int waitingCount() {
        return engine.dispatcher().admission().waitingCount();
    }

    /// How many requests have a worker now.
    public int runningCount() {
        return engine.dispatcher().admission().counters().running();
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
        engine.beginToLeave();
        doors.close(true);
        return end(grace);
    }

    /// Stops since another process has the same listeners, and takes the newcomers: closes no
    /// connection that a client may be about to use. Each is told to close with its next answer,
    /// and only those that say nothing for 10 s are closed without one.
    ///
    /// @param grace as of [#stop]; the 10 s are no part of it
    /// @return whether all was done
    public synchronized boolean retire(Duration grace) {
        if (isStopped) {
            return true;
        }
        engine.beginToLeave();
        doors.close(false);
        awaitNone(System.nanoTime() + IDLE_NANOS);
        return end(grace);
    }

    private boolean end(Duration grace) {
        isStopped = true;
        engine.beginToStop();
        engine.handshakes().stop();
        loops.forEach(Loop::announceStop);
        boolean isDone = awaitNone(System.nanoTime() + grace.toNanos());
        engine.dispatcher().stop();
        engine.workers().stop();
        engine.detached().forEach(DetachedRequest::drop);
        loops.forEach(Loop::stop);
        crews.forEach(Server::awaitEnd);
        awaitLoners();
        if (management != null) {
            beforeManagementStops.run();
            management.stop(Management.GRACE);
        }
        end.countDown();
        return isDone;
    }

    private static void awaitEnd(LoopThreads crew) {
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
        stop(engine.options().timeouts().stopGrace());
    }
}
