package dev.tandem.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Puts what admission knows into sentences. Under the admission's lock.
final class ExplanationText {
    private final Limits limits;
    private final int workers;
    private final int reserve;
    private final WorkerSearch search;
    private final ComputeLimit computing;
    private final List<Explanation> all = new ArrayList<>();

    ExplanationText(Limits limits, int reserve, WorkerSearch search, ComputeLimit computing) {
        this.limits = limits;
        this.workers = search.limit();
        this.reserve = reserve;
        this.search = search;
        this.computing = computing;
    }

    ExplanationText lanes(RequestLanes lanes, int apart) {
        say("workers", workers, whyWorkers());
        say("running", lanes.running, "requests that have a worker now");
        say("apart", apart, "long-lived or overdue exchanges; they count for no load");
        say(
                "reserve",
                reserve,
                "workers kept for quick requests: what they use, and for when more come");
        say("probe.limit", lanes.probes.limit, "health probes at once, beside all workers");
        lane("quick", lanes.quick, "every worker");
        lane("lengthy", lanes.lengthy, whyLengthy(lanes.lengthy));
        return this;
    }

    private String whyWorkers() {
        if (workers == limits.workersMax()) {
            return "the most it may have";
        }
        if (search.isByProcessors()) {
            return "so many keep the processors at work; more would wait for one";
        }
        return search.isSettled()
                ? "neither more nor fewer did more work when it was tried"
                : "the search goes on while all of them are busy";
    }

    private String whyLengthy(RequestLane lengthy) {
        return lengthy.limit == computing.limit()
                ? "they compute, and quick ones use "
                        + round(computing.forQuick())
                        + " of "
                        + limits.processors()
                        + " processors"
                : workers + " workers less the reserve of " + reserve;
    }

    private void lane(String name, RequestLane line, String why) {
        say(name + ".limit", line.limit, why);
        say(
                name + ".service",
                millis(line.serviceNanos()),
                "the mean time of its last requests on a worker");
        say(
                name + ".wait",
                millis(line.allowed(true, null)),
                line.standing.isStanding()
                        ? "how long one may wait; short, since even the luckiest waited for over "
                                + millis(StandingQueue.TARGET_NANOS)
                        : "how long one may wait; the queue empties by itself");
    }

    ExplanationText newSessions(SessionAdmission newSessions, Sessions sessions) {
        say(
                "session.gap",
                seconds(newSessions.gapSeconds()),
                "until a session's next request, from any moment");
        say("session.length", round(newSessions.length()), "requests that a session has");
        say(
                "session.share",
                "1/" + Session.SHARE_PART,
                "of the capacity; what a session asks for beyond it waits like a new one");
        say("session.known", sessions.size(), "sessions that a cookie names");
        boolean isKnown = !Double.isInfinite(newSessions.capacity());
        say(
                "capacity",
                isKnown
                        ? round(newSessions.asRequests(newSessions.capacity())) + "/s"
                        : "not reached",
                "requests answered each second while no worker was idle, or no processor");
        say(
                "promised",
                round(newSessions.asRequests(newSessions.promised())) + "/s",
                "what live sessions will ask for; new ones are held back from "
                        + Math.round(100 * SessionAdmission.PROMISED_MAX)
                        + " % of the capacity, while live ones could not all wait at once");
        say(
                "inside",
                round(newSessions.inside()),
                "live sessions; so many that all of them could not have a response"
                        + " within "
                        + millis(1e9 * SessionAdmission.RISK_SECONDS)
                        + " are a reason to hold new ones back");
        return this;
    }

    ExplanationText door(AcceptGate gate, Rejections rejections, SessionCounts counts) {
        say(
                "gate",
                gate.isShut() ? "shut" : "open",
                "shut "
                        + gate.shuts()
                        + " times, for "
                        + seconds(gate.shutNanos() / 1e9)
                        + " in all, while all workers were busy and a queue stood");
        rejections.byReason().forEach((reason, count) -> say("refused", reason, count));
        say("left", counts.left, "went away while they waited, and were not started");
        return this;
    }

    private void say(String group, Reason reason, long count) {
        String why =
                switch (reason) {
                    case HELD_BACK -> "new sessions, while live ones need all there is";
                    case QUEUE_FULL -> "would have waited for too long, or were probes too many";
                    case EXPIRED -> "waited for too long";
                    case ROUTE_STUCK -> "asked for a route whose runs do not return";
                    case NO_DATABASE -> "needed a database that does not answer";
                };
        say(group + "." + reason.name().toLowerCase(Locale.ROOT), count, why);
    }

    ExplanationText routes(Routes routes) {
        for (RouteLoad route : routes.all()) {
            if (route.overdue > 0) {
                say(
                        route.id(),
                        route.overdue + " overdue",
                        "runs of over "
                                + seconds(route.overdueFrom() / 1e9)
                                + " that do not return; fewer may run at once");
            } else if (route.isKnown() && route.lane() == Lane.LENGTHY) {
                say(
                        route.id(),
                        millis(route.meanNanos()),
                        "lengthy: quick are those of under " + millis(routes.lengthyFrom()));
            }
        }
        return this;
    }

    List<Explanation> all() {
        return List.copyOf(all);
    }

    private void say(String name, Object value, String why) {
        all.add(new Explanation(name, value.toString(), why));
    }

    private static String millis(double nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.1f s", seconds);
    }

    private static String round(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
