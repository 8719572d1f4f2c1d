package dev.tandem.engine;

import dev.tandem.AccessLog;
import dev.tandem.Gauge;
import dev.tandem.KnownSessions;
import dev.tandem.Options;
import dev.tandem.admission.Admission;
import dev.tandem.admission.HandshakeAdmission;
import dev.tandem.admission.RequestLoad;
import dev.tandem.engine.container.ContainerOptions;
import dev.tandem.engine.site.Hosts;
import dev.tandem.engine.site.Site;
import dev.tandem.engine.site.Traffic;
import dev.tandem.engine.tls.TlsListeners;
import dev.tandem.engine.tuning.EngineTuning;
import dev.tandem.http.Body;
import dev.tandem.http.FileChangedException;
import dev.tandem.http.h1.Http1Limits;
import dev.tandem.net.Connection;
import dev.tandem.net.Loop;
import dev.tandem.net.NanoClock;
import dev.tandem.net.Network;
import dev.tandem.net.OpenFile;
import dev.tandem.net.RateLimitedLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// State that all connections of one server share. Safe for use by any thread. Its parts do not
/// refer to it.
public final class Engine {
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private final Options options;
    private final EngineTuning tuning;
    private final TimeoutNanos timeouts;
    private final Http1Limits http1Limits;
    private final Network network;
    private final WorkerPool workers;
    private final Dispatcher dispatcher;
    private final ClientWaits waits;
    private final WorkerShare endedSessions;
    private final Set<DetachedRequest> detached = ConcurrentHashMap.newKeySet();
    private final Set<Tunnel> tunnels = ConcurrentHashMap.newKeySet();
    private final SpareContexts spareContexts = new SpareContexts();
    private final MemoryBudget inputMemory = MemoryBudget.ofHeap();
    private final MemoryBudget outputMemory = MemoryBudget.ofHeap();
    private final Http2Counters http2 = new Http2Counters();
    private final FeedCounts feeds = new FeedCounts();
    private final RequestArrivals arrivals = new RequestArrivals();
    private volatile Hosts hosts;
    private volatile @Nullable AccessLog accessLog;
    private final ExchangeIds ids = new ExchangeIds();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger handshaking = new AtomicInteger();
    private final LongAdder accepted = new LongAdder();
    private final RateLimitedLog starved =
            new RateLimitedLog(NanoClock.SYSTEM, line -> Log.LOG.log(Level.WARNING, line));
    private final Set<Thread> loopThreads = ConcurrentHashMap.newKeySet();

    private final TlsListeners tls = new TlsListeners();
    private final HandshakeWorkers handshakes;
    private final UtilizationSampler utilization;
    private List<Gauge> gauges = List.of();
    private @Nullable Predicate<SocketAddress> balancers;
    private volatile boolean hasStarted;
    private volatile boolean areListenersClosed;
    private volatile boolean isWithdrawn;
    private volatile boolean isDraining;
    private volatile @Nullable Runnable drain;
    private volatile boolean isStopping;

    /// Threads for work other than handlers, such as sending more of a file.
    private static final int EXTRA_WORKERS = 16;

    /// A quarter of the workers handle the ends of WebSocket sessions: the rest is for requests.
    private static final int ENDS_PART = 4;

    /// Creates an engine with one site for all hosts.
    public Engine(Options options, Network network, Site site, @Nullable AccessLog accessLog) {
        this(options, EngineTuning.DEFAULT, network, Hosts.only(site), accessLog);
    }

    public Engine(
            Options options,
            EngineTuning tuning,
            Network network,
            Hosts hosts,
            @Nullable AccessLog accessLog) {
        this.options = options;
        this.tuning = tuning;
        this.timeouts = TimeoutNanos.of(options.timeouts());
        ContainerOptions container = tuning.container();
        this.http1Limits =
                new Http1Limits(
                        options.limits().heads(),
                        options.limits().chunks(),
                        container.usesSpecificStatus(),
                        container.isLenient());
        this.network = network;
        this.hosts = hosts;
        Site.Shared shared = hosts.fallback().shared();
        this.accessLog = accessLog;
        // Admission decides how many run; detached exchanges need threads, too.
        int streams = options.limits().eventStreamsMax();
        int most = 3 * options.threads().workersMax() + streams + EXTRA_WORKERS;
        this.workers =
                options.threads().isVirtual()
                        ? WorkerPool.virtual(Engine::workerContext)
                        : new WorkerPool(most, Engine::workerContext, this::lowerPriority);
        // In a server without workers the thread that has the loop runs all: there is no choice.
        boolean isAdmitting = tuning.isAdmitting() && !tuning.isAllOnLoop();
        this.dispatcher =
                new Dispatcher(shared.admission(), isAdmitting, options, workers, NanoClock.SYSTEM);
        this.waits = new ClientWaits(options);
        this.endedSessions =
                new WorkerShare(workers, Math.max(1, options.threads().workersMax() / ENDS_PART));
        this.handshakes =
                new HandshakeWorkers(
                        new HandshakeAdmission(PROCESSORS), handshakeMeans(shared.admission()));
        this.utilization =
                new UtilizationSampler(shared.admission(), handshakes::counters, NanoClock.SYSTEM);
        if (isAdmitting) {
            dispatcher.heartbeat().add(utilization::sample);
        }
    }

