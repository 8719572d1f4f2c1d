package dev.tandem.admission;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/// Two threads at one place of one worker. Compiled and run by `PlaceRacesTest`.
final class PlaceRaces {
    private static final int NONE = 0;
    private static final int BY_ASKING = 1;
    private static final int BY_NEXT = 2;

    private PlaceRaces() {}

    private static Admission single() {
        return new Admission(new Limits(1, 1));
    }

    private static int ask(Admission admission, Permit permit) {
        Decision decision = admission.decide(permit, admission.otherRoutes(), new Session(), 0);
        return decision instanceof Decision.Run ? BY_ASKING : NONE;
    }

    /// One asks while the other gives the only place back: none is forgotten in the queue.
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "asked after it was free")
    @Outcome(id = "0, 2", expect = Expect.ACCEPTABLE, desc = "waited, and was taken out")
    @Outcome(expect = Expect.FORBIDDEN, desc = "forgotten, or run twice")
    @State
    public static class AskAndEnd {
        final Admission admission = single();
        final Permit first = admission.newPermit(AdmissionTask.of(_ -> {}));
        final Permit second = admission.newPermit(AdmissionTask.of(_ -> {}));

        public AskAndEnd() {
            ask(admission, first);
        }

        @Actor
        public void asks(II_Result r) {
            r.r1 = ask(admission, second);
        }

        @Actor
        public void ends(II_Result r) {
            first.close();
            r.r2 = admission.next(1) == second ? BY_NEXT : NONE;
        }
    }

    /// Both ask for the only place: one gets it, and the other is the next.
    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "one runs, one waits")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both or none")
    @State
    public static class AskAndAsk {
        final Admission admission = single();
        final Permit first = admission.newPermit(AdmissionTask.of(_ -> {}));
        final Permit second = admission.newPermit(AdmissionTask.of(_ -> {}));

        @Actor
        public void one(II_Result r) {
            r.r1 = ask(admission, first);
        }

        @Actor
        public void other(II_Result r) {
            r.r2 = ask(admission, second);
        }

        @Arbiter
        public void look(II_Result r) {
            if (admission.counters().running() != 1 || admission.waitingCount() != 1) {
                r.r1 = -1;
            }
        }
    }

    /// A client leaves while its turn comes: it is started or forgotten, and not both.
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "left before its turn")
    @Outcome(id = "0, 2", expect = Expect.ACCEPTABLE, desc = "its turn came first")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both or none")
    @State
    public static class LeaveAndEnd {
        final Admission admission = single();
        final Permit first = admission.newPermit(AdmissionTask.of(_ -> {}));
        final Permit second = admission.newPermit(AdmissionTask.of(_ -> {}));

        public LeaveAndEnd() {
            ask(admission, first);
            ask(admission, second);
        }

        @Actor
        public void leaves(II_Result r) {
            r.r1 = admission.leave(second) ? 1 : 0;
        }

        @Actor
        public void ends(II_Result r) {
            first.close();
            r.r2 = admission.next(1) == second ? BY_NEXT : NONE;
        }
    }

    /// Two give a place back each while two wait: both are taken out, each once.
    @JCStressTest
    @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "both run")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one was forgotten or taken twice")
    @State
    public static class EndAndEnd {
        final Admission admission = new Admission(new Limits(2, 2));
        final Permit[] permits = new Permit[4];
        final Permit[] taken = new Permit[4];

        public EndAndEnd() {
            for (int i = 0; i < permits.length; i++) {
                permits[i] = admission.newPermit(AdmissionTask.of(_ -> {}));
                ask(admission, permits[i]);
            }
        }

        private void end(int which) {
            permits[which].close();
            taken[2 * which] = admission.next(1);
            taken[2 * which + 1] = admission.next(1);
        }

        @Actor
        public void one() {
            end(0);
        }

        @Actor
        public void other() {
            end(1);
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
}
