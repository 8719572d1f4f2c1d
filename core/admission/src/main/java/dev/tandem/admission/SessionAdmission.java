package dev.tandem.admission;

/// Whether first-comers may come in: only while the server can finish what they will ask for.
///
/// Of the requests admitted during one *gap* (the learned time between two requests of a
/// session), all but each session's last bring another one in the next gap. So those admitted
/// lately foretell what live sessions will ask for, and first-comers of now come on top of
/// that. While the sum is all that the server was measured to do, first-comers are held back.
///
/// All of it is reckoned in what requests cost, by their routes' mean times, and not in their
/// number: else a page's many small parts, or a bot that asks for a picture each millisecond, would
/// be what the server can do and what is promised, and pages and those who read them, nothing.
///
/// Not so where those inside are few: if all of them asked at one moment, and the last would still
/// be answered in good time, nobody's session is at risk. Such are visitors who ask again as soon
/// as they have their answer: two of them promise all that a server can do, and so do thirty.
/// Guarded by the admission's lock.
final class SessionAdmission {
    /// What part of the capacity is promised: what is left carries the fluctuations.
    static final double PROMISED_MAX = Tuning.number("SessionAdmission.PROMISED_MAX", 0.95);

    /// While the number of workers is looked for, more: only with all workers busy can it be
    /// found.
    static final double SEARCH_MAX = Tuning.number("SessionAdmission.SEARCH_MAX", 2);

    /// 150 ms, as long as a first-comer may wait under overload: a queue of all who are inside is
    /// no risk to them while it is no longer.
    static final double RISK_SECONDS = Tuning.number("SessionAdmission.RISK_SECONDS", 0.15);

    /// How fast the capacity's estimate rises where it holds visitors back and nothing waits: 5
    /// % a gap, so that a wrong one does not last, and what it lets in shows before the next
    /// step.
    private static final double CREEP = Tuning.number("SessionAdmission.CREEP", 0.05);

    /// The capacity is a mean of about 3 s: of shorter ones, chance is too large a part.
    private static final double CAPACITY_SECONDS =
            Tuning.number("SessionAdmission.CAPACITY_SECONDS", 3);

    /// Five intervals at full load: a single one may be anything.
    private static final int KNOWN_FROM = Tuning.count("SessionAdmission.KNOWN_FROM", 5);

    /// A session that asks once a gap makes up 1 of the requests admitted in one gap; right after a
    /// request, as they fade by and by, 1 / (1 - 1/e) of them.
    private static final double SEVERAL = Tuning.number("SessionAdmission.SEVERAL", 1.58);

    /// 0.1 s to 60 s: outside it, requests are one page's parts, or visits of another day.
    static final double GAP_MIN = Tuning.number("SessionAdmission.GAP_MIN", 0.1);

    static final double GAP_MAX = Tuning.number("SessionAdmission.GAP_MAX", 60);

    /// 1 s: of shorter windows, who asks most often would be seen most often.
    private static final double WINDOW_LEAST = Tuning.number("SessionAdmission.WINDOW_LEAST", 1);

    /// The mean time from a moment to the next request is half the mean pause that spans it: long
    /// ones span more moments.
    private static final double SPANNING = Tuning.number("SessionAdmission.SPANNING", 0.5);

    /// A share is at least what four usual visitors ask for: who looks at pages is no crowd.
    private static final double USUAL_PER_SHARE =
            Tuning.number("SessionAdmission.USUAL_PER_SHARE", 4);

    /// 1 s: as long as nothing is known; a short one errs towards letting in.
    private final LearnedMean gap = new LearnedMean(1, 1, 256);

    /// 10 requests: as long as nothing is known; all are expected to go on.
    private final LearnedMean length = new LearnedMean(10, 4, 256);

    /// Of what visitors ask for when they are seen, each counting once.
    private final LearnedMean costSeen = new LearnedMean(0, 0, 1024);

    /// Of all requests whose route's cost is known. As long as none is, each costs 1.
    private final LearnedMean usual = new LearnedMean(1, 1, 1024);

    private double capacity;

    /// What is taken for it as long as it was not measured.
    private double atMost = Double.POSITIVE_INFINITY;

    private int fullTicks;
    private double admitted;
    private double fresh;

    /// What of [#admitted] is of visitors who have left.
    private double gone;

    private double goneInTick;
    private double goneAtOnceInTick;
    private double seenInTick;

    /// Sessions that were seen and have not left, each second.
    private double seen;

    private double admittedInTick;
    private double freshInTick;
    private int begunInTick;

    /// Sessions that begin, each second.
    private double begun;

    private int refusedInTick;
    private double refused;

    /// What a request counts for: its route's mean time, or as much as usual where that is not
    /// measured, as of what goes by a database's lane.
    double costOf(RouteLoad route) {
        double known = route.cost();
        if (known > 0) {
            usual.add(known);
        }
        return priceOf(route);
    }

    /// The same of one that is only asked for.
    double priceOf(RouteLoad route) {
        double known = route.cost();
        return known > 0 ? known : usual.mean();
    }

    /// While others wait, a session is ahead of first-comers with a part of what the server can do,
    /// and with what is more it is one of them: else its cookie on many connections would keep all
    /// others out.
    boolean takesShare(Session session, RouteLoad route, long now) {
        double seconds = Math.min(priceOf(route) / capacity(), 1);
        return session.takesShare((long) (1e9 * seconds * shareOf()), now);
    }

