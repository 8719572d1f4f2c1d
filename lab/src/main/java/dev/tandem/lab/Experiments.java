package dev.tandem.lab;

import java.util.List;

/// The experiments that the lab has.
public final class Experiments {
    private Experiments() {}

    /// In the order in which they are shown.
    public static List<Experiment> all() {
        return List.of(
                SpeedExperiment.EXPERIMENT,
                IdleExperiment.EXPERIMENT,
                StartExperiment.EXPERIMENT,
                SoakExperiment.EXPERIMENT);
    }
}
