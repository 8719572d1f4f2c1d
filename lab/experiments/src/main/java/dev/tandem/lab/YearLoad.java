package dev.tandem.lab;

import dev.tandem.admission.Decision;
import dev.tandem.admission.Session;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Random loads on a server in virtual time, one after the other, with a rest after each.
final class YearLoad {
    private static final double REST_SECONDS = 15;
    private static final double CHECK_SECONDS = 60;

    /// One virtual hour at most.
    private static final double LONGEST = 3600;

    private static final double SHORTEST = 30;
    private static final double RETRY = 0.5;

    /// A session is live for an hour, or 10,000 requests; a little less here, since its first
    /// request began earlier than it ended.
    private static final long LIVE_SECONDS = 3_400;

    private static final int LIVE_REQUESTS = 9_990;

    /// A handler that hangs does so for ten minutes at most.
    private static final double HANG_SECONDS = 600;

    private final YearClock clock;
    private final YearServer server;
    private final int processors;
    private final Map<Kind, Long> episodes = new EnumMap<>(Kind.class);
    private int episode;
    private long end;

    /// What clients do in an episode.
    enum Kind {
        /// Nothing but a few requests.
        QUIET,
        /// Users with sessions, up to what the server can do.
        USERS,
        /// The same, up to six times of that.
        OVERLOAD,
        /// Overload, and clients that disconnect while they wait.
        IMPATIENT,
        /// Users, and sessions that ask without end and without a pause.
        ENDLESS,
        /// Users, and a route whose handlers hang.
        HANGING
    }

    /// A load.
    ///
    /// @param works what handlers do; the last is a lengthy route
    /// @param sessions that begin in a second
    /// @param length mean number of requests of a session
    /// @param think mean pause of users, in seconds
    /// @param endless clients that never pause
    private record Plan(
            Kind kind,
            List<YearServer.Work> works,
            double sessions,
            double length,
            double think,
            int endless) {}

    YearLoad(YearClock clock, YearServer server, int processors) {
        this.clock = clock;
        this.server = server;
        this.processors = processors;
    }

    Map<Kind, Long> episodes() {
        return episodes;
    }

    /// Runs one episode, and a rest.
    void next() {
        episode++;
        Plan plan = plan();
        episodes.merge(plan.kind, 1L, Long::sum);
        server.load(plan.kind.name());
        double seconds = clock.scaled(SHORTEST, LONGEST);
        end = clock.nanos() + (long) (seconds * YearClock.SECOND);
        beginSessions(plan);
        for (int i = 0; i < plan.endless; i++) {
            new Client(plan, Integer.MAX_VALUE, 0).next();
        }
        while (clock.nanos() < end) {
            double step = Math.min(CHECK_SECONDS * YearClock.SECOND, end - clock.nanos());
            clock.runUntil(clock.nanos() + (long) step);
            server.check();
        }
        rest();
    }

    /// Clients begin nothing; what they have begun ends.
    private void rest() {
        for (int i = 0; i < HANG_SECONDS / REST_SECONDS * 10 && server.isBusy(); i++) {
            clock.runUntil(clock.nanos() + (long) (REST_SECONDS * YearClock.SECOND));
        }
        clock.runUntil(clock.nanos() + (long) (REST_SECONDS * YearClock.SECOND));
        server.checkAtRest();
    }

    private Plan plan() {
        Kind[] kinds = Kind.values();
        Kind kind = kinds[clock.number(0, kinds.length - 1)];
        double compute = clock.scaled(0.01, 0.4);
        double wait = clock.uniform() < 0.5 ? 0 : clock.scaled(0.005, 1);
        var works = new ArrayList<YearServer.Work>();
        int routes = clock.number(1, 3);
        for (int i = 0; i < routes; i++) {
            double times = clock.scaled(0.3, 3);
            // Some routes stay, others are new in each episode.
            String name = i == 0 ? "GET /" : "GET /" + episode % 50 + "/" + i;
            works.add(new YearServer.Work(name, compute * times, wait * times));
        }
        works.add(new YearServer.Work("GET /report", compute * 20, wait * 20));
        double mean = works.stream().mapToDouble(YearServer.Work::compute).average().orElse(1);
        double capacity = processors / mean;
        double length = clock.scaled(1, 60);
        double think = clock.scaled(0.1, 20);
        return new Plan(kind, works, load(kind) * capacity / length, length, think, endless(kind));
    }

    private double load(Kind kind) {
        return switch (kind) {
            case QUIET -> 0.02;
            case USERS, HANGING -> clock.between(0.1, 1);
            case OVERLOAD, IMPATIENT -> clock.scaled(1, 6);
            case ENDLESS -> clock.between(0.1, 2);
        };
    }

    private int endless(Kind kind) {
        return kind == Kind.ENDLESS ? (int) clock.scaled(1, 200) : 0;
    }

    private void beginSessions(Plan plan) {
        clock.after(
                clock.exponential(1 / plan.sessions),
                () -> {
                    if (clock.nanos() < end) {
                        new Client(plan, sessionLength(plan), plan.think).next();
                        beginSessions(plan);
                    }
                });
    }

    private int sessionLength(Plan plan) {
        double more = (double) clock.exponential(plan.length - 1) / YearClock.SECOND;
        return 1 + (int) Math.round(more);
    }

    /// One client, and its session on a connection.
    private final class Client {
        private final Plan plan;
        private final double think;
        private Session session = new Session();
        private int left;
        private boolean isNew = true;
        private long liveFrom;
        private int requests;

        Client(Plan plan, int requests, double think) {
            this.plan = plan;
            this.left = requests;
            this.think = think;
            this.liveFrom = clock.nanos();
        }

        void next() {
            if (clock.nanos() >= end || left == 0) {
                server.closeSession(session);
                return;
            }
            left--;
            requests++;
            boolean isOld = clock.nanos() - liveFrom > LIVE_SECONDS * YearClock.SECOND;
            // Admission admits such a session anew.
            isNew |= requests >= LIVE_REQUESTS || isOld;
            YearServer.Request request = server.send(work(), session, isNew, this::responded);
            if (plan.kind == Kind.IMPATIENT) {
                clock.after(clock.exponential(0.2), request::disconnect);
            }
        }

        private YearServer.Work work() {
            List<YearServer.Work> works = plan.works;
            if (plan.kind == Kind.HANGING && clock.uniform() < 0.01) {
                return new YearServer.Work("GET /hangs", 0.001, HANG_SECONDS / 4);
            }
            // A lengthy request in twenty.
            boolean isLengthy = clock.uniform() < 0.05;
            return isLengthy ? works.getLast() : works.get(clock.number(0, works.size() - 2));
        }

        private void responded(Decision decision) {
            if (decision instanceof Decision.Reject rejection) {
                rejected(rejection.retryAfterSeconds());
            } else {
                requests = isNew ? 1 : requests;
                liveFrom = isNew ? clock.nanos() : liveFrom;
                isNew = false;
                clock.after(clock.exponential(think), this::next);
            }
        }

        /// Half of the users give up; the others come back by a new connection, as the response
        /// says. Clients without end ask again at once.
        private void rejected(int retryAfterSeconds) {
            boolean isEndless = left > 1_000_000;
            if (isEndless) {
                clock.after(YearClock.SECOND / 10, this::next);
            } else {
                server.closeSession(session);
                if (clock.uniform() < RETRY && retryAfterSeconds > 0) {
                    session = new Session();
                    isNew = true;
                    requests = 0;
                    clock.after(retryAfterSeconds * YearClock.SECOND, this::next);
                }
            }
        }
    }
}
