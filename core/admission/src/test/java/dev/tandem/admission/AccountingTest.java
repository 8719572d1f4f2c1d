package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Random sequences of everything that a server may do, compared with the test's own counts.
class AccountingTest {
    private static final long MILLI = 1_000_000;
    private static final int STEPS = 3_000;

    private final Admission admission = new Admission(new Limits(2, 9));
    private final List<Permit> running = new ArrayList<>();
    private final List<Permit> waiting = new ArrayList<>();
    private final List<Permit> detached = new ArrayList<>();
    private final List<Session> sessions = new ArrayList<>();
    private long rejected;
    private long cancelled;
    private long started;
    private long now;

    static IntStream seeds() {
        return IntStream.range(0, 60);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyPermitIsAccountedFor(int seed) {
        var random = new Random(seed);
        for (int i = 0; i < 8; i++) {
            sessions.add(new Session());
        }
        for (int step = 0; step < STEPS; step++) {
            passTime(random);
            act(random);
            check(step);
        }
        running.forEach(this::close);
        detached.forEach(this::close);
        running.clear();
        detached.clear();
        drain();
        running.forEach(Permit::close);
        running.clear();
        waiting.removeIf(Permit::cancel);
        assertEquals(0, admission.counters().running());
        assertEquals(0, admission.counters().detached());
        assertEquals(Map.of(0, 0, 1, 0, 2, 0), admission.activeByKind());
        assertEquals(List.of(), waiting);
    }

    private void passTime(Random random) {
        now += random.nextInt((int) (4 * MILLI));
        int chance = random.nextInt(500);
        if (chance == 0) {
            now += 3_600_000 * MILLI; // the clock jumps an hour forwards
        } else if (chance == 1) {
            now -= 3_600_000 * MILLI;
        }
    }

    private void act(Random random) {
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3, 4 -> decide(random);
            case 5, 6, 7 -> {
                take(running, random).ifPresent(this::close);
                drain();
            }
            case 8 -> take(detached, random).ifPresent(this::close);
            case 9 -> {
                take(running, random)
                        .ifPresent(
                                permit -> {
                                    permit.detach();
                                    detached.add(permit);
                                });
                drain();
            }
            case 10 -> take(waiting, random).ifPresent(this::cancel);
            default -> {
                if (admission.tick(now)) {
                    drain();
                }
            }
        }
    }

    private void decide(Random random) {
        var permit = admission.newPermit(AdmissionTask.of(_ -> {}));
        RouteLoad route = admission.route("route " + random.nextInt(3));
        Session session = sessions.get(random.nextInt(sessions.size()));
        permit.kind(random.nextInt(3));
        switch (permit.decide(route, null, session, now)) {
            case Decision.Run() -> run(permit);
            case Decision.Wait() -> waiting.add(permit);
            case Decision.Reject _ -> rejected++;
        }
    }

    private void run(Permit permit) {
        started++;
        running.add(permit);
        assertTrue(running.size() <= 9, "more run than ever may");
    }

    private void drain() {
        Permit next;
        while ((next = admission.next(now)) != null) {
            assertTrue(waiting.remove(next), "it was waiting");
            switch (next.decision()) {
                case Decision.Run() -> run(next);
                case Decision.Reject _ -> rejected++;
                case Decision.Wait() -> throw new AssertionError("neither run nor rejected");
            }
        }
    }

    private void close(Permit permit) {
        permit.complete(now);
    }

    private void cancel(Permit permit) {
        assertTrue(permit.cancel());
        cancelled++;
    }

    private static java.util.Optional<Permit> take(List<Permit> from, Random random) {
        return from.isEmpty()
                ? java.util.Optional.empty()
                : java.util.Optional.of(from.remove(random.nextInt(from.size())));
    }

    private long activeOfKind(int kind) {
        return Stream.of(running, waiting, detached)
                .flatMap(List::stream)
                .filter(permit -> permit.kind() == kind)
                .count();
    }

    private void check(int step) {
        Counters counters = admission.counters();
        String when = "at step " + step;
        assertEquals(
                running.size() + detached.size(), counters.running() + counters.detached(), when);
        assertEquals(
                waiting.size(),
                counters.lanes().stream().mapToInt(Counters.OfLane::waiting).sum(),
                when);
        assertEquals(
                started, counters.lanes().stream().mapToLong(Counters.OfLane::started).sum(), when);
        assertEquals(rejected, counters.rejected().values().stream().mapToLong(x -> x).sum(), when);
        assertEquals(cancelled, counters.cancelled(), when);
        admission
                .activeByKind()
                .forEach((kind, count) -> assertEquals(activeOfKind(kind), (long) count, when));
        if (!waiting.isEmpty()) {
            assertTrue(counters.running() > 0, "a request waits while none runs, " + when);
        }
    }
}
