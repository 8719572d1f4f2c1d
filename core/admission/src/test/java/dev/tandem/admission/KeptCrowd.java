package dev.tandem.admission;

import static dev.tandem.admission.VirtualServer.MILLI;
import static dev.tandem.admission.VirtualServer.SECOND;

import dev.tandem.testkit.Simulation;
import java.util.function.Supplier;

/// Clients on kept connections, each of whom asks again as soon as it has its answer, and a
/// tenth of a second after a refusal: so some always wait. Counts answers by half seconds.
final class KeptCrowd {
    private static final long SLICE = SECOND / 2;
    private static final long PAUSE = 100 * MILLI;

    private final VirtualServer server;
    private final Simulation simulation;
    private final Supplier<Plan> plans;
    private final int[] answers;
    private final int[] workers;

    /// @param plans what is asked for next
    KeptCrowd(VirtualServer server, int clients, Supplier<Plan> plans, long untilNanos) {
        this.server = server;
        this.simulation = server.simulation;
        this.plans = plans;
        this.answers = new int[slice(untilNanos) + 1];
        this.workers = new int[answers.length];
        for (int i = 0; i < clients; i++) {
            simulation.after((long) (simulation.uniform() * PAUSE), () -> ask(new Session()));
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

    private void ask(Session session) {
        server.ask(
                plans.get(),
                session,
                isAnswered -> {
                    if (isAnswered) {
                        answers[slice(simulation.nanos())]++;
                        simulation.after(0, () -> ask(session));
                    } else {
                        simulation.after(PAUSE, () -> ask(session));
                    }
                });
    }

    /// Answers a second between two times.
    double rate(double fromSeconds, double toSeconds) {
        long sum = 0;
        for (int i = (int) (2 * fromSeconds); i < (int) (2 * toSeconds); i++) {
            sum += answers[i];
        }
        return sum / (toSeconds - fromSeconds);
    }

    /// The least answers a second of any two seconds, one after the other, between two times.
    double leastOfTwoSeconds(double fromSeconds, double toSeconds) {
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
