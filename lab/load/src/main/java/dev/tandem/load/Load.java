package dev.tandem.load;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How a workload is run: against which target, when its sessions start, with what clients.
/// Immutable.
///
/// ```
/// LoadReport report = Load.of("http://127.0.0.1:8080")
///         .withArrivals(Arrivals.open(Period.poisson(500)))
///         .withTime(Duration.ofSeconds(30))
///         .run(Repeat.sessions(Call.get("/hello"), 10, Duration.ofSeconds(1)));
/// ```
///
/// Each `with` method returns a copy and throws [IllegalArgumentException], naming limit and value,
/// if the value is out of range.
public final class Load {
    private final Target target;
    private Arrivals arrivals = Arrivals.closed(1);
    private Duration time = Duration.ofSeconds(10);
    private Duration warmup = Duration.ZERO;
    private Duration drain = Duration.ofSeconds(30);
    private Client client = Client.DEFAULT;
    private TimeLimits timeLimits = TimeLimits.DEFAULT;
    private int threads = 1;
    private int connectionsMax;
    private long seed = 1;
    private boolean isOwn;
    private @Nullable Transcript transcript;

    private Load(Target target) {
        this.target = target;
    }

    private Load(Load l) {
        this(l.target);
        arrivals = l.arrivals;
        time = l.time;
        warmup = l.warmup;
        drain = l.drain;
        client = l.client;
        timeLimits = l.timeLimits;
        threads = l.threads;
        connectionsMax = l.connectionsMax;
        seed = l.seed;
        isOwn = l.isOwn;
        transcript = l.transcript;
    }

    public static Load of(Target target) {
        return new Load(target);
    }

    /// @throws IllegalArgumentException as [Target#of(String)]
    public static Load of(String uri) {
        return new Load(Target.of(uri));
    }

    /// Records all calls in a transcript; none by default.
    public Load withTranscript(Transcript other) {
        var l = new Load(this);
        l.transcript = other;
        return l;
    }

    @Nullable Transcript transcript() {
        return transcript;
    }

    /// When sessions start; by default one user at a time.
    public Load withArrivals(Arrivals other) {
        var l = new Load(this);
        l.arrivals = other;
        return l;
    }

    /// The time during which sessions start, with the warm-up; 10 s. 0 is without end, and then the
    /// arrivals need a [Arrivals#sessionsMax()]. A closed loop ends at once when the time is over,
    /// and calls under way are not counted; an open one lets active sessions finish.
    public Load withTime(Duration other) {
        check("time", other);
        var l = new Load(this);
        l.time = other;
        return l;
    }

    /// The time at the start during which nothing is counted; 0.
    public Load withWarmup(Duration other) {
        check("warmup", other);
        var l = new Load(this);
        l.warmup = other;
        return l;
    }

    /// The time that active sessions may take to finish after the last one has started; 30 s. 0
    /// ends them at once. Sessions that have not finished are counted as unfinished.
    public Load withDrain(Duration other) {
        check("drain", other);
        var l = new Load(this);
        l.drain = other;
        return l;
    }

    private static void check(String name, Duration time) {
        if (time.isNegative() || time.compareTo(Duration.ofDays(30)) > 0) {
            throw new IllegalArgumentException(name + " must be 0 to 30 days, was " + time);
        }
    }

    public Load withClient(Client other) {
        var l = new Load(this);
        l.client = other;
        return l;
    }

    public Load withTimeLimits(TimeLimits other) {
        var l = new Load(this);
        l.timeLimits = other;
        return l;
    }

    /// The number of the generator's threads; 1. Each is an event loop of its own. 1 to 256.
    public Load withThreads(int count) {
        if (count < 1 || count > 256) {
            throw new IllegalArgumentException("threads must be 1..256, was " + count);
        }
        var l = new Load(this);
        l.threads = count;
        return l;
    }

    /// The maximum number of concurrent connections; beyond it a new one is
    /// [Outcome#NO_DESCRIPTOR]. The default, 0, means as many as the process's limit on descriptors
    /// allows.
    public Load withConnectionsMax(int connections) {
        if (connections < 0) {
            throw new IllegalArgumentException(
                    "connectionsMax must not be negative, was " + connections);
        }
        var l = new Load(this);
        l.connectionsMax = connections;
        return l;
    }

    /// The seed of all random numbers of the run; 1.
    public Load withSeed(long other) {
        var l = new Load(this);
        l.seed = other;
        return l;
    }

    /// Declares that the target belongs to the caller. Without it, only this machine's loopback may
    /// be loaded.
    public Load withOwnTarget(boolean isOwn) {
        var l = new Load(this);
        l.isOwn = isOwn;
        return l;
    }

    /// Starts the run.
    ///
    /// @throws IllegalArgumentException if the target is not on the loopback and [#withOwnTarget]
    ///     does not allow it, if there is no end, or if a closed loop has more users than this
    ///     process may have descriptors; the message says what to change
    /// @throws LoadException if the system gives no sockets
    public LoadRun start(Workload workload) throws LoadException {
        return LoadRun.start(this, workload);
    }

    /// Runs to the end.
    ///
    /// @throws LoadException as [#start], or if the workload fails
    public LoadReport run(Workload workload) throws LoadException, InterruptedException {
        try (LoadRun run = start(workload)) {
            return run.await();
        }
    }

    public Target target() {
        return target;
    }

    public Arrivals arrivals() {
        return arrivals;
    }

    public Duration time() {
        return time;
    }

    public Duration warmup() {
        return warmup;
    }

    public Duration drain() {
        return drain;
    }

    public Client client() {
        return client;
    }

    public TimeLimits timeLimits() {
        return timeLimits;
    }

    public int threads() {
        return threads;
    }

    public int connectionsMax() {
        return connectionsMax;
    }

    public long seed() {
        return seed;
    }

    public boolean isOwnTarget() {
        return isOwn;
    }
}