    /// Event loops and the JVM's compilers go before workers. Nothing depends on its success.
    private void lowerPriority() {
        int levels = options.threads().workersNice();
        if (levels > 0) {
            boolean _ = network.lowerPriority(levels);
        }
    }

    private static IoContext workerContext() {
        return IoContext.ofWorker(IoContext.WORKER_BUFFER);
    }

    private HandshakeWorkers.Means handshakeMeans(Admission admission) {
        return new HandshakeWorkers.Means(
                task -> workers.submit(_ -> task.run()),
                NanoClock.SYSTEM,
                nanos -> LockSupport.parkNanos(this, nanos),
                () ->
                        new RequestLoad(
                                CpuTime.of(loopThreads) + CpuTime.of(workers.threads()),
                                arrivals.first(),
                                arrivals.later(),
                                admission.hasWaiting()),
                this::mayRunInPlace,
                () -> workers.activeCount() == 0 && !admission.hasWaiting());
    }

    /// Returns all threads that may run requests, each a [ContextThread] unless it is virtual.
    public Stream<Thread> threads() {
        return Stream.concat(workers.threads().stream(), loopThreads.stream());
    }

    /// Returns the threads that have loops, or stand by to take them.
    public Set<Thread> loopThreads() {
        return loopThreads;
    }

    public Options options() {
        return options;
    }

    public EngineTuning tuning() {
        return tuning;
    }

    /// The time limits of [#options()] that apply to each request, in nanoseconds.
    public record TimeoutNanos(
            long head, long handshake, long bodyGrace, long writeStall, long linger) {
        private static TimeoutNanos of(Options.Timeouts timeouts) {
            return new TimeoutNanos(
                    timeouts.head().toNanos(),
                    timeouts.handshake().toNanos(),
                    timeouts.bodyGrace().toNanos(),
                    timeouts.writeStall().toNanos(),
                    timeouts.linger().toNanos());
        }
    }

    public TimeoutNanos timeouts() {
        return timeouts;
    }

    /// Returns what decoders of HTTP/1.1 accept.
    public Http1Limits http1Limits() {
        return http1Limits;
    }

    public Network network() {
        return network;
    }

    /// Opens a file to send.
    ///
    /// @throws FileChangedException if it no longer matches the region's stamp
    public OpenFile open(Body.FileRegion region) throws IOException {
        OpenFile file = network.open(region.path());
        boolean isSame =
                file.isRegular()
                        && file.size() == region.stamp().size()
                        && file.modifiedNanos() == region.stamp().modifiedNanos();
        if (!isSame) {
            file.close();
            throw new FileChangedException(region.path() + " changed while it was opened");
        }
        return file;
    }

    /// Returns the current sites; requests that have begun keep those that they began with.
    public Hosts hosts() {
        return hosts;
    }

    /// Returns the counts of the responses of all sites.
    public Traffic traffic() {
        return hosts.fallback().shared().traffic();
    }

    /// Serves other sites from the next request on.
    public void replaceSites(Hosts hosts, @Nullable AccessLog accessLog) {
        this.accessLog = accessLog;
        this.hosts = hosts;
    }

    public WorkerPool workers() {
        return workers;
    }

    /// Returns the workers' share that handles the ends of WebSocket sessions: thousands may end at
    /// once.
    public WorkerShare endedSessions() {
        return endedSessions;
    }

    public Dispatcher dispatcher() {
        return dispatcher;
    }

    /// Returns the requests that outlive the call that began them.
    public Set<DetachedRequest> detached() {
        return detached;
    }

    /// Returns the exchanges that have changed their protocol, each with a connection of its own.
    public Set<Tunnel> tunnels() {
        return tunnels;
    }

    /// Returns I/O contexts for threads that are not workers.
    public SpareContexts spareContexts() {
        return spareContexts;
    }

