package dev.tandem.admission;

/// Decides whether new sessions are admitted: only while the server can finish what they will
/// request.
///
/// Of the requests admitted during one *gap* (the learned time between two requests of a session),
/// all but each session's last bring another one in the next gap. So recently admitted requests
/// predict what live sessions will request, and new sessions come on top of that. While the sum is
/// all that the server was measured to do, new sessions are held back.
///
/// Demand and capacity are sums of the requests' costs, by their routes' mean times, and not
/// numbers of requests: otherwise a page's many small parts, or a bot that requests a picture each
/// millisecond, would make up both, and pages would count for nothing.
///
/// New sessions are not held back while live ones are few: if all of them requested something at
/// one moment, and the last would still get its response in good time, no session is at risk.
/// Clients that send a request as soon as they have a response are such a case: two of them demand
/// all that a server can do, and so do thirty. Guarded by the admission's lock.
final class SessionAdmission {
    /// Part of the capacity from which on new sessions are held back: the rest is for fluctuations.
    static final double DEMAND_MAX = Tuning.number("SessionAdmission.DEMAND_MAX", 0.95);

    /// As long as a new session may wait under overload, 150 ms: a queue of all live sessions is no
    /// risk to them while it is no longer.
    static final double RISK_SECONDS = RequestLane.WAIT_NEW / 1e9;

    /// How fast the capacity's estimate rises while sessions are held back though workers are idle:
    /// 5 % a gap, so that a wrong one does not last, and its effect shows before the next step.
    private static final double CREEP = Tuning.number("SessionAdmission.CREEP", 0.05);

    /// The capacity is a mean of about 3 s: in shorter times, chance is too large a part.
    private static final double CAPACITY_SECONDS =
            Tuning.number("SessionAdmission.CAPACITY_SECONDS", 3);

    /// Less than half as many workers are far fewer: more than a trial with fewer takes away.
    private static final double FEW_PART = Tuning.number("SessionAdmission.FEW_PART", 0.5);

    /// 20 ms: what waits in a shorter queue only keeps the workers busy.
    private static final double STANDING_SECONDS = StandingQueue.TARGET_NANOS / 1e9;

    /// Five intervals at full load: the result of a single one may be anything.
    private static final int KNOWN_FROM = Tuning.count("SessionAdmission.KNOWN_FROM", 5);

    /// A pause counts as 60 s at most: longer ones are between two sessions.
    private static final double GAP_MAX = 2 * NewSessionQuota.LASTS_MAX / 1e9;

    /// 1 s: in shorter windows, the session with the most requests would be counted most often.
    private static final double WINDOW_LEAST = Tuning.number("SessionAdmission.WINDOW_LEAST", 1);

    /// A session's share is at least what four usual sessions request.
    private static final double USUAL_PER_SHARE =
            Tuning.number("SessionAdmission.USUAL_PER_SHARE", 4);

    /// One tick: a shorter gap could not be distinguished from none.
    private static final double GAP_LEAST = ElapsedClock.TICK_NANOS / 1e9;

    /// A session with one request a gap makes up 1 of the requests admitted in one gap; right after
    /// a request, as they fade exponentially, this many.
    private static final double WEIGHT_AFTER_REQUEST = 1 / (1 - Math.exp(-1));

    /// The mean time from a moment to the next request is half the mean pause that spans it: long
    /// pauses span more moments.
    private static final double SPANNING = 0.5;

    /// 1 s as long as nothing is known; a short one admits more.
    private final LearnedMean gap = new LearnedMean(1, 1, LearnedMean.LONG);

    /// 10 requests as long as nothing is known.
    private final LearnedMean length = new LearnedMean(10, 4, LearnedMean.LONG);

    /// Cost of the requests by which sessions are counted, one in each window.
    private final LearnedMean costOfCounted = new LearnedMean(LearnedMean.LONG);

    /// Cost of all requests whose route's cost is known. As long as none is, each costs 1.
    private final LearnedMean usualCost = new LearnedMean(1, 1, LearnedMean.LONG);

    private double usualCostInTick;
    private int usualInTick;

    private double capacity;

    /// The capacity when it was known last, and the number of workers that it was measured with.
    private double known = Double.POSITIVE_INFINITY;

    private int knownWith = 1;

    /// The number of workers.
    private int workers = 1;

    private int fullTicks;

    /// Cost of admitted requests in a second, and of those that were a session's first.
    private double admitted;

    private double first;
    private double admittedInTick;
    private double firstInTick;

    /// Cost in a second, of [#admitted], of sessions that have ended.
    private double ended;

    private double endedInTick;
    private double endedFirstInTick;

    /// Number of live sessions' requests that wait.
    private int waiting;

    /// Live sessions that are counted in a second.
    private double counted;

