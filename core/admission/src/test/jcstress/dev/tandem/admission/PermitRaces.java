package dev.tandem.admission;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/// Two threads race for worker slots. Compiled and run by `PermitRacesTest`.
final class PermitRaces {
    private static final int NONE = 0;
    private static final int BY_DECISION = 1;
    private static final int BY_NEXT = 2;

    private PermitRaces() {}

    private static Admission single() {
        return new Admission(new Limits(1, 1));
    }

    private static int decide(Admission admission, Permit permit) {
        Decision decision = permit.decide(admission.otherRoutes(), null, new Session(), 0);
        return decision instanceof Decision.Run ? BY_DECISION : NONE;
    }

    /// A request is decided while the only slot is released: it is not lost in the queue.
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "decided after the release")
    @Outcome(id = "0, 2", expect = Expect.ACCEPTABLE, desc = "queued, and started")
    @Outcome(expect = Expect.FORBIDDEN, desc = "lost, or started twice")
    @State
    public static class DecideAndRelease {
        final Admission admission = single();
        final Permit first = admission.newPermit(AdmissionTask.of(_ -> {}));
        final Permit second = admission.newPermit(AdmissionTask.of(_ -> {}));

        public DecideAndRelease() {
            decide(admission, first);
        }

        @Actor
        public void decides(II_Result r) {
            r.r1 = decide(admission, second);
        }

        @Actor
        public void releases(II_Result r) {
            first.close();
            r.r2 = admission.next(1) == second ? BY_NEXT : NONE;
        }
    }

    /// Two requests are decided, with one slot: one runs, and the other waits.
    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "one runs, one waits")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both or none")
    @State
    public static class DecideAndDecide {
        final Admission admission = single();
        final Permit first = admission.newPermit(AdmissionTask.of(_ -> {}));
        final Permit second = admission.newPermit(AdmissionTask.of(_ -> {}));

        @Actor
        public void one(II_Result r) {
            r.r1 = decide(admission, first);
        }

        @Actor
        public void other(II_Result r) {
            r.r2 = decide(admission, second);
        }

        @Arbiter
        public void look(II_Result r) {
            if (admission.counters().running() != 1 || admission.waitingCount() != 1) {
                r.r1 = -1;
            }
        }
    }

    /// A request is cancelled while the only slot is released: it is started or cancelled, not
    /// both.
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "cancelled first")
    @Outcome(id = "0, 2", expect = Expect.ACCEPTABLE, desc = "started first")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both or none")
    @State
    public static class CancelAndRelease {
        final Admission admission = single();
        final Permit first = admission.newPermit(AdmissionTask.of(_ -> {}));
        final Permit second = admission.newPermit(AdmissionTask.of(_ -> {}));

        public CancelAndRelease() {
            decide(admission, first);
            decide(admission, second);
        }

        @Actor
        public void cancels(II_Result r) {
            r.r1 = second.cancel() ? 1 : 0;
        }

        @Actor
        public void releases(II_Result r) {
            first.close();
            r.r2 = admission.next(1) == second ? BY_NEXT : NONE;
        }
    }

    /// Two slots are released while two requests wait: both are started, each once.
    @JCStressTest
    @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "both run")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one was lost or started twice")
    @State
    public static class ReleaseAndRelease {
        final Admission admission = new Admission(new Limits(2, 2));
        final Permit[] permits = new Permit[4];
        final Permit[] taken = new Permit[4];

        public ReleaseAndRelease() {
            for (int i = 0; i < permits.length; i++) {
                permits[i] = admission.newPermit(AdmissionTask.of(_ -> {}));
                decide(admission, permits[i]);
            }
        }

        private void release(int which) {
            permits[which].close();
            taken[2 * which] = admission.next(1);
            taken[2 * which + 1] = admission.next(1);
        }

        @Actor
        public void one() {
            release(0);
        }

        @Actor
        public void other() {
            release(1);
        }

        @Arbiter
        public void look(I_Result r) {
            for (Permit permit : taken) {
                r.r1 += permit == permits[2] || permit == permits[3] ? 1 : 0;
            }
            if (admission.counters().running() != 2 || admission.waitingCount() != 0) {
                r.r1 = -1;
            }
        }
    }

    /// A database with one connection, which is in use, and a request for another one.
    public abstract static class OneConnection {
        private final Admission admission = new Admission(new Limits(2, 2));
        private final DatabaseLane lane = new DatabaseLane("test", () -> 1, () -> {});
        private final DatabaseRoute route = lane.route("GET /");
        private volatile int started;
        final DatabasePermit holder = connection();
        final Permit permit = admission.newPermit(AdmissionTask.of(_ -> started++));

        private DatabasePermit connection() {
            var permit =
                    new DatabasePermit(
                            route, DatabasePermit.Kind.LIVE_SESSION, AdmissionTask.of(_ -> {}));
            permit.request(0);
            permit.use(0);
            return permit;
        }

        int decide() {
            Decision decision = permit.decide(admission.otherRoutes(), route, new Session(), 0);
            return decision instanceof Decision.Run ? BY_DECISION : NONE;
        }

        /// Returns how the request was started by the thread that released the connection; -1 if
        /// counts are wrong.
        int startedByRelease(int before) {
            int runs = before == BY_DECISION ? 1 : started;
            boolean isRight =
                    admission.databaseRuns() == runs
                            && admission.counters().detached() == runs
                            && lane.counts().granted() == runs
                            && lane.counts().lengthyWaiting() == 0;
            return !isRight ? -1 : started == 1 ? BY_NEXT : started;
        }
    }

    /// A request is decided while the only connection is released: it is not lost in the queue.
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "decided after the release")
    @Outcome(id = "0, 2", expect = Expect.ACCEPTABLE, desc = "queued, and started")
    @Outcome(expect = Expect.FORBIDDEN, desc = "lost, or started twice")
    @State
    public static class DecideAndReleaseConnection extends OneConnection {
        @Actor
        public void decides(II_Result r) {
            r.r1 = decide();
        }

        @Actor
        public void releases() {
            holder.close(1);
        }

        @Arbiter
        public void look(II_Result r) {
            r.r2 = startedByRelease(r.r1);
        }
    }

    /// A request is cancelled while the connection that it waits for is released: it is started or
    /// cancelled, not both.
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "cancelled first")
    @Outcome(id = "0, 2", expect = Expect.ACCEPTABLE, desc = "started first")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both or none")
    @State
    public static class CancelAndReleaseConnection extends OneConnection {
        public CancelAndReleaseConnection() {
            decide();
        }

        @Actor
        public void cancels(II_Result r) {
            r.r1 = permit.cancel() ? 1 : 0;
        }

        @Actor
        public void releases() {
            holder.close(1);
        }

        @Arbiter
        public void look(II_Result r) {
            r.r2 = startedByRelease(NONE);
        }
    }
}
