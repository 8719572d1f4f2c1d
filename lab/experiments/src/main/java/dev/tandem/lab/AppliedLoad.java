package dev.tandem.lab;

import dev.tandem.load.Arrivals;
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

/// Applies a workload to a server, and reads its figures: in an open loop, or in a closed one
/// with a constant number of clients. Immutable.
///
/// @param seed the same gives the same sessions, in an open loop at the same times
record AppliedLoad(LoadClients clients, Timing timing, long seed, boolean isClosed) {
    static final String REPLIES = "replies/s";
    static final String RESPONSE = "response ms";
    static final String RESPONSE_P99 = "p99 ms";
    static final String CLOSED = "closed idle/s";
    static final String CLOSED_BY_SERVER = "closed by server/s";
    static final String FAILED = "failed calls/s";
    static final String SESSIONS = "completed sessions/s";
    static final String SERVER = "server's processors";
    static final String GENERATOR_MICROS = "generator's µs/reply";
    static final String GENERATOR = "generator's share";
    static final String CONNECTIONS = "connections at once";
    static final String MEGABYTES = "MB/s";
    static final String FULL = "full handshakes/s";
    static final String RESUMED = "resumed handshakes/s";

    /// NaN without handshakes, as in plain text.
    static final String FULL_SHARE = "full of all handshakes";

    static final String GOOD = "good replies/s";
    static final String RESETS = "resets/s";
    static final String CONNECT = "connect ms";
    static final String OPENED = "opened connections/s";
    static final String SENT = "sent requests/s";
    static final String REJECTED = "rejected/s";
    static final String TIME_OUTS = "time-outs/s";
    static final String WRONG = "wrong replies/s";
    static final String LIFE = "session s";

    // Kinds of errors in addition to time-outs, resets, wrong replies and rejections.
    static final String CLOSED_EARLY = "closed early/s";
    static final String REFUSED = "refused/s";
    static final String OTHER_ERRORS = "other errors/s";

    // How long a connection is in each of its phases, as its client sees it.
    static final String CONNECTING = "connecting ms";
    static final String HANDSHAKING = "handshake ms";
    static final String AWAITING = "waiting ms";
    static final String RECEIVING = "receiving ms";
    static final String IDLE = "idle ms";

    /// Of all its time, idle time included.
    static final String HANDSHAKE_SHARE = "handshake's share of a connection";

    /// A load for a warm-up does not end before it.
    private static final double ASIDE_SECONDS = 2;

    /// Microseconds per second, and bytes of a megabyte.
    private static final double MILLION = 1e6;

    /// Duration of a measurement.
    ///
    /// @param rampSeconds at the beginning, when all sessions are new: nothing is counted
    /// @param seconds that are counted
    record Timing(double rampSeconds, double seconds) {
        double totalSeconds() {
            return rampSeconds + seconds;
        }
    }

    /// An open loop.
    AppliedLoad(LoadClients clients, Timing timing, long seed) {
        this(clients, timing, seed, false);
    }

    AppliedLoad with(LoadClients other) {
        return new AppliedLoad(other, timing, seed, isClosed);
    }

    AppliedLoad timing(Timing other) {
        return new AppliedLoad(clients, other, seed, isClosed);
    }

    AppliedLoad withSeed(long other) {
        return new AppliedLoad(clients, timing, other, isClosed);
    }

    /// Returns the same in a closed loop: a client begins its next session when one ends.
    AppliedLoad closed() {
        return new AppliedLoad(clients, timing, seed, true);
    }

    private Arrivals arrivals(double rate) {
        return isClosed
                ? Arrivals.closed((int) Math.rint(rate))
                : Arrivals.open(Period.poisson(rate));
    }

