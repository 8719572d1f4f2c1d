package dev.tandem.lab;

import java.nio.file.Path;
import java.util.Set;

/// A fault that is injected under load.
///
/// @param name as in `--faults`
/// @param load in words
/// @param promise what must hold
/// @param procedure injects it
record Fault(String name, String load, String promise, Procedure procedure) {

    /// What happened.
    ///
    /// @param isKept whether the promise was kept
    record Outcome(boolean isKept, String happened) {}

    /// Injects a fault.
    interface Procedure {
        /// @throws Impossible if this machine does not allow it
        Outcome inject(Bench bench) throws LabException, InterruptedException, Impossible;
    }

    /// What a fault is injected with.
    ///
    /// @param folder empty, of its own
    /// @param seconds that the fault lasts, where it lasts
    record Bench(Run run, Path folder, int seconds) {}

    /// Reports that this machine does not allow a fault.
    static final class Impossible extends Exception {
        private static final long serialVersionUID = 1L;

        Impossible(String reason) {
            super(reason);
        }
    }

    /// Returns how a load came through.
    ///
    /// @param stored what is there now of what was acknowledged
    /// @param recovered seconds from the fault's end to the first good response
    static Outcome outcome(
            FaultLoad load, String name, Set<String> stored, double recovered, String more) {
        Set<String> known = load.acknowledged(name);
        long lost = known.stream().filter(id -> !stored.contains(id)).count();
        boolean isKept = lost == 0 && recovered < 10 && more.isEmpty();
        String text =
                ("%,d acknowledged, %d lost; %,d good responses, first %.1f s after the end of the"
                                + " fault; failures: %s%s")
                        .formatted(
                                known.size(),
                                lost,
                                load.good(),
                                recovered,
                                load.failures(),
                                more.isEmpty() ? "" : "; " + more);
        return new Outcome(isKept, text);
    }
}
