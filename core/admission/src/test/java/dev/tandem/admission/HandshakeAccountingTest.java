package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random sequences of handshakes, in virtual time: whatever happens, each has exactly one outcome.
class HandshakeAccountingTest {
    private static final int STEPS = 3_000;

    private final HandshakeAdmission admission = new HandshakeAdmission(3);
    private final List<Task> tasks = new ArrayList<>();
    private final List<HandshakeLane> workers = new ArrayList<>();
    private final List<Run> running = new ArrayList<>();
    private long now;

    /// Whether threads of loops are the workers, which have nothing else to do.
    private boolean isOnLoop;

    private record Run(HandshakeLane lane, HandshakePermit permit) {}

    private static final class Task implements HandshakeTask {
        private int outcomes;

        @Override
        public boolean isDisconnected() {
            return false;
        }

        @Override
        public void run() {
            outcomes++;
        }

        @Override
        public void reject(Decision.Reject rejection) {
            outcomes++;
        }

        @Override
        public void close() {
            outcomes++;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void everyHandshakeHasExactlyOneOutcome(long seed) {
        var random = new Random(seed);
        isOnLoop = seed % 2 == 0;
        for (int i = 0; i < STEPS; i++) {
            now += random.nextInt((int) TimeUnit.MILLISECONDS.toNanos(4));
            switch (random.nextInt(4)) {
                case 0 -> enqueue(random);
                case 1, 2 -> step(random);
                default -> end(random);
            }
            if (admission.isLoadDue(now)) {
                long threadTime = (long) (now * random.nextDouble(3));
                boolean areQueued = random.nextBoolean();
                admission.reportLoad(new RequestLoad(threadTime, i, 2 * i, areQueued), now);
            }
            check();
        }
        admission.stop();
        while (!running.isEmpty()) {
            end(random);
        }
        assertTrue(tasks.stream().allMatch(task -> task.outcomes == 1));
    }

    private void enqueue(Random random) {
        var task = new Task();
        tasks.add(task);
        var from = InetAddress.ofLiteral("192.0.2." + random.nextInt(4));
        HandshakeLane lane =
                admission.enqueue(
                        new HandshakePermit(task, from, random.nextBoolean()), isOnLoop, now);
        if (lane != null) {
            workers.add(lane);
        }
    }

    private void step(Random random) {
        if (workers.isEmpty()) {
            return;
        }
        HandshakeLane lane = workers.remove(random.nextInt(workers.size()));
        switch (admission.next(lane, isOnLoop, now)) {
            case HandshakeStep.Run(HandshakePermit permit, boolean _) ->
                    running.add(new Run(lane, permit));
            case HandshakeStep.Pause(long nanos) -> {
                assertTrue(nanos > 0, nanos + " ns");
                workers.add(lane);
            }
            case HandshakeStep.Done _ -> {}
        }
    }

    private void end(Random random) {
        if (running.isEmpty()) {
            return;
        }
        Run run = running.remove(random.nextInt(running.size()));
        if (random.nextInt(10) == 0) {
            admission.cancelled(run.lane, run.permit, now);
        } else {
            run.permit.task().run();
            run.permit.processorTime(random.nextInt(2_000_000));
            admission.completed(run.lane, run.permit, now);
        }
        workers.add(run.lane);
    }

    private void check() {
        HandshakeCounters counters = admission.counters(now);
        assertEquals(running.size(), counters.full().running() + counters.resumed().running());
        long open = tasks.stream().filter(task -> task.outcomes == 0).count();
        int waiting = counters.full().waiting() + counters.resumed().waiting();
        assertEquals(open, waiting + running.size());
        assertTrue(counters.share() >= HandshakeAdmission.SHARE_MIN);
        assertTrue(counters.full().running() <= (isOnLoop ? 3 : 1));
        assertTrue(counters.resumed().running() <= 3);
    }
}
