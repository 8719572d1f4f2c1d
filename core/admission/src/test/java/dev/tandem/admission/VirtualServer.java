package dev.tandem.admission;

import dev.tandem.testkit.Latencies;
import dev.tandem.testkit.Processors;
import dev.tandem.testkit.Simulation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// A server in virtual time that uses admission as a real one does: shared processors, workers that
/// hold a permit while they compute and wait, a backlog behind the accept gate.
final class VirtualServer {
    static final long MILLI = 1_000_000L;
    static final long SECOND = 1000 * MILLI;

    /// 2,000 threads more than processors halve what the processors do.
    private static final double SWITCH_COST = 0.0005;

    /// 15 us of a processor for each rejection.
    private static final long REJECTION_NANOS = 15_000;

    private static final int SESSIONS = 2000;

    final Simulation simulation;
    final Admission admission;
    final Processors processors;
    private final Deque<Runnable> backlog = new ArrayDeque<>();
    private final Deque<Request> rejections = new ArrayDeque<>();
    private final Session[] sessions =
            IntStream.range(0, SESSIONS).mapToObj(i -> new Session()).toArray(Session[]::new);
    private int nextSession;
    private boolean isGateOpen = true;

    /// Whether the kernel reports the processor times of workers.
    boolean reportsProcessorTimes = true;

    /// The route whose runs need no worker: they are detached when they begin.
    String detachedRoute = "";

    /// Requests that end before this time are not counted.
    long countFrom;

    long completed;
    long rejected;
    Latencies latencies = new Latencies();

    private final class Request implements AdmissionTask {
        final Plan plan;
        final Permit permit = admission.newPermit(this);
        final long sentAt = simulation.nanos();
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
            rejections.add(this);
            if (rejections.size() == 1) {
                respondToRejected();
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

    /// Returns one of 2,000 sessions, which take turns and never end.
    Session nextSession() {
        return sessions[nextSession++ % SESSIONS];
    }

    void tickUntil(long untilNanos) {
        simulation.every(
                100 * MILLI,
                untilNanos,
                () -> {
                    if (reportsProcessorTimes) {
                        admission.reportProcessorTimes(
                                processors.runningNanos(),
                                processors.readyNanos(),
                                simulation.nanos());
                    }
                    if (admission.tick(simulation.nanos())) {
                        startQueued();
                    }
                    // As in a real server, the gate is updated ten times a second.
                    isGateOpen = admission.mayAccept(false, simulation.nanos());
                    accept();
                });
    }

    /// Connects a client.
    ///
    /// @param accepted called when the connection is accepted
    void connect(Runnable accepted) {
        backlog.add(accepted);
        accept();
    }

    private void accept() {
        while (!backlog.isEmpty() && isGateOpen) {
            backlog.remove().run();
        }
    }

    /// Sends a request.
    ///
    /// @param then receives whether it was completed, or else rejected
    void send(Plan plan, Session session, Consumer<Boolean> then) {
        var request = new Request(plan, then);
        RouteLoad route = admission.route(plan.route());
        switch (request.permit.decide(route, null, session, simulation.nanos())) {
            case Decision.Run _ -> request.run();
            case Decision.Wait _ -> {}
            case Decision.Reject rejection -> request.reject(rejection);
        }
    }

    /// Responds to one after the other, as a loop does.
    private void respondToRejected() {
        processors.compute(
                REJECTION_NANOS,
                () -> {
                    Request request = rejections.remove();
                    rejected += isCounted() ? 1 : 0;
                    request.then.accept(false);
                    if (!rejections.isEmpty()) {
                        respondToRejected();
                    }
                });
    }

    private void run(Request request) {
        Plan plan = request.plan;
        if (plan.route().equals(detachedRoute)) {
            request.permit.detach();
            startQueued();
        }
        request.computed = time(plan, plan.computeNanos());
        processors.computeWatched(
                request.computed,
                () -> {
                    if (plan.waitNanos() == 0) {
                        complete(request);
                    } else {
                        simulation.after(time(plan, plan.waitNanos()), () -> complete(request));
                    }
                });
    }

    private long time(Plan plan, double mean) {
        return plan.isRandom() ? simulation.exponential(mean) : (long) mean;
    }

    private void complete(Request request) {
        Permit permit = request.permit;
        if (reportsProcessorTimes && permit.isProcessorTimeWanted()) {
            permit.processorTime(request.computed);
        }
        permit.complete(simulation.nanos());
        startQueued();
        if (isCounted()) {
            completed++;
            latencies.add(simulation.nanos() - request.sentAt);
        }
        request.then.accept(true);
    }

    private void startQueued() {
        admission.startQueued(simulation.nanos());
    }

    private boolean isCounted() {
        return simulation.nanos() >= countFrom;
    }
}
