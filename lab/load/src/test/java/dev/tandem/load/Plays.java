package dev.tandem.load;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/// Loads for tests.
final class Plays {
    static final Call CALL = Call.get("/a");

    private Plays() {}

    /// Returns a load of so many sessions, `users` at a time, that all run to their ends.
    static Load sessions(Load load, int users, long sessions) {
        return load.withArrivals(new Arrivals.Closed(users, sessions)).withTime(Duration.ZERO);
    }

    static Load one(ScriptedServer server) {
        return sessions(server.load(), 1, 1);
    }

    static Workload steps(Step... steps) {
        return new Workload() {
            @Override
            public String name() {
                return "steps";
            }

            @Override
            public Session begin(long number, RandomGenerator random) {
                var left = List.of(steps).iterator();
                return _ -> left.hasNext() ? left.next() : null;
            }
        };
    }
}
