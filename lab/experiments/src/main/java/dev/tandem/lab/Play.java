package dev.tandem.lab;

import dev.tandem.load.Arrivals;
import dev.tandem.load.Load;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadReport;
import dev.tandem.load.LoadRun;
import dev.tandem.load.Outcome;
import dev.tandem.load.Patience;
import dev.tandem.load.Period;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/// Plays a workload against a server, in an open loop, and reads its figures. Immutable.
///
/// @param seed the same gives the same sessions at the same times
record Play(Visitors visitors, Lasting lasting, long seed) {
    static final String REPLIES = "replies/s";
    static final String RESPONSE = "response ms";
    static final String RESPONSE_P99 = "p99 ms";
    static final String CLOSED = "closed idle/s";
    static final String CUT = "cut/s";
    static final String FAILED = "failed calls/s";
    static final String SESSIONS = "completed sessions/s";
    static final String SERVER = "server's processors";
    static final String GENERATOR_MICROS = "generator's µs/reply";
    static final String GENERATOR = "generator's share";
    static final String CONNECTIONS = "connections at once";
    static final String MEGABYTES = "MB/s";
    static final String FULL = "full handshakes/s";
    static final String RESUMED = "resumed handshakes/s";
    static final String GOOD = "good replies/s";
    static final String REFUSED = "refused/s";
    static final String TIME_OUTS = "time-outs/s";
    static final String WRONG = "wrong replies/s";
    static final String LIFE = "session s";

    /// Microseconds, and bytes of a megabyte.
    private static final double MILLION = 1e6;

    /// How long a take is.
    ///
    /// @param rampSeconds at the beginning, when all visitors are new: nothing is counted
    /// @param seconds that are counted
    record Lasting(double rampSeconds, double seconds) {
        double inAll() {
            return rampSeconds + seconds;
        }
    }

    Play with(Visitors other) {
        return new Play(other, lasting, seed);
    }

    Play lasting(Lasting other) {
        return new Play(visitors, other, seed);
    }

    Play withSeed(long other) {
        return new Play(visitors, lasting, other);
    }

    /// @param rate new sessions per second, by a Poisson process; over 0
    /// @throws LabException if the server ends, or the generator fails
    Reading take(RunningRival server, double rate) throws LabException, InterruptedException {
        Load load =
                Load.of(server.address())
                        .withArrivals(Arrivals.open(Period.poisson(rate)))
                        .withTime(duration(lasting.inAll()))
                        .withWarmup(duration(lasting.rampSeconds))
                        .withDrain(Duration.ZERO)
                        .withClient(visitors.client())
                        .withPatience(Patience.of(visitors.patience()))
                        .withSeed(seed);
        try (LoadRun run = load.start(visitors.workload())) {
            Thread.sleep(duration(lasting.rampSeconds));
            long from = System.nanoTime();
            double before = server.cpuSeconds();
            LoadReport report = run.await();
            double used = server.cpuSeconds() - before;
            double wall = (System.nanoTime() - from) / 1e9;
            server.needsLife();
            return reading(report, used / wall);
        } catch (LoadException e) {
            server.needsLife();
            throw new LabException(String.valueOf(e.getMessage()));
        }
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    /// @param serverProcessors how many processors the server used, in the mean
    static Reading reading(LoadReport report, double serverProcessors) {
        double seconds = report.seconds();
        long replies = report.replies().count();
        LoadReport.Generator generator = report.generator();
        double own = generator.userSeconds() + generator.systemSeconds();
        double share = Math.max(generator.busyShare(), Math.min(1, own / seconds));
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(REPLIES, replies / seconds);
        figures.put(RESPONSE, replies == 0 ? Double.NaN : report.measured().averageMillis());
        figures.put(RESPONSE_P99, replies == 0 ? Double.NaN : report.measured().millis(99));
        figures.put(CLOSED, report.connections().closedIdle() / seconds);
        figures.put(CUT, cut(report) / seconds);
        figures.put(FAILED, report.errorCount() / seconds);
        figures.put(SESSIONS, report.sessions().completed() / seconds);
        figures.put(SERVER, serverProcessors);
        figures.put(GENERATOR_MICROS, replies == 0 ? Double.NaN : MILLION * own / replies);
        figures.put(GENERATOR, share);
        figures.put(CONNECTIONS, (double) report.connections().concurrentMax());
        figures.put(MEGABYTES, report.replies().contentBytes() / seconds / MILLION);
        figures.put(FULL, report.connections().handshakes().full() / seconds);
        figures.put(RESUMED, report.connections().handshakes().resumed() / seconds);
        figures.put(GOOD, (replies - report.replies().ofClass(5)) / seconds);
        figures.put(REFUSED, refused(report) / seconds);
        figures.put(TIME_OUTS, timeOuts(report) / seconds);
        figures.put(WRONG, report.errorCount(Outcome.WRONG_CONTENT) / seconds);
        boolean isNone = report.sessions().completed() == 0;
        figures.put(LIFE, isNone ? Double.NaN : report.sessions().lifeSeconds().average());
        return new Reading(figures, share);
    }

    /// Calls that visitors gave up, for want of any progress.
    private static long timeOuts(LoadReport report) {
        return report.errorCount(Outcome.REPLY_TIMEOUT)
                + report.errorCount(Outcome.CONNECT_TIMEOUT)
                + report.errorCount(Outcome.SEND_TIMEOUT);
    }

    /// Calls that the server told they would not be served: by a status, or by TLS' alert in place
    /// of a handshake.
    private static long refused(LoadReport report) {
        return report.errorCount(Outcome.BAD_STATUS) + report.errorCount(Outcome.TLS_FAILED);
    }

    /// Connections that the server ended while something was due on them.
    private static long cut(LoadReport report) {
        return report.errorCount(Outcome.RESET) + report.errorCount(Outcome.CLOSED_EARLY);
    }
}
