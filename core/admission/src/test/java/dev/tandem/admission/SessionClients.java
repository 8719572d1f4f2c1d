package dev.tandem.admission;

import dev.tandem.testkit.Simulation;
import java.util.LinkedHashSet;
import java.util.Set;

/// Clients whose sessions have a number of requests with a think time between them. A client whose
/// request is rejected gives up.
final class SessionClients {
    private final VirtualServer server;
    private final Simulation simulation;
    private final Plan plan;
    private final int requests;
    private final double thinkNanos;
    private final Set<Session> connected = new LinkedHashSet<>();
    private boolean isStopped;

    /// Sessions that were completed, that ended after a rejection, and that were rejected with
    /// their first request.
    long completed;

    long abandoned;
    long rejectedFirst;

    SessionClients(VirtualServer server, Plan plan, int requests, double thinkNanos) {
        this.server = server;
        this.simulation = server.simulation;
        this.plan = plan;
        this.requests = requests;
        this.thinkNanos = thinkNanos;
    }

    /// Connects a new client, which sends its first request.
    void connect() {
        server.connect(
                () -> {
                    var session = new Session();
                    connected.add(session);
                    send(session, 1);
                });
    }

    /// Closes all connections; no client connects any more.
    void disconnectAll() {
        isStopped = true;
        connected.forEach(server.admission::closeSession);
        connected.clear();
    }

    private void send(Session session, int number) {
        if (!isStopped) {
            server.send(plan, session, isCompleted -> responded(session, number, isCompleted));
        }
    }

    private void responded(Session session, int number, boolean isCompleted) {
        boolean isCounted = simulation.nanos() >= server.countFrom;
        if (!isCompleted) {
            if (isCounted && number == 1) {
                rejectedFirst++;
            } else if (isCounted) {
                abandoned++;
            }
            disconnect(session);
        } else if (number == requests) {
            completed += isCounted ? 1 : 0;
            disconnect(session);
        } else {
            simulation.after(simulation.exponential(thinkNanos), () -> send(session, number + 1));
        }
    }

    private void disconnect(Session session) {
        if (connected.remove(session)) {
            server.admission.closeSession(session);
        }
    }
}