    public ClientWaits waits() {
        return waits;
    }

    public HandshakeWorkers handshakes() {
        return handshakes;
    }

    /// Returns the meter of how much of what the server can do is used.
    public UtilizationSampler utilization() {
        return utilization;
    }

    public TlsListeners tls() {
        return tls;
    }

    /// Returns the memory of input that no handler has read: bodies that loops collect, heads that
    /// are incomplete, and what follows a request that is queued or runs. Without room, bodies are
    /// read by workers, and less is read ahead.
    public MemoryBudget inputMemory() {
        return inputMemory;
    }

    /// Returns the memory of output that clients of HTTP/2 have not accepted, whose handlers may
    /// have returned. Without room, connections that hold more than their share start no requests.
    public MemoryBudget outputMemory() {
        return outputMemory;
    }

    /// Returns the counts of requests that have arrived.
    public RequestArrivals arrivals() {
        return arrivals;
    }

    /// Whether listeners offer HTTP/2: not where a container responds, which is connected by
    /// HTTP/1.1 only, nor in a server without workers.
    public boolean offersHttp2() {
        return options.http2().isEnabled() && !tuning.isAllOnLoop();
    }

    /// Returns the counts of HTTP/2.
    public Http2Counters http2() {
        return http2;
    }

    /// Returns the counts of responses that outlive their handlers.
    public FeedCounts feeds() {
        return feeds;
    }

    /// Sets the gauges of parts of the site. Called before the server starts.
    public void gauges(List<Gauge> gauges) {
        this.gauges = List.copyOf(gauges);
    }

    /// Sets what recognises sessions that other servers began. Called before the server starts.
    public void knownSessions(KnownSessions known) {
        dispatcher.cookies().recognise(known);
    }

    /// Sets which peers are load balancers. Called before the server starts.
    public void balancers(Predicate<SocketAddress> balancers) {
        this.balancers = balancers;
    }

    /// Returns whether a connection carries requests of many clients.
    public boolean isOfBalancer(Connection connection) {
        Predicate<SocketAddress> known = balancers;
        return known != null && known.test(connection.socket().remoteAddress());
    }

    public List<Gauge> gauges() {
        return gauges;
    }

    public @Nullable AccessLog accessLog() {
        return accessLog;
    }

    ExchangeIds ids() {
        return ids;
    }

    /// Returns the count of open connections.
    public AtomicInteger open() {
        return open;
    }

    /// Returns the count of those that are in their TLS handshake.
    public AtomicInteger handshaking() {
        return handshaking;
    }

    /// Returns the count of all connections that were accepted.
    public LongAdder accepted() {
        return accepted;
    }

    /// Returns the log of exchanges that failed for lack of descriptors.
    RateLimitedLog starved() {
        return starved;
    }

    /// Whether the thread that has the loop may run a short handler itself: not if other
    /// connections wait for it while a processor is idle.
    public boolean mayRunInPlace(Loop loop) {
        return loop.hasThreads()
                && options.threads().isInPlace()
                && !(loop.hasPendingEvents() && hasProcessorToSpare());
    }

    /// Whether fewer threads of the server run than there are processors.
    private boolean hasProcessorToSpare() {
        return workers.activeCount() < PROCESSORS - options.threads().loops();
    }

    /// Notes that the server accepts connections, or will when it is resumed.
    public void started() {
        hasStarted = true;
    }

    public boolean hasStarted() {
        return hasStarted;
    }

    /// Notes that no new connection is accepted any more.
    public void listenersClosed() {
        areListenersClosed = true;
    }

    public boolean areListenersClosed() {
        return areListenersClosed;
    }

    /// Whether responses close their connections from now on.
    public boolean isDraining() {
        return isDraining;
    }

    /// Whether idle connections are closed, too: a client may be about to use one whose last
    /// response did not announce its end.
    public boolean isStopping() {
        return isStopping;
    }

    /// Whether balancers are asked to use another server, while everything is served as before.
    public boolean isWithdrawn() {
        return isWithdrawn || isDraining;
    }

    public void withdraw() {
        isWithdrawn = true;
    }

    /// Sets what a request to drain at the management address does; it must return at once.
    public void onDrain(Runnable drain) {
        this.drain = drain;
    }

    /// Returns what a request to drain does; null if such requests are rejected.
    public @Nullable Runnable drain() {
        return drain;
    }

    public void beginDraining() {
        isDraining = true;
    }

    public void beginToStop() {
        isDraining = true;
        isStopping = true;
    }
}
