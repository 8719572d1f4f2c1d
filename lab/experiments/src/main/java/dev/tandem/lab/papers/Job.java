package dev.tandem.lab.papers;

import dev.tandem.lab.Experiment;
import dev.tandem.lab.Experiments;
import dev.tandem.lab.Form;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// A run of an experiment, of which one or more figures are made.
///
/// @param name of its folder; unique
/// @param experiment that it runs
/// @param options values of settings that differ from the form's, by name
/// @param fullMinutes approximate duration of its full form; 0: the experiment's own
record Job(String name, String experiment, Map<String, String> options, int fullMinutes) {
    private static final int SECONDS_A_MINUTE = 60;

    Job {
        options = Map.copyOf(options);
    }

    /// An experiment as it is.
    static Job of(String experiment) {
        return new Job(experiment, experiment, Map.of(), 0);
    }

    Experiment run() {
        return Experiments.named(experiment);
    }

    /// Approximate duration.
    int seconds(Form form) {
        boolean isOwn = form == Form.FULL && fullMinutes > 0;
        return isOwn ? SECONDS_A_MINUTE * fullMinutes : run().seconds(form);
    }

    /// The command, as it would be typed.
    String command(Form form) {
        String chosen =
                new TreeMap<>(options)
                        .entrySet().stream()
                                .map(one -> " --" + one.getKey() + " " + one.getValue())
                                .collect(Collectors.joining());
        return "tandem lab run " + experiment + " --" + form + chosen;
    }

    /// The settings that make a run what it is: those that differ between the forms, or are chosen.
    ///
    /// @param used the run's values by name; the form's of today stand for those that it lacks
    String sizes(Form form, Map<String, String> used) {
        return run().settings().stream()
                .filter(
                        setting ->
                                options.containsKey(setting.name())
                                        || !setting.fallback().equals(setting.quick()))
                .map(
                        setting ->
                                setting.name()
                                        + " "
                                        + used.getOrDefault(
                                                setting.name(),
                                                options.getOrDefault(
                                                        setting.name(), setting.fallback(form))))
                .collect(Collectors.joining("; "));
    }
}
