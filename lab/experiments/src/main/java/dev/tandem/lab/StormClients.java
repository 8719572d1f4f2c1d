package dev.tandem.lab;

import dev.tandem.load.Arrivals;
import dev.tandem.load.Call;
import dev.tandem.load.Client;
import dev.tandem.load.Load;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadReport;
import dev.tandem.load.LoadRun;
import dev.tandem.load.Period;
import dev.tandem.load.Repeat;
import dev.tandem.load.TimeLimits;
import dev.tandem.load.Tls;
import dev.tandem.load.Workload;
import java.time.Duration;

/// Clients of a server under a storm of TLS handshakes: those with established connections, which
/// send requests on them, and new clients, each of which performs a full handshake, sends one
/// request, and disconnects.
///
/// @param port of TLS of the server on this machine
record StormClients(int port, long seed) {
    /// 50 that send a request each 25 ms: 2,000 requests per second, some 5 % of a processor.
    static final int ESTABLISHED = 50;

    static final Duration THINK = Duration.ofMillis(25);

    /// Number of concurrent new clients while the server's capacity is measured.
    static final int PROBE_NEW_CLIENTS = 32;

    /// Maximum number of waiting clients: what descriptors allow, and what a backlog and a queue
    /// hold.
    static final int NEW_CLIENTS_MAX = 8_000;

    /// How long a new client waits for the handshake, and then for the response.
    static final Duration NEW_PATIENCE = Duration.ofSeconds(2);

    private static final Duration ESTABLISHED_PATIENCE = Duration.ofSeconds(10);
    private static final Call HELLO = Call.get("/hello");
    private static final Workload ONCE = Repeat.sessions(HELLO, 1, Duration.ZERO);

    /// @param rampSeconds before counting begins
    LoadRun establishedClients(double rampSeconds, double seconds) throws LoadException {
        return load(Arrivals.closed(ESTABLISHED), rampSeconds, seconds)
                .withClient(Client.DEFAULT.withTls(BoringClients.TLS))
                .withTimeLimits(TimeLimits.of(ESTABLISHED_PATIENCE))
                .start(Repeat.sessions(HELLO, 0, THINK));
    }

    /// A constant rate per second, whatever the server does. These clients have a lower priority
    /// than those with established connections, whose times count.
    ///
    /// @param rampSeconds before counting begins
    LoadRun newClients(double rate, double rampSeconds, double seconds)
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

    /// Returns how many full handshakes per second the server completes if new clients queue.
    double capacity(double seconds) throws LoadException, InterruptedException {
        // Patient ones: a JVM's first handshakes take long, and none should be wasted.
        LoadReport report =
                storm(Arrivals.closed(PROBE_NEW_CLIENTS), 0, seconds)
                        .withTimeLimits(TimeLimits.of(ESTABLISHED_PATIENCE))
                        .run(ONCE);
        return report.connections().handshakes().full() / report.seconds();
    }

    private Load storm(Arrivals arrivals, double rampSeconds, double seconds) {
        // By resets, since the kernel would soon run out of ports.
        Tls tls = BoringClients.TLS.withReuse(Tls.Reuse.NONE);
        return load(arrivals, rampSeconds, seconds)
                .withClient(Client.DEFAULT.withTls(tls).withResetting(true))
                .withConnectionsMax(NEW_CLIENTS_MAX)
                .withTimeLimits(TimeLimits.of(NEW_PATIENCE));
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
