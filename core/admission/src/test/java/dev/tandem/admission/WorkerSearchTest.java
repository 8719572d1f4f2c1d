package dev.tandem.admission;

import static dev.tandem.admission.VirtualServer.MILLI;
import static dev.tandem.admission.VirtualServer.SECOND;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Simulation;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The search for the number of workers with 300 busy clients, in virtual time, compared with the
/// best of the fixed numbers; also on a machine that other processes use.
class WorkerSearchTest {
    private static final int CLIENTS = 300;
    private static final long END = 24 * SECOND;

    /// Throughput as a part of that of the best fixed number: on average from the 14th second on,
    /// and in the worst two seconds, whatever was tried in them.
    private record Found(double mean, double least, int workersMost) {}

    @ParameterizedTest
    @CsvSource({
        "1, 1, 0, 3",
        "4, 1, 0, 12",
        "4, 10, 0, 12",
        "1, 0.05, 5, 200",
        "2, 1, 5, 40",
        "4, 2, 50, 200",
        "1, 0.05, 200, 200"
    })
    void throughputIsThatOfTheBestFixedNumber(
            int processors, double computes, double waits, int workersMost) {
        Plan plan = plan(computes, waits);
        double best = best(processors, plan, false);
        Found found = found(processors, plan, best, false);
        assertTrue(found.mean() >= 0.9, found + " of " + best);
        assertTrue(found.least() >= 0.8, found + " of " + best);
        assertTrue(found.workersMost() <= workersMost, found.toString());
    }

    /// Other processes use up to half of the processors three tenths of the time.
    @ParameterizedTest
    @CsvSource({"1, 1, 0", "2, 0.05, 5", "4, 1, 5", "1, 2, 50"})
    void throughputIsThatOfTheBestFixedNumberDespiteOtherLoadOnTheMachine(
            int processors, double computes, double waits) {
        Plan plan = plan(computes, waits);
        double best = best(processors, plan, true);
        Found found = found(processors, plan, best, true);
        assertTrue(found.mean() >= 0.9, found + " of " + best);
    }

    /// From computing to waiting for long and back, by one route and by two. A trial that chance
    /// spoils is repeated two seconds later: one run in five may be late by that.
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "4, 1", "4, 2"})
    void numberFollowsTheWorkloadWithinSeconds(int processors, int routes) {
        int late = 0;
        var runs = new StringBuilder("at 11, 18, 23 and 30 s:");
        for (int seed = 11; seed < 16; seed++) {
            BusyClients crowd = switching(new Simulation(seed), processors, routes);
            for (double at : new double[] {11, 18, 23, 30}) {
                runs.append(' ').append(crowd.workersAt(at));
            }
            runs.append(';');
            assertTrue(crowd.workersAt(11) <= 3 * processors, runs.toString());
            late += crowd.workersAt(18) >= 180 ? 0 : 1;
            assertTrue(crowd.workersAt(23) >= 180, runs.toString());
            assertTrue(crowd.workersAt(30) <= 3 * processors, runs.toString());
        }
        assertTrue(late <= 1, runs.toString());
    }

    private static BusyClients switching(Simulation simulation, int processors, int routes) {
        Plan computing = plan(1, 0);
        String name = routes == 1 ? computing.route() : "GET /other";
        var waiting = new Plan(name, 0.05 * MILLI, 200 * MILLI, true);
        var server = new VirtualServer(simulation, processors, Limits.of(processors));
        return crowd(
                server,
                36 * SECOND,
                () -> simulation.nanos() / (12 * SECOND) == 1 ? waiting : computing);
    }

    /// No number is tried that would do less, once it is known which resource is full.
    @Test
    void numberIsStable() {
        var server = new VirtualServer(new Simulation(5), 4, Limits.of(4));
        BusyClients crowd = crowd(server, 60 * SECOND, () -> plan(1, 5));
        double whole = crowd.rate(10, 60);
        assertTrue(crowd.leastRate(10, 60) >= 0.93 * whole, crowd.rate(10, 60) + "");
        int least = Integer.MAX_VALUE;
        int most = 0;
        for (double at = 10; at < 59; at++) {
            least = Math.min(least, crowd.workersAt(at));
            most = Math.max(most, crowd.workersAt(at));
        }
        assertTrue(most <= 1.6 * least, least + " to " + most);
    }

    private static Plan plan(double computes, double waits) {
        return Plan.mixed("GET /", computes, waits);
    }

    private static double best(int processors, Plan plan, boolean isDisturbed) {
        double best = 0;
        for (int workers = processors; workers <= 256; workers *= 2) {
            int number = Math.min(workers, 200);
            var server =
                    new VirtualServer(new Simulation(3), processors, new Limits(number, number));
            disturb(server, isDisturbed);
            best = Math.max(best, crowd(server, 8 * SECOND, () -> plan).rate(2, 8));
        }
        return best;
    }

    private static Found found(int processors, Plan plan, double best, boolean isDisturbed) {
        var server = new VirtualServer(new Simulation(9), processors, Limits.of(processors));
        disturb(server, isDisturbed);
        BusyClients crowd = crowd(server, END, () -> plan);
        int most = 0;
        for (double at = 10; at < 24; at += 0.5) {
            most = Math.max(most, crowd.workersAt(at));
        }
        return new Found(crowd.rate(14, 24) / best, crowd.leastRate(10, 24) / best, most);
    }

    private static BusyClients crowd(VirtualServer server, long until, Supplier<Plan> plans) {
        server.tickUntil(until);
        var crowd = new BusyClients(server, CLIENTS, plans, until);
        server.simulation.runUntil(until);
        return crowd;
    }

    private static void disturb(VirtualServer server, boolean isDisturbed) {
        var random = new Random(21);
        if (isDisturbed) {
            server.simulation.every(
                    300 * MILLI,
                    END,
                    () ->
                            server.processors.taken(
                                    random.nextDouble() < 0.3 ? random.nextDouble() / 2 : 0));
        }
    }
}
