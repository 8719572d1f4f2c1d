package dev.tandem.lab;

import dev.tandem.admission.Admission;
import dev.tandem.admission.AdmissionTask;
import dev.tandem.admission.Counters;
import dev.tandem.admission.Decision;
import dev.tandem.admission.Limits;
import dev.tandem.admission.Permit;
import dev.tandem.admission.Reason;
import dev.tandem.admission.RouteLoad;
import dev.tandem.admission.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// A server in virtual time that asks the product's own admission, and checks it with a count of
/// its own. Processors are shared: the more requests compute when one begins, the longer it takes.
final class YearServer {
    private static final long TICK = YearClock.SECOND / 10;

    /// As a heartbeat, it rests after 10 s without a request.
    private static final int QUIET_TICKS = 100;

    /// 2 s, of a cold route, and a tick; longer only where runs themselves are long.
    private static final double WAIT_MAX = 2.2;

    private static final double RUNS_WAITED_MAX = 4;

    /// 30 s, and a tick.
    static final double NEW_SECONDS = 30.2;

    /// So many requests start for each new session that is admitted whatever live ones ask for: 32
    /// for each request of a session, of which 32 count.
    static final int NEW_STARTS = 1024;

    private static final int FAILURES_MAX = 20;

    /// The response is complete.
    private static final Decision DONE = new Decision.Run();

    private final YearClock clock;
    private final Admission admission;
    private final int processors;
    private final List<String> failures = new ArrayList<>();
    private int quietTicks = QUIET_TICKS;
    private boolean isTicking;

    private int running;
    private int waiting;

    /// Of these, requests of new sessions.
    private int newWaiting;

    private int computing;

    private long sent;
    private long completed;
    private long rejected;
    private long cancelled;
    private double longestRun;
    private double longestWait;

    /// When the last new session was admitted, or, if later, the first one since asked.
    private long newSince;

    private boolean isNewRefused;
    private long startsSince;
    private double longestWithoutNew;
    private long startsOfLongest;
    private double runOfLongest;
    private String loadOfLongest = "";
    private String load = "";

    YearServer(YearClock clock, int processors) {
        this.clock = clock;
        this.processors = processors;
        this.admission = new Admission(Limits.of(processors));
    }

    /// What a handler does.
    ///
    /// @param compute mean, in seconds of a processor
    /// @param waits mean, in seconds
    record Work(String route, double compute, double waits) {}

    /// A request that was sent. Confined to the simulation's thread.
    final class Request implements AdmissionTask {
        private final Work work;
        private final Session session;
        private final boolean isNew;
        private final Consumer<Decision> then;
        private final Permit permit = admission.newPermit(this);
        private final long sentAt = clock.nanos();
        private boolean isWaiting;
        private boolean isOver;

        private Request(Work work, Session session, boolean isNew, Consumer<Decision> then) {
            this.work = work;
            this.session = session;
            this.isNew = isNew;
            this.then = then;
        }

        @Override
        public void run() {
            stopWaiting();
            double waited = (double) (clock.nanos() - sentAt) / YearClock.SECOND;
            longestWait = Math.max(longestWait, waited);
            if (waited > WAIT_MAX + RUNS_WAITED_MAX * longestRun) {
                fail("a request waited for " + Figures.show(waited, 2) + " s");
            }
            begin(this);
        }

        @Override
        public void reject(Decision.Reject rejection) {
            stopWaiting();
            end();
            rejected++;
            if (isNew) {
                newRejected(rejection);
            }
            then.accept(rejection);
        }

        @Override
        public void close() {
            fail("a request was dropped though the server did not stop");
        }

        private void stopWaiting() {
            if (isWaiting) {
                isWaiting = false;
                waiting--;
                newWaiting -= isNew ? 1 : 0;
            }
        }

        private void end() {
            if (isOver) {
                fail("a request ended twice");
            }
            isOver = true;
        }

        /// Its client disconnects.
        void disconnect() {
            if (isWaiting && permit.cancel()) {
                stopWaiting();
                end();
                cancelled++;
            }
        }
    }

    /// @param isNew whether it is the first of a session
    /// @param then receives [#DONE] when the response is complete, or a rejection
    Request send(Work work, Session session, boolean isNew, Consumer<Decision> then) {
        sent++;
        wake();
        if (isNew && !isNewRefused) {
            newSince = clock.nanos();
            startsSince = 0;
        }
        var request = new Request(work, session, isNew, then);
        RouteLoad route = admission.route(work.route);
        switch (request.permit.decide(route, null, session, clock.nanos())) {
            case Decision.Run _ -> request.run();
            case Decision.Wait _ -> {
                request.isWaiting = true;
                waiting++;
                newWaiting += isNew ? 1 : 0;
            }
            case Decision.Reject rejection -> request.reject(rejection);
        }
        return request;
    }

    void closeSession(Session session) {
        admission.closeSession(session);
    }

