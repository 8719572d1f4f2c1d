package dev.tandem.lab;

import java.util.LinkedHashMap;
import java.util.Map;

/// Loads of several conditions, chosen by the suffix of a contender's name, such as `tandem, CGI`.
/// Confined to one thread.
final class Sweeps implements Repetitions.Runner {
    private final Sweep plain;
    private final Map<String, Sweep> conditions = new LinkedHashMap<>();

    /// @param plain the load of names without a condition
    Sweeps(Sweep plain) {
        this.plain = plain;
    }

    /// @param condition such as `, CGI`
    Sweeps with(String condition, Sweep sweep) {
        conditions.put(condition, sweep);
        return this;
    }

    private Sweep of(Scenario scenario) {
        for (Map.Entry<String, Sweep> condition : conditions.entrySet()) {
            if (scenario.contender().endsWith(condition.getKey())) {
                return condition.getValue();
            }
        }
        return plain;
    }

    @Override
    public void warm(Scenario scenario) throws LabException, InterruptedException {
        of(scenario).warm(scenario);
    }

    @Override
    public Reading measure(Scenario scenario, int repetition)
            throws LabException, InterruptedException {
        return of(scenario).measure(scenario, repetition);
    }
}
