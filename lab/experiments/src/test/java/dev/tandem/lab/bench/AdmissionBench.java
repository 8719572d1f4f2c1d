package dev.tandem.lab.bench;

import dev.tandem.admission.Admission;
import dev.tandem.admission.AdmissionTask;
import dev.tandem.admission.Decision;
import dev.tandem.admission.Limits;
import dev.tandem.admission.Permit;
import dev.tandem.admission.RouteLoad;
import dev.tandem.admission.Session;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Cost of admission for a request while workers are free: decide, start, complete, close, and the
/// check for queued requests. The sessions of 64 kept connections alternate, and there is a tick
/// for each tenth of a second of requests, as on a server.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class AdmissionBench {
    private static final int CONNECTIONS = 64;

    /// 8 us a request, as measured for a response that is a constant.
    private static final int REQUESTS_A_TICK = 12_500;

    private final Admission admission = new Admission(Limits.of(2));
    private final RouteLoad route = admission.route("GET /hello");
    private final Permit[] permits = new Permit[CONNECTIONS];
    private final Session[] sessions = new Session[CONNECTIONS];
    private int next;
    private int requests;

    public AdmissionBench() {
        for (int i = 0; i < CONNECTIONS; i++) {
            permits[i] = admission.newPermit(AdmissionTask.of(_ -> {}));
            sessions[i] = new Session();
        }
    }

    /// With the clock that a server reads; twice, as it does.
    @Benchmark
    public Decision request() {
        int i = next++ & (CONNECTIONS - 1);
        Permit permit = permits[i];
        Decision decision = permit.decide(route, null, sessions[i], System.nanoTime());
        permit.complete(System.nanoTime());
        if (admission.hasWaiting()) {
            admission.startQueued(System.nanoTime());
        }
        if (++requests % REQUESTS_A_TICK == 0) {
            admission.tick(System.nanoTime());
        }
        return decision;
    }

    @Benchmark
    public long clock() {
        return System.nanoTime();
    }
}
