package dev.tandem.admission;

import dev.tandem.testkit.Latencies;
import dev.tandem.testkit.Simulation;

/// Clients of whom one in ten asks for what takes long.
final class Mix {
    private static final double LENGTHY_PART = 0.1;

    private final VirtualServer server;
    private final Simulation simulation;
    private final Plan quick;
    private final Plan lengthy;
    private final boolean isOnce;

    /// From here on it is counted.
    long countFrom;

    final Latencies quicks = new Latencies();
    int lengthyDone;
    int quickRefused;

    /// @param isOnce whether each is a new session, by a connection of its own
    Mix(VirtualServer server, Plan quick, Plan lengthy, boolean isOnce) {
        this.server = server;
        this.simulation = server.simulation;
        this.quick = quick;
        this.lengthy = lengthy;
        this.isOnce = isOnce;
    }

    /// A client asks.
    void come() {
        long begun = simulation.nanos();
        boolean isLengthy = simulation.uniform() < LENGTHY_PART;
        if (isOnce) {
            var once = new Session();
            server.connect(() -> ask(isLengthy, once, begun));
        } else {
            ask(isLengthy, server.anybody(), begun);
        }
    }

    private void ask(boolean isLengthy, Session session, long begun) {
        server.ask(
                isLengthy ? lengthy : quick,
                session,
                isAnswered -> {
                    if (isOnce) {
                        server.admission.end(session);
                    }
                    if (begun >= countFrom) {
                        count(isLengthy, isAnswered, simulation.nanos() - begun);
                    }
                });
    }

    private void count(boolean isLengthy, boolean isAnswered, long nanos) {
        if (isLengthy) {
            lengthyDone += isAnswered ? 1 : 0;
        } else if (isAnswered) {
            quicks.add(nanos);
        } else {
            quickRefused++;
        }
    }
}
