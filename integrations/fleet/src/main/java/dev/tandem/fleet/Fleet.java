package dev.tandem.fleet;

import dev.tandem.Gauge;
import dev.tandem.Server;
import dev.tandem.ServerLoad;
import dev.tandem.Tandem;
import dev.tandem.http.Filter;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.RequestHead;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// An instance's part in a fleet behind load balancers:
///
/// ```java
/// var agent = new InetSocketAddress("10.0.0.5", 8091);
/// Fleet fleet = Fleet.open(FleetOptions.DEFAULT.withAgent(agent));
/// Server server = fleet.addTo(Tandem.listen(8080)).get("/", handler).start();
/// fleet.join(server);
/// fleet.drain(Duration.ofSeconds(30)); // at the end, in place of server.stop
/// ```
///
/// Balancers get replies from [#open] on: until [#join], that the instance is not ready. One
/// daemon thread replies to them and measures once a second; the path of a request is not affected,
/// except for a header where load reports are enabled. Safe for use by any thread.
public final class Fleet implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.tandem.fleet");
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long CHECK_MILLIS = 20;

    private final FleetOptions options;
    private final @Nullable Agent agent;
    private final @Nullable SessionMarks marks;
    private final Weight weight;
    private final Askers askers = new Askers();
    private final Thread thread;
    private volatile Phase phase = Phase.STARTING;
    private volatile LoadReport report;
    private volatile String header;
    private volatile @Nullable Server server;
    private volatile boolean hasAskers;
    private volatile Phase heardByAll = Phase.STARTING;
    private volatile int balancers = 1;
    private volatile boolean hasLeft;
    private volatile boolean isClosed;
    private volatile boolean isDegraded;

    /// What balancers are asked to do.
    enum Phase {
        STARTING,
        SERVING,
        DRAINING,
        ENDING
    }

    private Fleet(FleetOptions options, long nameNanos) throws IOException {
        this.options = options;
        this.weight = new Weight(options.capacity());
        this.report = LoadReport.first(weight.requestsPerSecond());
        this.header = report.orca();
        Path secret = options.secret();
        this.marks = secret == null ? null : SessionMarks.open(secret);
        InetSocketAddress address = options.agent();
        this.agent =
                address == null
                        ? null
                        : Agent.open(address, options::isTrusted, this::reply, nameNanos);
        this.thread = Thread.ofPlatform().daemon().name("tandem-fleet").unstarted(this::run);
    }

    /// Opens the agent's port, and reads the secret.
    ///
    /// @throws IOException if one is not available; names it
    public static Fleet open(FleetOptions options) throws IOException {
        return open(options, Agent.NAME_NANOS);
    }

    /// @param nameNanos how long the agent waits for the name of a check's backend
    static Fleet open(FleetOptions options, long nameNanos) throws IOException {
        var fleet = new Fleet(options, nameNanos);
        fleet.thread.start();
        return fleet;
    }

    /// Adds load reports to the responses of a server, where they are enabled, and all that
    /// [#addToContainer] adds.
    public Tandem addTo(Tandem tandem) {
        filters().forEach(tandem::filter);
        return addToContainer(tandem);
    }

    /// Adds gauges, and what recognises sessions, to a server whose responses a container makes:
    /// these get their headers by [#addHeaders].
    public Tandem addToContainer(Tandem tandem) {
        gauges().forEach(tandem::gauge);
        SessionMarks known = marks;
        if (known != null) {
            tandem.knownSessions(known);
            // Each client of a balancer has a mark, so its connections say nothing.
            tandem.balancers(options::isTrusted);
        }
        return tandem;
    }

    /// Returns the filters of each site: for load reports and session marks, where they are
    /// enabled.
    public List<Filter> filters() {
        var filters = new ArrayList<Filter>();
        if (options.reportsLoad()) {
            filters.add(reports());
        }
        SessionMarks known = marks;
        if (known != null) {
            filters.add(known.filter());
        }
        return filters;
    }

    /// Returns what recognises the sessions of other instances; null where there is no secret.
    public @Nullable SessionMarks marks() {
        return marks;
    }

    private Filter reports() {
        return (x, next) -> {
            if (options.isTrusted(x.request().remoteAddress())) {
                reportHeaders((name, value) -> x.header(name, value));
            }
            next.handle(x);
        };
    }

    /// Receives headers.
    @FunctionalInterface
    public interface Headers {
        void set(String name, String value);
    }

    /// Adds the headers of a response: a load report to a peer, and a mark for a client that has
    /// none, where they are enabled. For servers that have no filters.
    ///
    /// @param isSecure whether the request came by TLS
    public void addHeaders(
            SocketAddress peer, RequestHead head, boolean isSecure, Headers response) {
        if (options.reportsLoad() && options.isTrusted(peer)) {
            reportHeaders(response);
        }
        SessionMarks known = marks;
        if (known != null && !(head.has(KnownHeader.COOKIE) && known.isMarked(head))) {
            response.set("Set-Cookie", known.cookie(isSecure).toString());
        }
    }

    private void reportHeaders(Headers response) {
        String reported = header;
        if (!reported.isEmpty()) {
            response.set("endpoint-load-metrics", reported);
        }
        if (phase != Phase.SERVING) {
            response.set("x-envoy-immediate-health-check-fail", "true");
        } else if (isDegraded) {
            response.set("x-envoy-degraded", "true");
        }
    }

    public FleetOptions options() {
        return options;
    }

    /// Returns what `/metrics` shows of it.
    public List<Gauge> gauges() {
        return List.of(
                new Gauge(
                        "fleet",
                        "weight",
                        "Share of its usual requests that this instance asks for, in percent.",
                        () -> report.weight()),
                new Gauge(
                        "fleet",
                        "warmth",
                        "Part of that which it is warm enough for, 0 to 1.",
                        weight::warmth),
                new Gauge(
                        "fleet",
                        "speed",
                        "Its processors and what they do, as a part of the most, 0 to 1.",
                        weight::speed),
                new Gauge(
                        "fleet",
                        "balancers",
                        "Balancers that asked in the last ten seconds.",
                        () -> balancers),
                new Gauge(
                        "fleet",
                        "draining",
                        "1 while balancers are asked to send no more requests.",
                        () -> phase == Phase.SERVING ? 0 : 1));
    }

    /// Reports a server that has started as ready; `tandem drain` then drains it by `onDrain`.
    public void join(Server started) {
        server = started;
        hasLeft = false;
        phase = Phase.SERVING;
    }

    /// Returns the address of the agent; null if there is none.
    public @Nullable InetSocketAddress agentAddress() throws IOException {
        return agent == null ? null : agent.address();
    }

    /// Returns the weight that is reported now, 1 to 100.
    public int weight() {
        return report.weight();
    }

    // ---- The thread.

    private void run() {
        var intervals = new Intervals();
        long next = System.nanoTime() + INTERVAL_NANOS;
        while (!isClosed) {
            try {
                if (agent == null) {
                    LockSupport.parkNanos(this, next - System.nanoTime());
                } else {
                    agent.serve(next);
                }
                if (System.nanoTime() - next >= 0) {
                    next = System.nanoTime() + INTERVAL_NANOS;
                    intervals.end();
                }
            } catch (IOException | RuntimeException | Error e) {
                // Balancers continue without reports, and the instance without balancers' checks,
                // until the next, also after a lack of memory.
                failed(e);
            }
        }
        if (agent != null) {
            agent.close();
        }
    }

    private void failed(Throwable e) {
        try {
            LOG.log(Level.WARNING, "a report to balancers failed: " + e);
        } catch (OutOfMemoryError _) {
            // The balancers notice it.
        }
        LockSupport.parkNanos(this, INTERVAL_NANOS);
    }

    /// Measures each interval. Confined to the thread.
    private final class Intervals {
        private final @Nullable CompilationMXBean compiler =
                ManagementFactory.getCompilationMXBean();
        private final RoomForAdmission room = new RoomForAdmission();
        private @Nullable ServerLoad before;
        private long at;
        private long compiledMillis;

        void end() {
            SessionMarks known = marks;
            if (known != null) {
                known.refresh(); // also while there are no requests
            }
            Server measured = server;
            balancers = askers.count(System.nanoTime());
            hasAskers = askers.areThere(System.nanoTime());
            if (measured == null) {
                return;
            }
            ServerLoad now = measured.load();
            ServerLoad last = before;
            long nanos = System.nanoTime();
            long compiled = compiled();
            if (last != null) {
                double seconds = Math.max(nanos - at, 1) / 1e9;
                end(last, now, seconds, (compiled - compiledMillis) / 1e3);
            }
            before = now;
            at = nanos;
            compiledMillis = compiled;
        }

        private long compiled() {
            CompilationMXBean known = compiler;
            return known != null && known.isCompilationTimeMonitoringSupported()
                    ? known.getTotalCompilationTime()
                    : 0;
        }

        private void end(ServerLoad last, ServerLoad now, double seconds, double compiling) {
            double responses = now.responses() - last.responses();
            double rejected = now.rejected() - last.rejected();
            double served = Math.max(0, responses - rejected);
            double processors = now.utilization().processors();
            double accepted = served > 0 ? served / (served + Math.max(0, rejected)) : 1;
            weight.ended(
                    new Weight.Interval(
                            seconds,
                            served,
                            processors,
                            now.processors(),
                            accepted,
                            compiling,
                            now.learned()));
            var ended =
                    new LoadReport(
                            processors,
                            served / seconds,
                            Math.max(0, now.errors() - last.errors()) / seconds,
                            weight.requestsPerSecond(),
                            weight.percent(),
                            room.requests(now.workers(), served / seconds) + now.detached());
            report = ended;
            header = ended.orca();
            isDegraded = now.isDegraded();
        }
    }

    private String reply(InetAddress from, String name, long now) {
        Phase current = phase;
        askers.asked(from, name, current, now);
        heardByAll = askers.heardByAll(now);
        hasAskers = true;
        int sharing = options.balancers() > 0 ? options.balancers() : askers.count(now);
        return switch (current) {
            case STARTING -> "down\n";
            case SERVING -> report.agentLine(sharing);
            case DRAINING -> "drain\n";
            case ENDING -> "maint\n";
        };
    }

    // ---- The end.

    /// Stops the server so that no request is lost:
    ///
    /// 1. Balancers are asked to send no more: the agent says `drain`, `/ready` fails, Envoy's
    ///    health check fails. For the time of the notice everything is served as before; for less
    ///    if all balancers have asked since, and no connection is open.
    /// 2. Connections end with their next responses. The agent says `maint`, so that clients with
    ///    a cookie for this instance go to others, too.
    /// 3. When all connections have ended, or the time for it is over, the server is stopped.
    ///
    /// Returns when it has stopped: at once, if it has already left. An interrupt ends the waiting,
    /// not the stop.
    ///
    /// @param grace as in [Server#stop]
    /// @return whether all requests finished
    public boolean drain(Duration grace) {
        leave();
        Server draining = server;
        return draining == null || draining.stop(grace);
    }

    /// The first two steps of [#drain]: for servers that something else stops afterwards.
    public void leave() {
        Server draining = server;
        if (draining == null || hasLeft) {
            return; // a second wait would be in vain: the agent may be closed by now
        }
        withdraw();
        await(options.notice(), () -> isKnown(Phase.DRAINING) && draining.connectionCount() == 0);
        phase = Phase.ENDING;
        draining.endConnections();
        await(options.ending(), () -> draining.connectionCount() == 0 && mayStop());
        hasLeft = true;
    }

    /// Returns whether no balancer is known to send clients with a cookie here still: each has
    /// heard `maint`, or none asks.
    private boolean mayStop() {
        return isKnown(Phase.ENDING) || !hasAskers;
    }

    private boolean isKnown(Phase least) {
        return heardByAll.compareTo(least) >= 0;
    }

    /// Asks balancers to send no more requests; everything is served as before.
    public void withdraw() {
        Server withdrawn = server;
        if (phase == Phase.SERVING && withdrawn != null) {
            phase = Phase.DRAINING;
            withdrawn.withdraw();
        }
    }

    @FunctionalInterface
    private interface Condition {
        boolean holds();
    }

    private static void await(Duration most, Condition end) {
        long until = System.nanoTime() + most.toNanos();
        try {
            while (System.nanoTime() - until < 0 && !end.holds()) {
                Thread.sleep(CHECK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Closes the agent's port, after the server has stopped. Waits a second at most.
    @Override
    public void close() {
        isClosed = true;
        if (agent != null) {
            agent.wake();
        }
        LockSupport.unpark(thread);
        try {
            thread.join(Duration.ofSeconds(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
