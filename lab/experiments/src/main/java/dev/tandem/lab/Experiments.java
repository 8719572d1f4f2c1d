package dev.tandem.lab;

import java.util.Comparator;
import java.util.List;

/// The experiments of the lab.
public final class Experiments {
    /// Maximum number of wrong letters for which a similar name is suggested.
    private static final int TYPOS_MAX = 3;

    private Experiments() {}

    /// In the order in which they are listed.
    public static List<Experiment> all() {
        return List.of(
                SpeedExperiment.EXPERIMENT,
                StaticExperiment.EXPERIMENT,
                PageCacheExperiment.EXPERIMENT,
                PageCourseExperiment.EXPERIMENT,
                PageSpeedExperiment.EXPERIMENT,
                OffloadExperiment.EXPERIMENT,
                RatesExperiment.EXPERIMENT,
                GeneratorExperiment.EXPERIMENT,
                NioExperiment.EXPERIMENT,
                TlsExperiment.EXPERIMENT,
                TuningExperiment.EXPERIMENT,
                AuctionExperiment.DYNAMIC,
                AuctionExperiment.SECURE,
                SpecwebExperiment.EXPERIMENT,
                SpecwebThreadsExperiment.EXPERIMENT,
                OverloadExperiment.EXPERIMENT,
                SessionsExperiment.EXPERIMENT,
                MixExperiment.EXPERIMENT,
                WorkersExperiment.EXPERIMENT,
                RecoveryExperiment.EXPERIMENT,
                AdmissionExperiment.EXPERIMENT,
                StormExperiment.EXPERIMENT,
                ScalingExperiment.EXPERIMENT,
                ProxyExperiment.EXPERIMENT,
                AttacksExperiment.EXPERIMENT,
                StagedExperiment.EXPERIMENT,
                IdleExperiment.EXPERIMENT,
                LiveExperiment.EXPERIMENT,
                SlowExperiment.EXPERIMENT,
                StartExperiment.EXPERIMENT,
                ColdExperiment.EXPERIMENT,
                FleetExperiment.EXPERIMENT,
                SoakExperiment.EXPERIMENT,
                YearExperiment.EXPERIMENT,
                FaultsExperiment.EXPERIMENT);
    }

    /// @throws IllegalArgumentException if there is none; names the nearest, or how to list them
    ///     all
    public static Experiment named(String name) {
        for (Experiment experiment : all()) {
            if (experiment.name().equals(name)) {
                return experiment;
            }
        }
        String nearest =
                all().stream()
                        .map(Experiment::name)
                        .min(Comparator.comparingInt(other -> distance(name, other)))
                        .orElse("");
        boolean isNear = distance(name, nearest) <= Math.min(TYPOS_MAX, nearest.length() / 2);
        throw new IllegalArgumentException(
                "unknown experiment '"
                        + name
                        + "'"
                        + (isNear ? "; did you mean " + nearest + "?" : "")
                        + " (tandem lab list shows all)");
    }

    /// Returns how many insertions, deletions and substitutions change one word into another
    /// (Levenshtein).
    private static int distance(String a, String b) {
        var above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = above[0];
            above[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = above[j];
                above[j] = Math.min(changed, 1 + Math.min(above[j], above[j - 1]));
            }
        }
        return above[b.length()];
    }
}
