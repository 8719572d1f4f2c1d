package dev.tandem.admission;

/// Whether new sessions are admitted: only while the server can finish what they will ask for.
///
/// Of the requests admitted during one *gap* (the learned time between two requests of a session),
/// all but each session's last bring another one in the next gap. So those admitted lately predict
/// what live sessions will ask for, and new sessions come on top of that. While the sum is all that
/// the server was measured to do, new sessions are held back.
///
/// All of it is counted in what requests cost, by their routes' mean times, and not in their
/// number: else a page's many small parts, or a bot that asks for a picture each millisecond, would
/// be what the server can do and what is promised, and pages would count for nothing.
///
/// New sessions are not held back while those inside are few: if all of them asked at one moment,
/// and the last would still get its response in good time, no session is at risk. Such are clients
/// that ask again as soon as they have their response: two of them promise all that a server can
/// do, and so do thirty. Guarded by the admission's lock.
final class SessionAdmission {
    /// The part of the capacity that is promised: the rest carries the fluctuations.
    static final double PROMISED_MAX = Tuning.number("SessionAdmission.PROMISED_MAX", 0.95);

    /// As long as a new session may wait under overload, 150 ms: a queue of all who are inside is
    /// no risk to them while it is no longer.
    static final double RISK_SECONDS = RequestLane.WAIT_NEW / 1e9;

    /// How fast the capacity's estimate rises where it holds sessions back and nothing waits: 5 % a
    /// gap, so that a wrong one does not last, and what it admits shows before the next step.
    private static final double CREEP = Tuning.number("SessionAdmission.CREEP", 0.05);

    /// The capacity is a mean of about 3 s: of shorter ones, chance is too large a part.
    private static final double CAPACITY_SECONDS =
            Tuning.number("SessionAdmission.CAPACITY_SECONDS", 3);

    /// Five intervals at full load: a single one may be anything.
    private static final int KNOWN_FROM = Tuning.count("SessionAdmission.KNOWN_FROM", 5);

    /// Pauses of over 60 s are visits of another day.
    private static final double GAP_MAX = Tuning.number("SessionAdmission.GAP_MAX", 60);

    /// 1 s: in shorter windows, the session that asks most often would be seen most often.
    private static final double WINDOW_LEAST = Tuning.number("SessionAdmission.WINDOW_LEAST", 1);

    /// A share is at least what four usual sessions ask for.
    private static final double USUAL_PER_SHARE =
            Tuning.number("SessionAdmission.USUAL_PER_SHARE", 4);

    /// One tick: a shorter gap could not be distinguished from none.
    private static final double GAP_LEAST = ElapsedClock.TICK_NANOS / 1e9;

    /// A session that asks once a gap makes up 1 of the requests admitted in one gap; right after a
    /// request, as they fade exponentially, this many.
    private static final double JUST_SEEN = 1 / (1 - Math.exp(-1));

    /// The mean time from a moment to the next request is half the mean pause that spans it: long
    /// pauses span more moments.
    private static final double SPANNING = 0.5;

    /// 1 s as long as nothing is known; a short one errs towards admitting.
    private final LearnedMean gap = new LearnedMean(1, 1, LearnedMean.LONG);

    /// 10 requests as long as nothing is known; all are expected to go on.
    private final LearnedMean length = new LearnedMean(10, 4, LearnedMean.LONG);

    /// Of what sessions ask for when they are seen, each counting once.
    private final LearnedMean costSeen = new LearnedMean(LearnedMean.LONG);

    /// Of all requests whose route's cost is known. As long as none is, each costs 1.
    private final LearnedMean usual = new LearnedMean(1, 1, LearnedMean.LONG);

    private double usualInTick;
    private int usualCountInTick;

    private double capacity;

    /// What is taken for the capacity as long as it was not measured.
    private double atMost = Double.POSITIVE_INFINITY;

    private int fullTicks;
    private double admitted;
    private double fresh;

    /// What of [#admitted] is of sessions that have ended.
    private double gone;

    private double goneInTick;
    private double goneAtOnceInTick;
    private double seenInTick;

    /// Sessions that were seen and have not ended, each second.
    private double seen;

    private double admittedInTick;
    private double freshInTick;
    private int begunInTick;

    /// Sessions that begin, each second.
    private double begun;

    private int rejectedInTick;
    private double rejected;

    /// Nanoseconds of a window; set at each tick.
    private long windowNanos = (long) (1e9 * WINDOW_LEAST);

    /// Returns what a request that is admitted counts for: its route's mean time, or as much as
    /// usual where that is not measured, as of requests that a database lane admits.
    double costOf(RouteLoad route) {
        double known = route.cost();
        if (known > 0) {
            usualInTick += known;
            usualCountInTick++;
            return known;
        }
        return usual.mean();
    }

    /// Returns the same of a request that is not admitted yet.
    double priceOf(RouteLoad route) {
        double known = route.cost();
        return known > 0 ? known : usual.mean();
    }

    /// While others wait, a session is ahead of new ones with a part of what the server can do, and
    /// with what is more it is like a new one: else its cookie on many connections would keep all
    /// others out.
    boolean takesShare(Session session, RouteLoad route, long now) {
        double seconds = Math.min(priceOf(route) / capacity(), 1);
        return session.takesShare((long) (1e9 * seconds * shares()), now);
    }

    /// Returns how many shares the whole is: fewer than usual where a server can do so little that
    /// sixteen sessions are more than it bears.
    private double shares() {
        double sessions = capacity() * gapSeconds() / Math.max(usual.mean(), 1e-9);
        return Math.clamp(sessions / USUAL_PER_SHARE, 1, Session.SHARE_PART);
    }