    private double countedInTick;

    /// New sessions that start in a second, and that are rejected.
    private double started;

    private double rejected;
    private int startedInTick;
    private int rejectedInTick;

    /// Nanoseconds of a window; set at each tick.
    private long windowNanos = (long) (1e9 * WINDOW_LEAST);

    /// Returns the cost of a request that is admitted, and learns from it: its route's mean time;
    /// the usual cost where that is not measured, as of requests that run in a database lane.
    double admittedCost(RouteLoad route) {
        double known = route.cost();
        if (known > 0) {
            usualCostInTick += known;
            usualInTick++;
            return known;
        }
        return usualCost.mean();
    }

    /// Returns the cost of a request.
    double costOf(RouteLoad route) {
        double known = route.cost();
        return known > 0 ? known : usualCost.mean();
    }

    /// Returns whether a session's request has priority over new sessions while others wait: a part
    /// of what the server can do has. Otherwise a session's cookie on many connections would keep
    /// all others out.
    boolean takeShare(Session session, RouteLoad route, long now) {
        return session.takeShare(partOfShare(route), now);
    }

    /// Takes the last [#takeShare] back: the request is rejected.
    void giveShareBack(Session session, RouteLoad route) {
        session.giveShareBack(partOfShare(route));
    }

    private long partOfShare(RouteLoad route) {
        double seconds = Math.min(costOf(route) / capacity(), 1);
        return (long) (1e9 * seconds * shares());
    }

    /// Returns the number of shares: fewer than usual where a server can do so little that sixteen
    /// sessions are more than it can serve.
    private double shares() {
        double sessions = capacity() * gapSeconds() / Math.max(usualCost.mean(), 1e-9);
        return Math.clamp(sessions / USUAL_PER_SHARE, 1, Session.SHARE_PART);
    }

    /// Counts the session of an admitted request. A session counts once in a window, however many
    /// requests it sends: one that sends one each millisecond, or for a page's fifty parts, is one
    /// session, and says as much of how long users think as any other. The pause at a window's end
    /// is learned, since that is the one in which a page is read.
    ///
    /// @param cost of the request
    void countSession(Session session, double cost, long now) {
        boolean isNew = session.requests == 0;
        double pause = isNew ? 0 : Math.min((now - session.lastAt) * 1e-9, GAP_MAX);
        session.pauseSquares += pause * pause;
        if (!isNew && now - session.countedAt < windowNanos) {
            return;
        }
        session.countedAt = now;
        countedInTick++;
        costOfCounted.add(cost);
        if (!isNew) {
            gap.add(SPANNING * pause);
        }
    }

    private double windowSeconds() {
        return Math.max(gap.mean(), WINDOW_LEAST);
    }

    /// A session ended without a rejection.
    void sessionFinished(int requests) {
        length.add(requests);
    }

    /// A session ended. If it was shorter than a window, its pauses were not learned yet, and are
    /// now: otherwise only long sessions would count once windows are long, and windows would stay
    /// long for ever.
    void sessionEnded(Session session) {
        double lasted = (session.lastAt - session.startedAt) / 1e9;
        if (session.countedAt == session.startedAt && lasted >= WINDOW_LEAST) {
            gap.add(SPANNING * session.pauseSquares / lasted);
        }
    }

    /// A connection has closed: its session will send no more, whatever sessions usually do. A
    /// session of a single request was counted twice, as admitted and as one that brings another
    /// request, and both are taken back.
    ///
    /// @param session of at least one request
    void disconnected(Session session, long now) {
        double idleSeconds = Math.max(0, now - session.lastAt) / 1e9;
        double uncountedSeconds = Math.max(0, now - session.countedAt) / 1e9;
        countedInTick -= Math.exp(-uncountedSeconds / windowSeconds());
        boolean isSingle = session.requests == 1;
        double each = session.cost / session.requests;
        endedInTick +=
                each
                        * (isSingle ? 2 : WEIGHT_AFTER_REQUEST)
                        * Math.exp(-idleSeconds / gapSeconds());
        endedFirstInTick += isSingle ? each : 0;
    }

    /// A request is admitted.
    ///
    /// @param isFirst whether it is a new session's
    void admitted(boolean isFirst, double cost) {
        admittedInTick += cost;
        if (isFirst) {
            firstInTick += cost;
            startedInTick++;
        }
    }

    /// A new session's request is held back.
    void rejected() {
        rejectedInTick++;
    }

    double gapSeconds() {
        return Math.max(gap.mean(), GAP_LEAST);
    }

    /// Returns the mean number of requests of a session.
    double length() {
        return length.mean();
    }

