package dev.tandem.lab;

import dev.tandem.load.Arrivals;
import dev.tandem.load.Call;
import dev.tandem.load.Client;
import dev.tandem.load.Load;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadReport;
import dev.tandem.load.LoadRun;
import dev.tandem.load.Patience;
import dev.tandem.load.Period;
import dev.tandem.load.Repeat;
import dev.tandem.load.Tls;
import dev.tandem.load.Workload;
import java.time.Duration;

/// Visitors of a server that a storm of TLS handshakes comes upon: those inside, who ask on kept
/// connections, and newcomers, of whom each shakes hands in full, asks once, and leaves.
///
/// @param port where the server on this machine speaks TLS
record StormVisitors(int port, long seed) {
    /// 50 who ask each 25 ms: 2,000 requests a second, some 5 % of a processor.
    static final int INSIDERS = 50;

    static final Duration THINK = Duration.ofMillis(25);

    /// How many newcomers there are at once while it is found out what the server can do.
    static final int PROBE_NEWCOMERS = 32;

    /// The most that wait at once: what descriptors allow, and what a backlog and a queue hold.
    static final int NEWCOMERS_MAX = 8_000;

    /// How long a newcomer waits for the handshake, and then for the answer.
    static final Duration NEW_PATIENCE = Duration.ofSeconds(2);

    private static final Duration INSIDE_PATIENCE = Duration.ofSeconds(10);
    private static final Call HELLO = Call.get("/hello");
    private static final Workload ONCE = Repeat.sessions(HELLO, 1, Duration.ZERO);

    /// @param rampSeconds before anything counts
    LoadRun insiders(double rampSeconds, double seconds) throws LoadException {
        return load(Arrivals.closed(INSIDERS), rampSeconds, seconds)
                .withClient(Client.DEFAULT.withTls(BoringClients.TLS))
                .withPatience(Patience.of(INSIDE_PATIENCE))
                .start(Repeat.sessions(HELLO, 0, THINK));
    }

    /// So many a second, whatever the server does. They give way to those inside, whose times are
    /// what counts.
    ///
    /// @param rampSeconds before anything counts
    LoadRun newcomers(double rate, double rampSeconds, double seconds)
            throws LabException, LoadException, InterruptedException {
        LoadThreads before = LoadThreads.now();
        Arrivals arrivals = Arrivals.open(Period.poisson(rate));
        LoadRun run = storm(arrivals, rampSeconds, seconds).start(ONCE);
        try {
            before.newOnesGiveWay();
            return run;
        } catch (LabException | InterruptedException e) {
            run.close();
            throw e;
        }
    }

    /// How many full handshakes a second the server does if newcomers wait for their turn.
    double capacity(double seconds) throws LoadException, InterruptedException {
        // Patient ones: a JVM's first handshakes take long, and nobody is to do them for nothing.
        LoadReport report =
                storm(Arrivals.closed(PROBE_NEWCOMERS), 0, seconds)
                        .withPatience(Patience.of(INSIDE_PATIENCE))
                        .run(ONCE);
        return report.connections().handshakes().full() / report.seconds();
    }

    private Load storm(Arrivals arrivals, double rampSeconds, double seconds) {
        // By resets, since the kernel would soon have no ports left.
        Tls tls = BoringClients.TLS.with(Tls.Reuse.NONE);
        return load(arrivals, rampSeconds, seconds)
                .withClient(Client.DEFAULT.withTls(tls).withResets(true))
                .withConnectionsMax(NEWCOMERS_MAX)
                .withPatience(Patience.of(NEW_PATIENCE));
    }

    private Load load(Arrivals arrivals, double rampSeconds, double seconds) {
        return Load.of("https://localhost:" + port)
                .withArrivals(arrivals)
                .withTime(duration(rampSeconds + seconds))
                .withWarmup(duration(rampSeconds))
                .withDrain(Duration.ZERO)
                .withSeed(seed);
    }

    private static Duration duration(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1e3));
    }
}
