package dev.tandem.admission;

import static dev.tandem.admission.VirtualServer.MILLI;
import static dev.tandem.admission.VirtualServer.SECOND;

import dev.tandem.testkit.Latencies;
import dev.tandem.testkit.Simulation;
import java.net.InetAddress;
import java.net.UnknownHostException;

/// A storm of TLS handshakes in virtual time, on two processors of which requests use three tenths:
/// three times the full handshakes that can be done, resumed ones, and an address with false claims
/// to resume.
final class HandshakeScenario {
    private static final long END = 60 * SECOND;
    private static final long PATIENCE = 3 * SECOND;
    private static final int PROCESSORS = 2;

    private final Simulation simulation;
    private final HandshakeAdmission admission = new HandshakeAdmission(PROCESSORS);
    private final Latencies waits = new Latencies();
    private final InetAddress client = address(1);
    private final InetAddress offender = address(2);
    private long handshakeTime;
    private int completed;
    private int rejected;

    HandshakeScenario(long seed) {
        simulation = new Simulation(seed);
    }

    private static InetAddress address(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, (byte) last});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    double[] run() {
        simulation.poisson(
                now -> now < 40 * SECOND ? 1_500 : 200, END, () -> connect(client, false, 2));
        simulation.poisson(_ -> 200, END, () -> connect(client, true, 0.3));
        simulation.poisson(_ -> 100, END, () -> connect(offender, true, 2));
        simulation.runUntil(END);
        return new double[] {completed, waits.millis(0.99), rejected};
    }

    private final class Task implements HandshakeTask {
        private final long startedAt = simulation.nanos();
        private final InetAddress from;
        private final boolean isClaimed;
        private final boolean isResumed;
        private final long cost;

        Task(InetAddress from, boolean isClaimed, double millis) {
            this.from = from;
            this.isClaimed = isClaimed;
            this.isResumed = isClaimed && from == client;
            this.cost = simulation.exponential(millis * MILLI);
        }

        @Override
        public boolean isDisconnected() {
            return simulation.nanos() - startedAt > PATIENCE;
        }

        @Override
        public void run() {
            waits.add(simulation.nanos() - startedAt);
            completed++;
        }

        @Override
        public void reject(Decision.Reject rejection) {
            rejected++;
        }

        @Override
        public void close() {
            rejected++;
        }
    }

    private void connect(InetAddress from, boolean isClaimed, double millis) {
        long now = simulation.nanos();
        if (admission.isLoadDue(now)) {
            long threadTime = handshakeTime + (long) (0.3 * PROCESSORS * now);
            admission.reportLoad(new RequestLoad(threadTime, 0, now / MILLI, false), now);
        }
        var task = new Task(from, isClaimed, millis);
        HandshakeLane lane =
                admission.enqueue(new HandshakePermit(task, from, isClaimed), false, now);
        if (lane != null) {
            simulation.after(0, () -> work(lane));
        }
    }

    private void work(HandshakeLane lane) {
        switch (admission.next(lane, false, simulation.nanos())) {
            case HandshakeStep.Pause(long nanos) -> simulation.after(nanos, () -> work(lane));
            case HandshakeStep.Done _ -> {}
            case HandshakeStep.Run(HandshakePermit permit, boolean isCheckDue) -> {
                var task = (Task) permit.task();
                if (isCheckDue && task.isDisconnected()) {
                    admission.cancelled(lane, permit, simulation.nanos());
                    simulation.after(0, () -> work(lane));
                } else {
                    simulation.after(task.cost, () -> done(lane, permit, task));
                }
            }
        }
    }

    private void done(HandshakeLane lane, HandshakePermit permit, Task task) {
        long now = simulation.nanos();
        task.run();
        handshakeTime += task.cost;
        permit.processorTime(task.cost);
        admission.completed(lane, permit, now);
        admission.learn(
                new HandshakeResult(task.from, task.isClaimed, task.isResumed, task.cost), now);
        work(lane);
    }
}