    /// Returns the cost of the requests that are completed in a second at full load; infinite as
    /// long as that was never reached. While it is measured anew with many more workers, they are
    /// taken to do as many times more; when they are few again, what was known of few is.
    double capacity() {
        return fullTicks < KNOWN_FROM
                ? known * Math.max(1, (double) workers / knownWith)
                : capacity;
    }

    /// Returns the cost of the requests that live sessions are expected to have in a second: those
    /// that they will send, and those that wait already, where the queue of them stands. Without
    /// these it would never be more than what was admitted, and so never more than the capacity,
    /// however many sessions there are.
    double demand() {
        double returning = 1 - 1 / Math.max(length.mean(), 1);
        double stayedInTick = Math.max(0, firstInTick - endedFirstInTick);
        double lately = admitted + first + stayedInTick / gapSeconds();
        double sent = Math.min(returning * lately, Math.max(0, lately - ended));
        double standing = waiting * usualCost.mean() - STANDING_SECONDS * capacity();
        return sent + Math.max(0, standing) / gapSeconds();
    }

    /// Sets the number of live sessions' requests that wait.
    void waiting(int number) {
        waiting = number;
    }

    /// Returns a cost as a number of usual requests.
    double asRequests(double cost) {
        return cost / usualCost.mean();
    }

    /// Returns the number of live sessions, by Little's law: each is counted once a window, and
    /// then with its next request.
    double liveSessions() {
        return Math.max(0, counted) * (windowSeconds() + gap.mean());
    }

    /// Returns whether new sessions are held back.
    boolean isHoldingBack() {
        return demand() >= DEMAND_MAX * capacity() && secondsForAll() >= RISK_SECONDS;
    }

    /// Returns how long the server would take for all sessions, if they sent a request at one
    /// moment.
    private double secondsForAll() {
        return liveSessions() * costOfCounted.mean() / capacity();
    }

    /// Returns how many seconds it takes, at the present rate, to admit the new sessions that were
    /// rejected in the last one.
    double secondsUntilAdmitted() {
        return rejected / Math.max(started, 1);
    }

    /// Ends an interval.
    ///
    /// @param seconds how long it was
    /// @param done cost of the requests that ended, if it was measured at full load; else -1
    /// @param detached cost of those that have left their workers to others
    void tick(double seconds, double done, double detached) {
        usualCost.addAll(usualCostInTick, usualInTick);
        double part = Math.min(1, seconds / gapSeconds());
        admitted += (admittedInTick / seconds - admitted) * part;
        ended += (endedInTick / seconds - ended) * part;
        first += (firstInTick / seconds - first) * part;
        started += (startedInTick / seconds - started) * part;
        counted += (countedInTick / seconds - counted) * Math.min(1, seconds / windowSeconds());
        rejected += (rejectedInTick / seconds - rejected) * Math.min(1, seconds);
        if (done >= 0) {
            measured(done / seconds, detached / seconds, seconds);
        } else if (rejectedInTick > 0) {
            capacity *= 1 + CREEP * part;
            known *= 1 + CREEP * part;
        }
        windowNanos = (long) (1e9 * windowSeconds());
        clearTick();
    }

    /// No more than what the workers' time allows, with room for chance: when there are far fewer
    /// than before, what still ends began with many, and so do the routes' mean times. Requests
    /// that need no worker, as those that are proxied, are as many as they are: they count in the
    /// demand, too.
    private void measured(double rate, double detached, double seconds) {
        fullTicks++;
        double weight = Math.max(seconds / CAPACITY_SECONDS, 1.0 / fullTicks);
        double most = WorkerSearch.LARGE_STEP * workers * 1e9;
        capacity += (Math.min(rate, most) + detached - capacity) * Math.min(1, weight);
        if (fullTicks >= KNOWN_FROM) {
            known = capacity;
            knownWith = workers;
        }
    }

    private void clearTick() {
        usualCostInTick = 0;
        usualInTick = 0;
        endedInTick = 0;
        endedFirstInTick = 0;
        countedInTick = 0;
        admittedInTick = 0;
        firstInTick = 0;
        startedInTick = 0;
        rejectedInTick = 0;
    }

    /// Sets the number of workers. With many more, the capacity is measured anew. With far fewer,
    /// it is as many times less, at once: a cost is a time on a worker, and at full load as much of
    /// it passes in a second as there are workers. Where they wait for processors, a run with fewer
    /// takes less time, and its cost follows; a capacity that is a mean of some seconds would
    /// promise many times what the server can do.
    void workers(int number) {
        if (number > WorkerSearch.LARGE_STEP * workers) {
            fullTicks = 0;
            capacity = 0;
        } else if (number < FEW_PART * workers) {
            capacity *= (double) number / workers;
            known *= Math.min(1, (double) number / knownWith);
            knownWith = Math.min(number, knownWith);
        }
        workers = number;
    }
}
