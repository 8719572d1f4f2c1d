package dev.tandem.lab;

import java.util.Map;

/// Runs an experiment in a network namespace of its own where that is allowed, so that the ports of
/// closed connections do not become scarce: a client that closes thousands of connections a second
/// leaves each port waiting for a minute, and the kernel's search for a free one then costs more
/// than all else that the load generator does.
final class OwnNetwork {
    /// The fact that says whose ports clients have.
    static final String FACT = "ports of clients";

    private OwnNetwork() {}

    /// Returns the same procedure, in such a namespace.
    static Experiment.Procedure of(Experiment.Procedure procedure) {
        return run -> {
            String problem = problem();
            if (problem.isEmpty()) {
                run.facts(Map.of(FACT, "of a network namespace"));
                LimitedLink.run(_ -> procedure.run(run));
            } else {
                run.facts(Map.of(FACT, "this machine's: " + problem));
                procedure.run(run);
            }
        };
    }

    private static String problem() throws InterruptedException {
        try {
            LimitedLink.run(_ -> {});
            return "";
        } catch (LabException e) {
            return e.line();
        }
    }
}
