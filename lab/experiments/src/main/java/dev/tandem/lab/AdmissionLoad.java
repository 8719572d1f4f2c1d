package dev.tandem.lab;

import dev.tandem.load.Arrivals;
import dev.tandem.load.Client;
import dev.tandem.load.Load;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadReport;
import dev.tandem.load.LoadRun;
import dev.tandem.load.Outcome;
import dev.tandem.load.Patience;
import dev.tandem.load.Period;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Plays visitors whom a server may refuse, and reads what came of it. Immutable.
///
/// @param mix what they ask for
/// @param calls of a session
/// @param think between them
record AdmissionLoad(List<AdmissionVisitors.Part> mix, int calls, Duration think) {
    /// An answer within 10 s is one; it is also how long a visitor waits for progress.
    static final double GOOD_SECONDS = 10;

    static final String GOODPUT = "goodput/s";
    static final String P50 = "p50 ms";
    static final String P99 = "p99 ms";
    static final String REFUSED = "refused/s";
    static final String TIME_OUTS = "time-outs/s";
    static final String FAILED = "other failures/s";
    static final String COMPLETED = "completed sessions/s";
    static final String ABANDONED = "refused on their way/s";
    static final String SERVER = "server's processors";
    static final String GENERATOR = "generator's share";
    static final String CONNECTIONS = "connections at once";

    /// Connections of the generator: the most that 20,000 descriptors leave.
    private static final int CONNECTIONS_MAX = 18_000;

    private static final double MEDIAN = 0.5;
    private static final double TAIL = 0.99;

    /// How long a take is.
    ///
    /// @param rampSeconds at the beginning, in which nothing is counted
    record Lasting(double rampSeconds, double seconds) {
        double inAll() {
            return rampSeconds + seconds;
        }
    }

    /// What came of a take: what the visitors got, and what the generator and the kernel tell.
    record Take(AdmissionTally tally, LoadReport report, double serverProcessors) {

        long timeOuts() {
            return report.errorCount(Outcome.REPLY_TIMEOUT)
                    + report.errorCount(Outcome.CONNECT_TIMEOUT)
                    + report.errorCount(Outcome.SEND_TIMEOUT);
        }

        /// Answers of status 200 and in time, each second.
        double goodput() {
            return tally.good(GOOD_SECONDS) / tally.seconds();
        }

        double generatorShare() {
            LoadReport.Generator generator = report.generator();
            double own = generator.userSeconds() + generator.systemSeconds();
            return Math.max(generator.busyShare(), Math.min(1, own / report.seconds()));
        }

        Reading reading() {
            return new Reading(figures(), generatorShare());
        }

        Map<String, Double> figures() {
            double seconds = tally.seconds();
            var figures = new LinkedHashMap<String, Double>();
            figures.put(GOODPUT, goodput());
            figures.put(P50, tally.millis(MEDIAN));
            figures.put(P99, tally.millis(TAIL));
            figures.put(REFUSED, tally.refused() / seconds);
            figures.put(TIME_OUTS, timeOuts() / seconds);
            long others = report.errorCount() - timeOuts() + tally.wrong();
            figures.put(FAILED, others / seconds);
            figures.put(COMPLETED, tally.completed() / seconds);
            figures.put(ABANDONED, tally.abandoned() / seconds);
            figures.put(SERVER, serverProcessors);
            figures.put(GENERATOR, generatorShare());
            figures.put(CONNECTIONS, (double) report.connections().concurrentMax());
            return figures;
        }
    }

    /// Visitors who ask once for one target, each on a connection of its own.
    static AdmissionLoad once(String target) {
        return new AdmissionLoad(AdmissionVisitors.only(target), 1, Duration.ZERO);
    }

    /// An open loop.
    ///
    /// @param rate of new sessions, by a Poisson process
    Take open(RunningRival server, double rate, Lasting lasting, long seed)
            throws LabException, InterruptedException {
        return open(server, Period.poisson(rate), lasting, seed);
    }

    Take open(RunningRival server, Period period, Lasting lasting, long seed)
            throws LabException, InterruptedException {
        AdmissionTally tally = tally(lasting);
        var visitors = new AdmissionVisitors(mix, calls, think, false, tally);
        return play(server, visitors, load(server, Arrivals.open(period), lasting, seed), lasting);
    }

    /// As many visitors at any time, each coming on a new connection when the last has left; those
    /// who are refused come again after a pause.
    Take closed(RunningRival server, int visitors, Lasting lasting, long seed)
            throws LabException, InterruptedException {
        var crowd = new AdmissionVisitors(mix, calls, think, true, tally(lasting));
        return play(server, crowd, load(server, Arrivals.closed(visitors), lasting, seed), lasting);
    }

    /// As many kept connections, on which the next request follows the last answer.
    Take kept(RunningRival server, int visitors, Lasting lasting, long seed)
            throws LabException, InterruptedException {
        var crowd = AdmissionVisitors.endless(mix, tally(lasting));
        return play(server, crowd, load(server, Arrivals.closed(visitors), lasting, seed), lasting);
    }

    private static AdmissionTally tally(Lasting lasting) {
        long now = System.nanoTime();
        return new AdmissionTally(now + nanos(lasting.rampSeconds), now + nanos(lasting.inAll()));
    }

    private static Load load(RunningRival server, Arrivals arrivals, Lasting lasting, long seed) {
        return Load.of("http://127.0.0.1:" + server.port())
                .withArrivals(arrivals)
                .withTime(Duration.ofNanos(nanos(lasting.inAll())))
                .withWarmup(Duration.ofNanos(nanos(lasting.rampSeconds)))
                .withDrain(Duration.ZERO)
                .withClient(Client.DEFAULT.withFailingStatuses(Set.of()))
                .withPatience(Patience.of(Duration.ofNanos(nanos(GOOD_SECONDS))))
                .withConnectionsMax(Math.min(CONNECTIONS_MAX, descriptors()))
                .withSeed(seed);
    }

    private static int descriptors() {
        try {
            return Math.max(64, Kernel.descriptorsMax() - 512);
        } catch (LabException e) {
            return CONNECTIONS_MAX;
        }
    }

    private static Take play(
            RunningRival server, AdmissionVisitors visitors, Load load, Lasting lasting)
            throws LabException, InterruptedException {
        try (LoadRun run = load.start(visitors)) {
            Thread.sleep(Duration.ofNanos(nanos(lasting.rampSeconds)));
            long from = System.nanoTime();
            double before = server.cpuSeconds();
            LoadReport report = run.await();
            double used = server.cpuSeconds() - before;
            double wall = (System.nanoTime() - from) / 1e9;
            server.needsLife();
            return new Take(visitors.tally(), report, used / wall);
        } catch (LoadException e) {
            server.needsLife();
            throw new LabException(String.valueOf(e.getMessage()));
        }
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
    }
}
