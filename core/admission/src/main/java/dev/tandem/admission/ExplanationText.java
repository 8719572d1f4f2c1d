package dev.tandem.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Puts the state of admission into sentences. Under the admission's lock.
final class ExplanationText {
    private final Limits limits;
    private final int workers;
    private final int reserve;
    private final WorkerSearch search;
    private final ComputeLimit computeLimit;
    private final List<Explanation> all = new ArrayList<>();

    /// Of what is added from now on.
    private String section = "Workers";

    ExplanationText(Limits limits, int reserve, WorkerSearch search, ComputeLimit computeLimit) {
        this.limits = limits;
        this.workers = search.limit();
        this.reserve = reserve;
        this.search = search;
        this.computeLimit = computeLimit;
    }

    ExplanationText lanes(RequestLanes lanes, int detached) {
        add("workers", workers, whyWorkers());
        add("running", lanes.running, "requests that have a worker now");
        add("detached", detached, "long-lived, overdue or database exchanges: no load on workers");
        add(
                "reserve",
                reserve,
                "workers kept for quick requests: what they use, and for when more come");
        section = "Lanes";
        add("probe.limit", lanes.probes.limit, "health probes at once, in addition to workers");
        lane("quick", lanes.quick, "every worker");
        lane("lengthy", lanes.lengthy, whyLengthy(lanes.lengthy));
        return this;
    }

    private String whyWorkers() {
        if (workers == limits.workersMax()) {
            return "the configured maximum";
        }
        if (search.isByProcessors()) {
            return "as many keep the processors busy; more would wait for one";
        }
        return search.isSettled()
                ? "neither more nor fewer did more work when it was tried"
                : "the search continues while all of them are busy";
    }

    private String whyLengthy(RequestLane lengthy) {
        return lengthy.limit == computeLimit.limit()
                ? "they compute, and quick ones use "
                        + round(computeLimit.usedByQuick())
                        + " of "
                        + limits.processors()
                        + " processors"
                : workers + " workers less the reserve of " + reserve;
    }

    private void lane(String name, RequestLane lane, String why) {
        add(name + ".limit", lane.limit, why);
        add(
                name + ".service",
                millis(lane.serviceNanos()),
                "the mean time of its last requests on a worker");
        add(
                name + ".wait",
                millis(lane.longestWait(true, null)),
                lane.standing.isStanding()
                        ? "longest wait; short, since even the shortest wait lately was over "
                                + millis(StandingQueue.TARGET_NANOS)
                        : "longest wait; the queue empties by itself");
    }

    ExplanationText sessions(SessionAdmission admission, Sessions sessions) {
        section = "Sessions";
        add(
                "session.gap",
                seconds(admission.gapSeconds()),
                "until a session's next request, from any moment");
        add("session.length", round(admission.length()), "requests of a session");
        add(
                "session.share",
                "1/" + Session.SHARE_PART,
                "of the capacity; requests of a session beyond it wait like those of new ones");
        add("session.known", sessions.size(), "sessions known by a cookie");
        add(
                "session.live",
                round(admission.liveSessions()),
                "live sessions; new ones may be held back only if not all of these could have a"
                        + " response within "
                        + millis(1e9 * SessionAdmission.RISK_SECONDS));
        boolean isKnown = !Double.isInfinite(admission.capacity());
        add(
                "capacity",
                isKnown ? round(admission.asRequests(admission.capacity())) + "/s" : "not reached",
                "requests completed each second while no worker was idle, or no processor");
        add(
                "demand",
                round(admission.asRequests(admission.demand())) + "/s",
                "expected requests of live sessions; new sessions are held back from "
                        + Math.round(100 * SessionAdmission.DEMAND_MAX)
                        + " % of the capacity");
        return this;
    }

    ExplanationText rejections(AcceptGate gate, Rejections rejections, SessionCounts counts) {
        section = "Rejections";
        add(
                "accept gate",
                gate.isClosed() ? "closed" : "open",
                "closed "
                        + gate.pauses()
                        + " times, for "
                        + seconds(gate.closedNanos() / 1e9)
                        + " in total, while all workers were busy and requests were rejected");
        rejections.byReason().forEach(this::rejected);
        add("cancelled", counts.cancelled, "requests whose client disconnected while they waited");
        return this;
    }

    private void rejected(Reason reason, long count) {
        String why =
                switch (reason) {
                    case HELD_BACK -> "new sessions, while live ones need all the capacity";
                    case QUEUE_FULL -> "would have waited for too long, or were too many probes";
                    case EXPIRED -> "waited for too long";
                    case ROUTE_STUCK -> "were for a route whose runs do not return";
                    case NO_DATABASE -> "needed a database that does not respond";
                };
        add("rejected." + reason.name().toLowerCase(Locale.ROOT), count, why);
    }

    ExplanationText routes(Routes routes) {
        section = "Routes";
        for (RouteLoad route : routes.all()) {
            if (route.overdue > 0) {
                add(
                        route.id(),
                        route.overdue + " overdue",
                        "runs of over "
                                + seconds(route.overdueFrom() / 1e9)
                                + " that do not return; fewer may run at once");
            } else if (route.isKnown() && route.lane() == Lane.LENGTHY) {
                add(
                        route.id(),
                        millis(route.meanNanos()),
                        "lengthy: routes of under " + millis(routes.lengthyFrom()) + " are quick");
            }
        }
        return this;
    }

    List<Explanation> all() {
        return List.copyOf(all);
    }

    private void add(String name, Object value, String why) {
        all.add(new Explanation(section, name, value.toString(), why));
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
