package dev.tandem.admission;

import dev.tandem.testkit.Latencies;
import dev.tandem.testkit.Processors;
import dev.tandem.testkit.Simulation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// A server in virtual time that asks admission exactly as a real one does: processors that are
/// shared, workers that hold a permit while they compute and wait, a backlog behind the gate.
final class VirtualServer {
    static final long MILLI = 1_000_000L;
    static final long SECOND = 1000 * MILLI;

    /// 2,000 too many threads halve what the processors do.
    private static final double SWITCH_COST = 0.0005;

    /// 15 us to refuse one.
    private static final long REFUSAL_NANOS = 15_000;

    final Simulation simulation;
    final Admission admission;
    final Processors processors;
    private final Deque<Runnable> backlog = new ArrayDeque<>();

    private final Deque<Request> refusals = new ArrayDeque<>();

    private final Session[] clients =
            IntStream.range(0, 2000).mapToObj(i -> new Session()).toArray(Session[]::new);
    private int turn;
    private boolean isGateOpen = true;

    /// Whether the kernel reports what workers have of the processors.
    boolean isTelling = true;

    /// From here on it is counted.
    long countFrom;

    long answered;
    long refused;
    Latencies latencies = new Latencies();

    /// One request and who made it.
    private final class Request implements AdmissionTask {
        final Plan plan;
        final Permit permit = admission.newPermit(this);
        final long begun = simulation.nanos();
        long computed;
        final Consumer<Boolean> then;

        Request(Plan plan, Consumer<Boolean> then) {
            this.plan = plan;
            this.then = then;
        }

        @Override
        public void run() {
            VirtualServer.this.run(this);
        }

        @Override
        public void reject(Decision.Reject rejection) {
            refusals.add(this);
            if (refusals.size() == 1) {
                refuse();
            }
        }

        @Override
        public void close() {}
    }

    VirtualServer(Simulation simulation, int processorCount, Limits limits) {
        this.simulation = simulation;
        this.processors = new Processors(simulation, processorCount, SWITCH_COST);
        this.admission = new Admission(limits);
    }

    /// One of 2,000 who come again and again.
    Session anybody() {
        return clients[turn++ % clients.length];
    }

    void tickUntil(long untilNanos) {
        simulation.every(
                100 * MILLI,
                untilNanos,
                () -> {
                    if (isTelling) {
                        admission.processorTimes(
                                processors.runningNanos(),
                                processors.readyNanos(),
                                simulation.nanos());
                    }
                    if (admission.tick(simulation.nanos())) {
                        drain();
                    }
                    // As a real one does: its loops are decided ten times a second, and no sooner.
                    isGateOpen = admission.mayAccept(false, simulation.nanos());
                    accept();
                });
    }

    /// A client connects, and goes on when accepted.
    void connect(Runnable then) {
        backlog.add(then);
        accept();
    }

    private void accept() {
        while (!backlog.isEmpty() && isGateOpen) {
            backlog.remove().run();
        }
    }

    /// @param then is decided whether it was answered
    void ask(Plan plan, Session session, Consumer<Boolean> then) {
        var request = new Request(plan, then);
        RouteLoad route = admission.route(plan.route());
        act(admission.decide(request.permit, route, session, simulation.nanos()), request);
    }

    private static void act(Decision decision, Request request) {
        switch (decision) {
            case Decision.Run _ -> request.run();
            case Decision.Wait _ -> {}
            case Decision.Reject rejection -> request.reject(rejection);
        }
    }

    /// One after the other: the loop does it.
    private void refuse() {
        processors.compute(
                REFUSAL_NANOS,
                () -> {
                    Request request = refusals.remove();
                    refused += isCounted() ? 1 : 0;
                    request.then.accept(false);
                    if (!refusals.isEmpty()) {
                        refuse();
                    }
                });
    }

    private void run(Request request) {
        Plan plan = request.plan;
        request.computed = time(plan, plan.computeNanos());
        processors.computeWatched(
                request.computed,
                () -> {
                    if (plan.waitNanos() == 0) {
                        done(request);
                    } else {
                        simulation.after(time(plan, plan.waitNanos()), () -> done(request));
                    }
                });
    }

    private long time(Plan plan, double mean) {
        return plan.isRandom() ? simulation.exponential(mean) : (long) mean;
    }

    private void done(Request request) {
        try (Permit permit = request.permit) {
            if (isTelling && permit.isMeasured()) {
                permit.computed(request.computed);
            }
            permit.ended(Outcome.ANSWERED, simulation.nanos());
        }
        drain();
        if (isCounted()) {
            answered++;
            latencies.add(simulation.nanos() - request.begun);
        }
        request.then.accept(true);
    }

    private void drain() {
        admission.startQueued(simulation.nanos());
    }

    private boolean isCounted() {
        return simulation.nanos() >= countFrom;
    }
}
