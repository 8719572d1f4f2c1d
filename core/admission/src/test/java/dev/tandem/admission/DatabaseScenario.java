package dev.tandem.admission;

import static dev.tandem.admission.VirtualServer.MILLI;
import static dev.tandem.admission.VirtualServer.SECOND;

import dev.tandem.testkit.Latencies;
import dev.tandem.testkit.Simulation;

/// A database lane in virtual time: quick and lengthy requests of live and of new sessions,
/// requests that need another connection, jobs, and requests that wait with a thread; one and a
/// half times what the connections can serve.
final class DatabaseScenario {
    private static final long END = 60 * SECOND;

    private final Simulation simulation;
    private final int connections;
    private final DatabaseLane lane;
    private final Latencies quickWaits = new Latencies();
    private int completed;
    private int rejected;

    DatabaseScenario(int connections, long seed) {
        this.simulation = new Simulation(seed);
        this.connections = connections;
        this.lane = new DatabaseLane("test", () -> connections, () -> {});
    }

    double[] run() {
        simulation.every(100 * MILLI, END, () -> lane.tick(simulation.nanos()));
        // Parts of each connection's time: 0.6 quick live, 0.2 quick new, 0.45 lengthy, 0.25
        // others.
        arrivals(60, "GET /product", DatabasePermit.Kind.LIVE_SESSION, 10);
        arrivals(20, "GET /product", DatabasePermit.Kind.NEW_SESSION, 10);
        arrivals(1, "GET /best-sellers", DatabasePermit.Kind.LIVE_SESSION, 400);
        arrivals(0.1, "GET /best-sellers", DatabasePermit.Kind.NEW_SESSION, 400);
        arrivals(5, "GET /rarely", DatabasePermit.Kind.RUNNING, 20);
        arrivals(0.5, "(job)", DatabasePermit.Kind.JOB, 300);
        simulation.runUntil(END);
        return new double[] {completed, quickWaits.millis(0.99), rejected};
    }

    private void arrivals(double rate, String route, DatabasePermit.Kind kind, double millis) {
        DatabaseRoute its =
                kind == DatabasePermit.Kind.JOB ? lane.otherRoutes() : lane.route(route);
        simulation.poisson(
                nanos -> rate * connections * (nanos % (20 * SECOND) < 5 * SECOND ? 0.5 : 1),
                END,
                () -> request(its, kind, millis, 1));
    }

    private void request(DatabaseRoute route, DatabasePermit.Kind kind, double millis, int use) {
        long requestedAt = simulation.nanos();
        var permit = new DatabasePermit[1];
        permit[0] =
                new DatabasePermit(
                        route,
                        kind,
                        AdmissionTask.of(
                                decision ->
                                        decided(permit[0], requestedAt, millis, use, decision)));
        decided(permit[0], requestedAt, millis, use, permit[0].request(requestedAt));
    }

    private void decided(
            DatabasePermit permit, long requestedAt, double millis, int use, Decision decision) {
        switch (decision) {
            case Decision.Wait _ -> {}
            case Decision.Reject _ -> rejected++;
            case Decision.Run _ -> {
                if (millis < 15 && use == 1) {
                    quickWaits.add(simulation.nanos() - requestedAt);
                }
                permit.use(simulation.nanos());
                simulation.after(
                        simulation.exponential(millis * MILLI),
                        () -> {
                            permit.close(simulation.nanos());
                            boolean needsAnother = use == 1 && simulation.uniform() < 0.1;
                            if (needsAnother) {
                                request(permit.route(), DatabasePermit.Kind.REPEATED, millis, 2);
                            } else {
                                completed++;
                            }
                        });
            }
        }
    }
}
