package dev.tandem.lab;

import dev.tandem.load.Arrivals;
import dev.tandem.load.Client;
import dev.tandem.load.Load;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadReport;
import dev.tandem.load.LoadRun;
import dev.tandem.load.Outcome;
import dev.tandem.load.Period;
import dev.tandem.load.TimeLimits;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Loads a server that may reject requests, and reads the result. Immutable.
///
/// @param mix requests of the clients
/// @param calls of a session
/// @param think between them
/// @param client their protocol
record AdmissionLoad(List<AdmissionClients.Part> mix, int calls, Duration think, Client client) {
    /// A response counts as good within 10 s; this is also how long a client waits for progress.
    static final double GOOD_SECONDS = 10;

    static final String GOODPUT = "goodput/s";
    static final String P50 = "p50 ms";
    static final String P99 = "p99 ms";
    static final String REJECTED = "rejected/s";
    static final String REFUSED = "refused streams/s";
    static final String TIME_OUTS = "time-outs/s";
    static final String FAILED = "other failures/s";
    static final String COMPLETED = "completed sessions/s";
    static final String ABANDONED = "rejected on their way/s";
    static final String SERVER = "server's processors";
    static final String GENERATOR = "generator's share";
    static final String CONNECTIONS = "connections at once";

    /// Connections of the generator: the most that 20,000 descriptors leave.
    private static final int CONNECTIONS_MAX = 18_000;

    private static final double MEDIAN = 0.5;
    private static final double TAIL = 0.99;

    /// Clients of HTTP/1.1.
    AdmissionLoad(List<AdmissionClients.Part> mix, int calls, Duration think) {
        this(mix, calls, think, Client.DEFAULT.withFailingStatuses(Set.of()));
    }

    /// Returns the same with clients of HTTP/2 with prior knowledge, each on a connection of its
    /// own. A refused stream is not repeated: it is a rejection, as 503 is.
    AdmissionLoad overHttp2() {
        return new AdmissionLoad(
                mix,
                calls,
                think,
                client.withVersion(Client.Version.HTTP_2).withContinuingAfterFailure(true));
    }

    /// Duration of a measurement.
    ///
    /// @param rampSeconds at the beginning, in which nothing is counted
    record Timing(double rampSeconds, double seconds) {
        double totalSeconds() {
            return rampSeconds + seconds;
        }
    }

    /// Result of a measurement: what the clients received, and what the generator and the kernel
    /// report.
    record Result(AdmissionTally tally, LoadReport report, double serverProcessors) {

        long timeOuts() {
            return report.errorCount(Outcome.REPLY_TIMEOUT)
                    + report.errorCount(Outcome.CONNECT_TIMEOUT)
                    + report.errorCount(Outcome.SEND_TIMEOUT);
        }

        /// Responses per second with status 200 that were in time.
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
            figures.put(REJECTED, tally.rejected() / seconds);
            figures.put(TIME_OUTS, timeOuts() / seconds);
            long refused = report.errorCount(Outcome.STREAM_REFUSED);
            figures.put(REFUSED, refused / seconds);
            long others = report.errorCount() - timeOuts() - refused + tally.wrong();
            figures.put(FAILED, others / seconds);
            figures.put(COMPLETED, tally.completed() / seconds);
            figures.put(ABANDONED, tally.abandoned() / seconds);
            figures.put(SERVER, serverProcessors);
            figures.put(GENERATOR, generatorShare());
            figures.put(CONNECTIONS, (double) report.connections().concurrentMax());
            return figures;
        }
    }

    /// Clients that each request one target once, on a connection of their own.
    static AdmissionLoad once(String target) {
        return new AdmissionLoad(AdmissionClients.only(target), 1, Duration.ZERO);
    }

    /// An open loop.
    ///
    /// @param rate of new sessions, by a Poisson process
    Result open(RunningRival server, double rate, Timing timing, long seed)
            throws LabException, InterruptedException {
        return open(server, Period.poisson(rate), timing, seed);
    }

    Result open(RunningRival server, Period period, Timing timing, long seed)
            throws LabException, InterruptedException {
        AdmissionTally tally = tally(timing);
        var clients = new AdmissionClients(mix, calls, think, false, tally);
        return play(server, clients, load(server, Arrivals.open(period), timing, seed), timing);
    }

    /// A constant number of clients, each of which opens a new connection when another has
    /// disconnected; rejected clients retry after a pause.
    Result closed(RunningRival server, int clients, Timing timing, long seed)
            throws LabException, InterruptedException {
        var crowd = new AdmissionClients(mix, calls, think, true, tally(timing));
        return play(server, crowd, load(server, Arrivals.closed(clients), timing, seed), timing);
    }

    /// A constant number of persistent connections, on which the next request follows the last
    /// response.
    Result persistent(RunningRival server, int clients, Timing timing, long seed)
            throws LabException, InterruptedException {
        var crowd = AdmissionClients.endless(mix, tally(timing));
        return play(server, crowd, load(server, Arrivals.closed(clients), timing, seed), timing);
    }

    private static AdmissionTally tally(Timing timing) {
        long now = System.nanoTime();
        return new AdmissionTally(
                now + nanos(timing.rampSeconds), now + nanos(timing.totalSeconds()));
    }

    private Load load(RunningRival server, Arrivals arrivals, Timing timing, long seed) {
        return Load.of("http://127.0.0.1:" + server.port())
                .withArrivals(arrivals)
                .withTime(Duration.ofNanos(nanos(timing.totalSeconds())))
                .withWarmup(Duration.ofNanos(nanos(timing.rampSeconds)))
                .withDrain(Duration.ZERO)
                .withClient(client)
                .withTimeLimits(TimeLimits.of(Duration.ofNanos(nanos(GOOD_SECONDS))))
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

    private static Result play(
            RunningRival server, AdmissionClients clients, Load load, Timing timing)
            throws LabException, InterruptedException {
        try (LoadRun run = load.start(clients)) {
            Thread.sleep(Duration.ofNanos(nanos(timing.rampSeconds)));
            long from = System.nanoTime();
            double before = server.cpuSeconds();
            LoadReport report = run.await();
            double used = server.cpuSeconds() - before;
            double wall = (System.nanoTime() - from) / 1e9;
            server.needsLife();
            return new Result(clients.tally(), report, used / wall);
        } catch (LoadException e) {
            server.needsLife();
            throw new LabException(String.valueOf(e.getMessage()));
        }
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
    }
}