    /// The whole is so many shares: fewer than usual where a server can do so little that sixteen
    /// visitors are more than it bears.
    private double shareOf() {
        double visitors = capacity() * gapSeconds() / Math.max(usual.mean(), 1e-9);
        return Math.clamp(visitors / USUAL_PER_SHARE, 1, Session.SHARE_PART);
    }

    /// Somebody asks, and is admitted. A session counts once in a window, however often it asks:
    /// one that asks each millisecond, or for a page's fifty parts, is one visitor, and says as
    /// much of how long visitors think as any other. The pause that spans a window's end is taken,
    /// since that is the one in which a page is read.
    ///
    /// @param cost of what is asked for, by any measure
    void seen(Session session, double cost, long now) {
        double since = (now - session.seenAt) / 1e9;
        boolean isNew = session.requests == 0;
        double pause = isNew ? 0 : Math.min((now - session.lastAt) / 1e9, GAP_MAX);
        session.pauseSquares += pause * pause;
        if (!isNew && since < windowSeconds()) {
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
    /// its visitor thinks, and says it now: else only those who stay for long would be heard once
    /// windows are long, and windows would stay so for ever.
    void ended(Session session) {
        double lasted = (session.lastAt - session.begunAt) / 1e9;
        if (session.seenAt == session.begunAt && lasted >= WINDOW_LEAST) {
            gap.add(SPANNING * session.pauseSquares / lasted);
        }
    }

    /// A visitor has left and will not ask again, whatever sessions usually do. Those who asked
    /// but once were counted twice, as admitted and as one that brings another of its kind; and
    /// were neither.
    ///
    /// @param session of at least one request
    void left(Session session, long now) {
        double idleSeconds = Math.max(0, now - session.lastAt) / 1e9;
        double unseenSeconds = Math.max(0, now - session.seenAt) / 1e9;
        seenInTick -= Math.exp(-unseenSeconds / windowSeconds());
        boolean isOnce = session.requests == 1;
        double each = session.cost / session.requests;
        goneInTick += each * (isOnce ? 2 : SEVERAL) * Math.exp(-idleSeconds / gapSeconds());
        goneAtOnceInTick += isOnce ? each : 0;
    }

    void admitted(boolean isFirst, double cost) {
        admittedInTick += cost;
        if (isFirst) {
            freshInTick += cost;
            begunInTick++;
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

    /// What requests cost that are answered in a second at full load; infinite as long as it was
    /// never reached.
    double capacity() {
        return fullTicks < KNOWN_FROM ? atMost : capacity;
    }

    /// What requests will cost that those inside are expected to make in a second.
    double promised() {
        double returning = 1 - 1 / Math.max(length.mean(), 1);
        double stayedInTick = Math.max(0, freshInTick - goneAtOnceInTick);
        double lately = admitted + fresh + stayedInTick / gapSeconds();
        return Math.min(returning * lately, Math.max(0, lately - gone));
    }

    /// A cost in a second as requests of the usual kind.
    double asRequests(double cost) {
        return cost / usual.mean();
    }

    /// How many are inside, by Little's law: each is seen once a window, and then when it asks
    /// next.
    double inside() {
        return Math.max(0, seen) * (windowSeconds() + gap.mean());
    }

    /// @param isSettled whether the number of workers was found: else the capacity may be more
    boolean isPromisedAll(boolean isSettled) {
        return promised() >= (isSettled ? PROMISED_MAX : SEARCH_MAX) * capacity()
                && secondsForAll() >= RISK_SECONDS;
    }

    /// How long the server would take for all of them, if they asked at one moment.
    private double secondsForAll() {
        return inside() * costSeen.mean() / capacity();
    }

    /// As many seconds as it takes, at the present pace, to let in who was refused in the last
    /// one.
    double secondsUntilLetIn() {
        return refused / Math.max(begun, 1);
    }

    /// Ends an interval.
    ///
    /// @param seconds how long it was
    /// @param done what requests cost that ended, if it was measured at full load; else -1
    void tick(double seconds, double done) {
        double part = Math.min(1, seconds / gapSeconds());
        admitted += (admittedInTick / seconds - admitted) * part;
        gone += (goneInTick / seconds - gone) * part;
        goneInTick = 0;
        goneAtOnceInTick = 0;
        fresh += (freshInTick / seconds - fresh) * part;
        begun += (begunInTick / seconds - begun) * part;
        seen += (seenInTick / seconds - seen) * Math.min(1, seconds / windowSeconds());
        refused += (refusedInTick / seconds - refused) * Math.min(1, seconds);
        if (done >= 0) {
            double rate = done / seconds;
            fullTicks++;
            double weight = Math.max(seconds / CAPACITY_SECONDS, 1.0 / fullTicks);
            capacity += (rate - capacity) * Math.min(1, weight);
        } else if (refusedInTick > 0) {
            capacity *= 1 + CREEP * part;
            atMost *= 1 + CREEP * part;
        }
        seenInTick = 0;
        admittedInTick = 0;
        freshInTick = 0;
        begunInTick = 0;
        refusedInTick = 0;
    }

    /// There are many more workers than those it was measured with, so it is measured anew. So many
    /// times more they do at most.
    ///
    /// @param times as many workers
    void doubtCapacity(double times) {
        atMost = times * capacity();
        fullTicks = 0;
        capacity = 0;
    }
}