    private void begin(Request request) {
        running++;
        startsSince++;
        if (request.isNew) {
            isNewRefused = false;
        }
        double compute = (double) clock.exponential(request.work.compute) / YearClock.SECOND;
        computing++;
        double crowd = Math.max(1, (double) computing / processors);
        double wait =
                request.work.waits == 0
                        ? 0
                        : (double) clock.exponential(request.work.waits) / YearClock.SECOND;
        longestRun = Math.max(longestRun, compute * crowd + wait);
        clock.after(
                nanos(compute * crowd),
                () -> {
                    computing--;
                    clock.after(nanos(wait), () -> complete(request, nanos(compute)));
                });
    }

    private static long nanos(double seconds) {
        return (long) (seconds * YearClock.SECOND);
    }

    private void complete(Request request, long computed) {
        running--;
        completed++;
        request.end();
        if (request.permit.isProcessorTimeWanted()) {
            request.permit.processorTime(computed);
        }
        request.permit.complete(clock.nanos());
        admission.startQueued(clock.nanos());
        request.then.accept(DONE);
    }

    /// A new session may be rejected for as long as both bounds allow, and while another one is
    /// admitted and waits: at the head of the lengthy lane for minutes, if runs take as long.
    private void newRejected(Decision.Reject rejection) {
        isNewRefused = true;
        double seconds = (double) (clock.nanos() - newSince) / YearClock.SECOND;
        if (seconds > longestWithoutNew) {
            longestWithoutNew = seconds;
            startsOfLongest = startsSince;
            runOfLongest = longestRun;
            loadOfLongest = load;
        }
        boolean isStuck = rejection.reason() == Reason.ROUTE_STUCK;
        boolean isOwed = seconds > NEW_SECONDS && startsSince > NEW_STARTS;
        if (isOwed && newWaiting == 0 && !isStuck) {
            fail(
                    "no new session for %s s and %s starts: %s"
                            .formatted(Figures.show(seconds, 1), startsSince, rejection.reason()));
        }
    }

    private void wake() {
        quietTicks = 0;
        if (!isTicking) {
            isTicking = true;
            clock.after(TICK, this::tick);
        }
    }

    private void tick() {
        if (admission.tick(clock.nanos())) {
            admission.startQueued(clock.nanos());
        }
        boolean _ = admission.mayAccept(false, clock.nanos());
        quietTicks = running + waiting > 0 ? 0 : quietTicks + 1;
        isTicking = quietTicks < QUIET_TICKS;
        if (isTicking) {
            clock.after(TICK, this::tick);
        }
    }

    // ---- The checks.

    /// Compares admission's numbers with those counted here.
    void check() {
        Counters counters = admission.counters();
        long active = counters.running() + counters.detached();
        if (active != running) {
            fail(running + " run, by admission's count " + active);
        }
        if (counters.waiting() != waiting || admission.waitingCount() != waiting) {
            fail(waiting + " wait, by admission's count " + counters.waiting());
        }
        if (sent != completed + rejected + cancelled + running + waiting) {
            fail(sent + " sent, " + completed + " completed, " + rejected + " rejected");
        }
        if (counters.workers() < 1 || counters.running() < 0 || counters.detached() < 0) {
            fail("impossible numbers: " + counters);
        }
        for (Counters.OfLane lane : counters.lanes()) {
            if (lane.running() < 0 || lane.waiting() < 0 || lane.waitNanos() < 0) {
                fail("a lane has negative numbers: " + lane);
            }
        }
        if (counters.sessionsFinished() + counters.sessionsAbandoned()
                > counters.sessionsStarted() + rejected + cancelled) {
            fail("more sessions ended than began: " + counters);
        }
    }

    /// Checks that nothing is left when nothing was asked for some time.
    void checkAtRest() {
        check();
        Counters counters = admission.counters();
        if (counters.active() != 0 || admission.isRunning()) {
            fail("at rest " + counters.active() + " requests are active");
        }
        longestRun = 0;
        isNewRefused = false;
    }

    private void fail(String what) {
        if (failures.size() < FAILURES_MAX) {
            double hours = (double) clock.nanos() / YearClock.SECOND / 3600;
            failures.add("after " + Figures.show(hours, 2) + " h: " + what);
        }
    }

    List<String> failures() {
        return failures;
    }

    boolean isBusy() {
        return running + waiting > 0;
    }

    long sent() {
        return sent;
    }

    long completed() {
        return completed;
    }

    long rejected() {
        return rejected;
    }

    long cancelled() {
        return cancelled;
    }

    /// In seconds.
    double longestWait() {
        return longestWait;
    }

    /// Longest time in which new sessions asked and none was admitted, in seconds.
    double longestWithoutNew() {
        return longestWithoutNew;
    }

    /// The load of that time, and its longest run.
    String loadOfLongest() {
        return loadOfLongest + ", with runs of up to " + Figures.show(runOfLongest, 1) + " s";
    }

    /// A load begins.
    void load(String name) {
        load = name;
    }

    /// Requests that started in that time.
    long startsOfLongest() {
        return startsOfLongest;
    }
}
