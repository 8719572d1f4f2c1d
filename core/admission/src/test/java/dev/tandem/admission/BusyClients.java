package dev.tandem.admission;

import static dev.tandem.admission.VirtualServer.MILLI;
import static dev.tandem.admission.VirtualServer.SECOND;

import dev.tandem.testkit.Simulation;
import java.util.function.Supplier;

/// Clients on persistent connections that send a request as soon as they have a response, and a
/// tenth of a second after a rejection: so some always wait. Counts responses in slices of half a
/// second.
final class BusyClients {
    private static final long SLICE = SECOND / 2;
    private static final long PAUSE = 100 * MILLI;

    private final VirtualServer server;
    private final Simulation simulation;
    private final Supplier<Plan> plans;
    private final int[] responses;
    private final int[] workers;

    /// @param plans of the next request
    BusyClients(VirtualServer server, int clients, Supplier<Plan> plans, long untilNanos) {
        this.server = server;
        this.simulation = server.simulation;
        this.plans = plans;
        this.responses = new int[slice(untilNanos) + 1];
        this.workers = new int[responses.length];
        for (int i = 0; i < clients; i++) {
            simulation.after((long) (simulation.uniform() * PAUSE), () -> send(new Session()));
        }
        simulation.every(
                SLICE,
                untilNanos,
                () ->
                        workers[slice(simulation.nanos()) - 1] =
                                server.admission.counters().workers());
    }

    private static int slice(long nanos) {
        return (int) (nanos / SLICE);
    }

    private void send(Session session) {
        server.send(
                plans.get(),
                session,
                isCompleted -> {
                    if (isCompleted) {
                        responses[slice(simulation.nanos())]++;
                        simulation.after(0, () -> send(session));
                    } else {
                        simulation.after(PAUSE, () -> send(session));
                    }
                });
    }

    /// Returns the responses a second between two times.
    double rate(double fromSeconds, double toSeconds) {
        long sum = 0;
        for (int i = (int) (2 * fromSeconds); i < (int) (2 * toSeconds); i++) {
            sum += responses[i];
        }
        return sum / (toSeconds - fromSeconds);
    }

    /// Returns the smallest rate of any two seconds between two times.
    double leastRate(double fromSeconds, double toSeconds) {
        double least = Double.MAX_VALUE;
        for (double from = fromSeconds; from + 2 <= toSeconds; from += 0.5) {
            least = Math.min(least, rate(from, from + 2));
        }
        return least;
    }

    int workersAt(double seconds) {
        return workers[(int) (2 * seconds)];
    }
}
