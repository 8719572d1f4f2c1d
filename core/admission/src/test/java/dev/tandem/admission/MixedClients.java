package dev.tandem.admission;

import dev.tandem.testkit.Latencies;
import dev.tandem.testkit.Simulation;

/// Clients that send a request each, one in ten of them for a lengthy route.
final class MixedClients {
    private static final double LENGTHY_PART = 0.1;

    private final VirtualServer server;
    private final Simulation simulation;
    private final Plan quick;
    private final Plan lengthy;
    private final boolean areNewSessions;

    /// Requests sent before this time are not counted.
    long countFrom;

    final Latencies quickLatencies = new Latencies();
    int lengthyCompleted;
    int quickRejected;

    /// @param areNewSessions whether each is a new session on a connection of its own
    MixedClients(VirtualServer server, Plan quick, Plan lengthy, boolean areNewSessions) {
        this.server = server;
        this.simulation = server.simulation;
        this.quick = quick;
        this.lengthy = lengthy;
        this.areNewSessions = areNewSessions;
    }

    /// Sends one client's request.
    void send() {
        long sentAt = simulation.nanos();
        boolean isLengthy = simulation.uniform() < LENGTHY_PART;
        if (areNewSessions) {
            var session = new Session();
            server.connect(() -> send(isLengthy, session, sentAt));
        } else {
            send(isLengthy, server.nextSession(), sentAt);
        }
    }

    private void send(boolean isLengthy, Session session, long sentAt) {
        server.send(
                isLengthy ? lengthy : quick,
                session,
                isCompleted -> {
                    if (areNewSessions) {
                        server.admission.closeSession(session);
                    }
                    if (sentAt >= countFrom) {
                        count(isLengthy, isCompleted, simulation.nanos() - sentAt);
                    }
                });
    }

    private void count(boolean isLengthy, boolean isCompleted, long nanos) {
        if (isLengthy) {
            lengthyCompleted += isCompleted ? 1 : 0;
        } else if (isCompleted) {
            quickLatencies.add(nanos);
        } else {
            quickRejected++;
        }
    }
}
