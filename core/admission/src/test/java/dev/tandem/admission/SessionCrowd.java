package dev.tandem.admission;

import dev.tandem.testkit.Simulation;
import java.util.LinkedHashSet;
import java.util.Set;

/// Clients whose sessions have a number of requests with a time to think between them. One
/// whose request is refused gives up.
final class SessionCrowd {
    private final VirtualServer server;
    private final Simulation simulation;
    private final Plan plan;
    private final int requests;
    private final double thinkNanos;
    long completed;
    long abandoned;
    long turnedAway;
    private final Set<Session> inside = new LinkedHashSet<>();
    private boolean hasLeft;

    SessionCrowd(VirtualServer server, Plan plan, int requests, double thinkNanos) {
        this.server = server;
        this.simulation = server.simulation;
        this.plan = plan;
        this.requests = requests;
        this.thinkNanos = thinkNanos;
    }

    /// A new client comes.
    void come() {
        server.connect(
                () -> {
                    var session = new Session();
                    inside.add(session);
                    ask(session, 1);
                });
    }

    /// All close their connections, and come no more.
    void leave() {
        hasLeft = true;
        inside.forEach(server.admission::end);
        inside.clear();
    }

    private void ask(Session session, int number) {
        if (hasLeft) {
            return;
        }
        server.ask(plan, session, isAnswered -> answered(session, number, isAnswered));
    }

    private void answered(Session session, int number, boolean isAnswered) {
        boolean isCounted = simulation.nanos() >= server.countFrom;
        if (!isAnswered) {
            if (isCounted && number == 1) {
                turnedAway++;
            } else if (isCounted) {
                abandoned++;
            }
            end(session);
        } else if (number == requests) {
            completed += isCounted ? 1 : 0;
            end(session);
        } else {
            simulation.after(simulation.exponential(thinkNanos), () -> ask(session, number + 1));
        }
    }

    private void end(Session session) {
        if (inside.remove(session)) {
            server.admission.end(session);
        }
    }
}