    /// A session's request is admitted. A session counts once in a window, however often it asks:
    /// one that asks each millisecond, or for a page's fifty parts, is one session, and says as
    /// much of how long users think as any other. The pause that spans a window's end is taken,
    /// since that is the one in which a page is read.
    ///
    /// @param cost of what is asked for, by any measure
    void seen(Session session, double cost, long now) {
        boolean isNew = session.requests == 0;
        double pause = isNew ? 0 : Math.min((now - session.lastAt) * 1e-9, GAP_MAX);
        session.pauseSquares += pause * pause;
        if (!isNew && now - session.seenAt < windowNanos) {
            return;
        }
        session.seenAt = now;
        seenInTick++;
        costSeen.add(cost);
        if (!isNew) {
            gap.add(SPANNING * pause);
        }
    }

    private double windowSeconds() {
        return Math.max(gap.mean(), WINDOW_LEAST);
    }

    void finished(int requests) {
        length.add(requests);
    }

    /// A session is over, finished or not. One that was shorter than a window has not said yet how
    /// its user thinks, and says it now: else only those that stay for long would count once
    /// windows are long, and windows would stay so for ever.
    void ended(Session session) {
        double lasted = (session.lastAt - session.begunAt) / 1e9;
        if (session.seenAt == session.begunAt && lasted >= WINDOW_LEAST) {
            gap.add(SPANNING * session.pauseSquares / lasted);
        }
    }

    /// A connection has closed, and its session will not ask again, whatever sessions usually do.
    /// Those that asked but once were counted twice, as admitted and as one that brings another of
    /// its kind; and were neither.
    ///
    /// @param session of at least one request
    void left(Session session, long now) {
        double idleSeconds = Math.max(0, now - session.lastAt) / 1e9;
        double unseenSeconds = Math.max(0, now - session.seenAt) / 1e9;
        seenInTick -= Math.exp(-unseenSeconds / windowSeconds());
        boolean isOnce = session.requests == 1;
        double each = session.cost / session.requests;
        goneInTick += each * (isOnce ? 2 : JUST_SEEN) * Math.exp(-idleSeconds / gapSeconds());
        goneAtOnceInTick += isOnce ? each : 0;
    }

    void admitted(boolean isFirst, double cost) {
        admittedInTick += cost;
        if (isFirst) {
            freshInTick += cost;
            begunInTick++;
        }
    }

    void rejected() {
        rejectedInTick++;
    }

    double gapSeconds() {
        return Math.max(gap.mean(), GAP_LEAST);
    }

    double length() {
        return length.mean();
    }

    /// Returns what requests cost that are completed in a second at full load; infinite as long as
    /// it was never reached.
    double capacity() {
        return fullTicks < KNOWN_FROM ? atMost : capacity;
    }

    /// Returns what requests will cost that live sessions are expected to make in a second.
    double promised() {
        double returning = 1 - 1 / Math.max(length.mean(), 1);
        double stayedInTick = Math.max(0, freshInTick - goneAtOnceInTick);
        double lately = admitted + fresh + stayedInTick / gapSeconds();
        return Math.min(returning * lately, Math.max(0, lately - gone));
    }

    /// Returns a cost in a second as requests of the usual kind.
    double asRequests(double cost) {
        return cost / usual.mean();
    }

    /// Returns how many sessions are inside, by Little's law: each is seen once a window, and then
    /// when it asks next.
    double inside() {
        return Math.max(0, seen) * (windowSeconds() + gap.mean());
    }

    /// Returns whether new sessions are held back.
    boolean isAllPromised() {
        return promised() >= PROMISED_MAX * capacity() && secondsForAll() >= RISK_SECONDS;
    }

    /// Returns how long the server would take for all sessions, if they asked at one moment.
    private double secondsForAll() {
        return inside() * costSeen.mean() / capacity();
    }

    /// Returns how many seconds it takes, at the present pace, to admit those that were rejected in
    /// the last one.
    double secondsUntilAdmitted() {
        return rejected / Math.max(begun, 1);
    }

    /// Ends an interval.
    ///
    /// @param seconds how long it was
    /// @param done what requests cost that ended, if it was measured at full load; else -1
    void tick(double seconds, double done) {
        usual.addAll(usualInTick, usualCountInTick);
        double part = Math.min(1, seconds / gapSeconds());
        admitted += (admittedInTick / seconds - admitted) * part;
        gone += (goneInTick / seconds - gone) * part;
        fresh += (freshInTick / seconds - fresh) * part;
        begun += (begunInTick / seconds - begun) * part;
        seen += (seenInTick / seconds - seen) * Math.min(1, seconds / windowSeconds());
        rejected += (rejectedInTick / seconds - rejected) * Math.min(1, seconds);
        if (done >= 0) {
            measured(done / seconds, seconds);
        } else if (rejectedInTick > 0) {
            capacity *= 1 + CREEP * part;
            atMost *= 1 + CREEP * part;
        }
        windowNanos = (long) (1e9 * windowSeconds());
        clearTick();
    }

    private void measured(double rate, double seconds) {
        fullTicks++;
        double weight = Math.max(seconds / CAPACITY_SECONDS, 1.0 / fullTicks);
        capacity += (rate - capacity) * Math.min(1, weight);
    }

    private void clearTick() {
        usualInTick = 0;
        usualCountInTick = 0;
        goneInTick = 0;
        goneAtOnceInTick = 0;
        seenInTick = 0;
        admittedInTick = 0;
        freshInTick = 0;
        begunInTick = 0;
        rejectedInTick = 0;
    }

    /// There are many more workers than those the capacity was measured with, so it is measured
    /// anew. They do as many times more at most.
    ///
    /// @param times as many workers
    void remeasureCapacity(double times) {
        atMost = times * capacity();
        fullTicks = 0;
        capacity = 0;
    }
}
