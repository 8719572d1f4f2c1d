package dev.tandem.admission;

/// Whether first-comers may come in: only while the server can finish what they will ask for.
///
/// Of the requests admitted during one *gap* (the learned time between two requests of a
/// session), all but each session's last bring another one in the next gap. So those admitted
/// lately foretell what live sessions will ask for, and first-comers of now come on top of
/// that. While the sum is all that the server was measured to do, first-comers are held back.
///
/// Not so where those inside are few: if all of them asked at one moment, and the last would still
/// be answered in good time, nobody's session is at risk. Such are visitors who ask again as soon
/// as they have their answer: two of them promise all that a server can do, and so do thirty.
/// Guarded by the admission's lock.
final class Newcomers {
    /// What part of the capacity is promised: what is left carries the fluctuations.
    static final double PROMISED_MAX = 0.97;

    /// While the number of workers is looked for, more: only with all workers busy can it be
    /// found.
    static final double SEARCH_MAX = 2;

    /// 150 ms, as long as a first-comer may wait under overload: a queue of all who are inside is
    /// no risk to them while it is no longer.
    static final double RISK_SECONDS = 0.15;

    /// How fast the capacity's estimate rises where it holds visitors back and nothing waits: 5
    /// % a gap, so that a wrong one does not last, and what it lets in shows before the next
    /// step.
    private static final double CREEP = 0.05;

    /// The capacity is a mean of about 3 s: of shorter ones, chance is too large a part.
    private static final double CAPACITY_SECONDS = 3;

    /// Five intervals at full load: a single one may be anything.
    private static final int KNOWN_FROM = 5;

    /// A session that asks once a gap makes up 1 of the requests admitted in one gap; right after a
    /// request, as they fade by and by, 1 / (1 - 1/e) of them.
    private static final double SEVERAL = 1.58;

    /// 0.1 s to 60 s: outside it, requests are one page's parts, or visits of another day.
    static final double GAP_MIN = 0.1;

    static final double GAP_MAX = 60;

    /// 1 s: as long as nothing is known; a short one errs towards letting in.
    private final Learned gap = new Learned(1, 1, 256);

    /// 10 requests: as long as nothing is known; all are expected to go on.
    private final Learned length = new Learned(10, 4, 256);

    private double capacity;
    private int fullTicks;
    private double admitted;
    private double fresh;

    /// What of [#admitted] is of visitors who have left.
    private double gone;

    private double goneInTick;
    private int goneAtOnceInTick;
    private int admittedInTick;
    private int freshInTick;
    private int refusedInTick;
    private double refused;

    /// A live session asks for more.
    void returned(double gapSeconds) {
        gap.add(Math.min(gapSeconds, GAP_MAX));
    }

    void sessionEnded(int requests) {
        length.add(requests);
    }

    /// A visitor has left and will not ask again, whatever sessions usually do. Those who asked
    /// but once were counted twice, as admitted and as one that brings another of its kind; and
    /// were neither.
    ///
    /// @param requests that the session had, at least 1
    /// @param idleSeconds since the last of them
    void left(int requests, double idleSeconds) {
        goneInTick += (requests == 1 ? 2 : SEVERAL) * Math.exp(-idleSeconds / gapSeconds());
        goneAtOnceInTick += requests == 1 ? 1 : 0;
    }

    void admitted(boolean isFirst) {
        admittedInTick++;
        if (isFirst) {
            freshInTick++;
        }
    }

    void refused() {
        refusedInTick++;
    }

    double gapSeconds() {
        return Math.max(gap.mean(), GAP_MIN);
    }

    double length() {
        return length.mean();
    }

    /// Requests a second, of all kinds; infinite as long as it was never reached.
    double capacity() {
        return fullTicks < KNOWN_FROM ? Double.POSITIVE_INFINITY : capacity;
    }

    /// Requests a second that those inside are expected to make.
    double promised() {
        double returning = 1 - 1 / Math.max(length.mean(), 1);
        int stayedInTick = Math.max(0, freshInTick - goneAtOnceInTick);
        double lately = admitted + fresh + stayedInTick / gapSeconds();
        return Math.min(returning * lately, Math.max(0, lately - gone));
    }

    /// How many are inside, by Little's law: each asks once a gap.
    double inside() {
        return admitted * gap.mean();
    }

    /// @param isSettled whether the number of workers was found: else the capacity may be more
    boolean isPromisedAll(boolean isSettled) {
        return promised() >= (isSettled ? PROMISED_MAX : SEARCH_MAX) * capacity()
                && inside() >= RISK_SECONDS * capacity();
    }

    /// As many seconds as it takes, at the present pace, to let in who was refused in the last
    /// one.
    double secondsUntilLetIn() {
        return refused / Math.max(fresh, 1);
    }

    /// Ends an interval.
    ///
    /// @param seconds how long it was
    /// @param done requests that ended, if it was measured at full load; else -1
    void tick(double seconds, int done) {
        double part = Math.min(1, seconds / gapSeconds());
        admitted += (admittedInTick / seconds - admitted) * part;
        gone += (goneInTick / seconds - gone) * part;
        goneInTick = 0;
        goneAtOnceInTick = 0;
        fresh += (freshInTick / seconds - fresh) * part;
        refused += (refusedInTick / seconds - refused) * Math.min(1, seconds);
        if (done >= 0) {
            double rate = done / seconds;
            fullTicks++;
            capacity += (rate - capacity) * Math.max(seconds / CAPACITY_SECONDS, 1.0 / fullTicks);
        } else if (refusedInTick > 0) {
            capacity *= 1 + CREEP * part;
        }
        admittedInTick = 0;
        freshInTick = 0;
        refusedInTick = 0;
    }

    /// There are many more workers than those it was measured with.
    void forgetCapacity() {
        fullTicks = 0;
        capacity = 0;
    }
}