    /// @param rate new sessions per second, by a Poisson process; in a closed loop the number of
    ///     clients; over 0
    /// @throws LabException if the server ends, or the generator fails
    Reading measure(RunningRival server, double rate) throws LabException, InterruptedException {
        try (LoadRun run = load(server, rate).start(clients.workload())) {
            Thread.sleep(duration(timing.rampSeconds));
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

    /// Loads a server until it is warm.
    ///
    /// @param name of the server
    /// @param secondsMax none if it is 0
    void warm(Run run, String name, RunningRival server, double rate, double secondsMax)
            throws LabException, InterruptedException {
        if (secondsMax <= 0) {
            return;
        }
        Load load = timing(new Timing(0, secondsMax + ASIDE_SECONDS)).load(server, rate);
        try (LoadRun warming = load.start(clients.workload())) {
            WarmUp.await(run, name, server, List.of(warming), secondsMax);
        } catch (LoadException e) {
            server.needsLife();
            throw new LabException(String.valueOf(e.getMessage()));
        }
    }

    private Load load(RunningRival server, double rate) {
        return Load.of(server.address())
                .withArrivals(arrivals(rate))
                .withTime(duration(timing.totalSeconds()))
                .withWarmup(duration(timing.rampSeconds))
                .withDrain(Duration.ZERO)
                .withClient(clients.client())
                .withTimeLimits(TimeLimits.of(clients.patience()))
                .withSeed(seed);
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    /// @param serverProcessors mean number of processors that the server used
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
        figures.put(CLOSED_BY_SERVER, closedByServer(report) / seconds);
        figures.put(RESETS, report.errorCount(Outcome.RESET) / seconds);
        boolean isOpened = report.connections().opened() > 0;
        figures.put(
                CONNECT, isOpened ? report.connections().connectMillis().average() : Double.NaN);
        figures.put(OPENED, report.connections().opened() / seconds);
        figures.put(SENT, report.requests().count() / seconds);
        figures.put(FAILED, report.errorCount() / seconds);
        figures.put(SESSIONS, report.sessions().completed() / seconds);
        figures.put(SERVER, serverProcessors);
        figures.put(GENERATOR_MICROS, replies == 0 ? Double.NaN : MILLION * own / replies);
        figures.put(GENERATOR, share);
        figures.put(CONNECTIONS, (double) report.connections().concurrentMax());
        figures.put(MEGABYTES, report.replies().contentBytes() / seconds / MILLION);
        figures.put(FULL, report.connections().handshakes().full() / seconds);
        figures.put(RESUMED, report.connections().handshakes().resumed() / seconds);
        figures.put(FULL_SHARE, fullShare(report.connections().handshakes()));
        figures.put(GOOD, (replies - report.replies().ofClass(5)) / seconds);
        figures.put(REJECTED, rejected(report) / seconds);
        figures.put(TIME_OUTS, timeOuts(report) / seconds);
        figures.put(WRONG, report.errorCount(Outcome.WRONG_CONTENT) / seconds);
        figures.put(CLOSED_EARLY, report.errorCount(Outcome.CLOSED_EARLY) / seconds);
        figures.put(REFUSED, report.errorCount(Outcome.REFUSED) / seconds);
        figures.put(OTHER_ERRORS, otherErrors(report) / seconds);
        putPhases(figures, report.connections().phases());
        boolean isNone = report.sessions().completed() == 0;
        figures.put(LIFE, isNone ? Double.NaN : report.sessions().lifeSeconds().average());
        return new Reading(figures, share);
    }

    private static double fullShare(LoadReport.Handshakes handshakes) {
        long all = handshakes.full() + handshakes.resumed();
        return all == 0 ? Double.NaN : (double) handshakes.full() / all;
    }

    private static void putPhases(Map<String, Double> figures, LoadReport.Phases phases) {
        figures.put(CONNECTING, phases.connecting());
        figures.put(HANDSHAKING, phases.handshaking());
        figures.put(AWAITING, phases.waiting());
        figures.put(RECEIVING, phases.receiving());
        figures.put(IDLE, phases.idle());
        double all =
                phases.connecting()
                        + phases.handshaking()
                        + phases.waiting()
                        + phases.receiving()
                        + phases.idle();
        figures.put(HANDSHAKE_SHARE, all == 0 ? Double.NaN : phases.handshaking() / all);
    }

    /// Calls that clients gave up because there was no progress.
    private static long timeOuts(LoadReport report) {
        return report.errorCount(Outcome.REPLY_TIMEOUT)
                + report.errorCount(Outcome.CONNECT_TIMEOUT)
                + report.errorCount(Outcome.SEND_TIMEOUT);
    }

    /// Calls that the server rejected: by a status, or by a TLS alert instead of a handshake.
    private static long rejected(LoadReport report) {
        return report.errorCount(Outcome.BAD_STATUS) + report.errorCount(Outcome.TLS_FAILED);
    }

    /// Calls that failed otherwise: not by time-outs, TLS or the server's closing, nor by a wrong
    /// reply.
    private static long otherErrors(LoadReport report) {
        return report.errorCount()
                - timeOuts(report)
                - closedByServer(report)
                - report.errorCount(Outcome.REFUSED)
                - report.errorCount(Outcome.WRONG_CONTENT)
                - report.errorCount(Outcome.TLS_FAILED);
    }

    /// Connections that the server closed while a response was due on them.
    private static long closedByServer(LoadReport report) {
        return report.errorCount(Outcome.RESET) + report.errorCount(Outcome.CLOSED_EARLY);
    }
}
