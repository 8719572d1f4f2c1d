package dev.tandem.lab.bench;

import dev.tandem.admission.Admission;
import dev.tandem.admission.AdmissionTask;
import dev.tandem.admission.Decision;
import dev.tandem.admission.HandshakeAdmission;
import dev.tandem.admission.HandshakeLane;
import dev.tandem.admission.HandshakePermit;
import dev.tandem.admission.HandshakeStep;
import dev.tandem.admission.HandshakeTask;
import dev.tandem.admission.Limits;
import dev.tandem.admission.Permit;
import dev.tandem.admission.RouteLoad;
import dev.tandem.admission.Session;
import java.net.InetAddress;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/// What all loops share, by the number of threads (`-t N`): the time of one use while that many do
/// nothing else. A structure that scales takes the same time for each number up to that of the
/// processors. Each use is followed by the work of a request, [#WORK_TOKENS], so that threads meet
/// as often as loops do; [#workAlone] is that work.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Benchmark)
public class SharedBench {
    /// Some 5 us: what the shortest request costs otherwise.
    private static final int WORK_TOKENS = 2_000;

    private final Admission admission = new Admission(Limits.of(16));
    private final RouteLoad route = admission.route("GET /hello");
    private final HandshakeAdmission handshakes = new HandshakeAdmission(16);
    private final LongAdder adder = new LongAdder();
    private final AtomicInteger counter = new AtomicInteger();
    private final ConcurrentLinkedQueue<Object> tasks = new ConcurrentLinkedQueue<>();

    /// One loop with one connection.
    @State(Scope.Thread)
    public static class OneLoop {
        private final Session session = new Session();
        private final InetAddress from = InetAddress.getLoopbackAddress();
        private @Nullable Permit permit;

        private Permit permit(Admission admission) {
            Permit known = permit;
            if (known == null) {
                known = admission.newPermit(AdmissionTask.of(_ -> {}));
                permit = known;
            }
            return known;
        }
    }

    private static final class Task implements HandshakeTask {
        @Override
        public boolean isDisconnected() {
            return false;
        }

        @Override
        public void run() {
            // The work of a handshake is not what is measured.
        }

        @Override
        public void reject(Decision.Reject rejection) {
            // As above.
        }

        @Override
        public void close() {
            // As above.
        }
    }

    @Benchmark
    public void workAlone() {
        Blackhole.consumeCPU(WORK_TOKENS);
    }

    /// One request: admission's lock twice.
    @Benchmark
    public Decision admission(OneLoop loop) {
        Permit permit = loop.permit(admission);
        Decision decision = permit.decide(route, null, loop.session, System.nanoTime());
        Blackhole.consumeCPU(WORK_TOKENS);
        permit.complete(System.nanoTime());
        return decision;
    }

    /// The same without anything in between: how many requests a second the one lock allows.
    @Benchmark
    public Decision admissionOnly(OneLoop loop) {
        Permit permit = loop.permit(admission);
        Decision decision = permit.decide(route, null, loop.session, System.nanoTime());
        permit.complete(System.nanoTime());
        return decision;
    }

    /// One handshake: the lock of handshakes five times, for some 150 us of key work.
    @Benchmark
    public boolean handshake(OneLoop loop) {
        long now = System.nanoTime();
        var permit = new HandshakePermit(new Task(), loop.from, true);
        HandshakeLane lane = handshakes.enqueue(permit, true, now);
        boolean hasRun = false;
        while (lane != null) {
            if (handshakes.next(lane, true, System.nanoTime()) instanceof HandshakeStep.Run run) {
                hasRun = handshakes.isShort(lane);
                run.permit().processorTime(150_000);
                handshakes.completed(lane, run.permit(), System.nanoTime());
            } else {
                lane = null;
            }
        }
        return hasRun;
    }

    /// A count of the engine, as of responses.
    @Benchmark
    public void adder() {
        adder.increment();
        Blackhole.consumeCPU(WORK_TOKENS);
    }

    /// The count of open connections: one variable.
    @Benchmark
    public int counter() {
        Blackhole.consumeCPU(WORK_TOKENS);
        return counter.incrementAndGet() + counter.decrementAndGet();
    }

    /// The workers' queue: in and out.
    @Benchmark
    public Object workersQueue() {
        tasks.add(this);
        Blackhole.consumeCPU(WORK_TOKENS);
        return tasks.poll();
    }
}
