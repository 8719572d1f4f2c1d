package dev.tandem.server;

import dev.tandem.net.Loop;
import dev.tandem.net.NanoClock;
import dev.tandem.net.Network;
import dev.tandem.net.SparseLog;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What every connection of one server shares. Safe for use by any thread.
final class Engine {
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private final Options options;
    private final Network network;
    private final Site site;
    private final Workers workers;
    private final Turns turns;
    private final ClientWaits waits;
    private final Collected collected = Collected.ofHeap();
    private final @Nullable AccessLog accessLog;
    private final ExchangeIds ids = new ExchangeIds();
    private final AtomicInteger open = new AtomicInteger();
    private final SparseLog starved =
            new SparseLog(NanoClock.SYSTEM, line -> Log.LOG.log(Level.WARNING, line));
    private final HandshakeTurns handshakeTurns;
    private volatile boolean isStopping;
    private volatile List<Supplier<List<Told>>> tellers = List.of();

    /// Threads for what is no handler's run, such as sending a file on.
    private static final int EXTRA_WORKERS = 16;

    Engine(Options options, Network network, Site site, @Nullable AccessLog accessLog) {
        this.options = options;
        this.network = network;
        this.site = site;
        this.accessLog = accessLog;
        // Admission decides how many run; those that it has set apart need threads, too.
        int most = 3 * options.workersMax() + options.eventStreamsMax() + EXTRA_WORKERS;
        this.workers = new Workers(most, () -> Kit.ofWorker(this));
        this.turns =
                new Turns(
                        site.admission(),
                        workers,
                        new SessionCookies(options.sessionCookies()),
                        NanoClock.SYSTEM);
        this.waits = new ClientWaits(options);
        this.handshakeTurns =
                new HandshakeLanes(
                        task -> workers.submit(_ -> task.run()), NanoClock.SYSTEM, PROCESSORS);
    }

    void tellers(List<Supplier<List<Told>>> tellers) {
        this.tellers = List.copyOf(tellers);
    }

    /// What parts of the site tell of themselves at the moment.
    List<Told> told() {
        return tellers.stream().flatMap(teller -> teller.get().stream()).toList();
    }

    Options options() {
        return options;
    }

    Network network() {
        return network;
    }

    Site site() {
        return site;
    }

    Workers workers() {
        return workers;
    }

    Turns turns() {
        return turns;
    }

    ClientWaits waits() {
        return waits;
    }

    HandshakeTurns handshakeTurns() {
        return handshakeTurns;
    }

    Collected collected() {
        return collected;
    }

    @Nullable AccessLog accessLog() {
        return accessLog;
    }

    ExchangeIds ids() {
        return ids;
    }

    /// Counts the open connections.
    AtomicInteger open() {
        return open;
    }

    /// Where it is said that an exchange found no descriptor for what it wanted to open.
    SparseLog starved() {
        return starved;
    }

    /// Whether the thread that has the loop may run a short handler itself: not if others wait for
    /// it while a processor has nothing to do.
    boolean mayRunInPlace(Loop loop) {
        return loop.isCrewed()
                && options.isInPlace()
                && !(loop.hasMoreReady() && hasProcessorToSpare());
    }

    /// Whether fewer threads of ours are at work than there are processors.
    private boolean hasProcessorToSpare() {
        return workers.activeCount() < PROCESSORS - options.loops();
    }

    /// Whether answers close their connections from now on.
    boolean isStopping() {
        return isStopping;
    }

    void beginToStop() {
        isStopping = true;
    }
}
