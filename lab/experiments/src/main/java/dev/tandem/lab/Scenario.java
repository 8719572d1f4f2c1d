package dev.tandem.lab;

import dev.tandem.lab.chart.Numbers;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// A scenario that every repetition measures: a contender under given conditions. Immutable.
///
/// @param contender such as `tandem`
/// @param at values of parameters by their names, such as `clients` 500; may be empty
record Scenario(String contender, Map<String, Double> at) {
    Scenario {
        at = Collections.unmodifiableMap(new LinkedHashMap<>(at));
    }

    /// Returns a scenario without a parameter.
    static Scenario of(String contender) {
        return new Scenario(contender, Map.of());
    }

    /// Returns a scenario with one parameter.
    static Scenario of(String contender, String parameter, double value) {
        return new Scenario(contender, Map.of(parameter, value));
    }

    /// Returns this scenario with one more parameter.
    Scenario with(String parameter, double value) {
        var more = new LinkedHashMap<String, Double>(at);
        more.put(parameter, value);
        return new Scenario(contender, more);
    }

    /// Returns the value of a parameter; NaN if it has none.
    double at(String parameter) {
        return at.getOrDefault(parameter, Double.NaN);
    }

    @Override
    public String toString() {
        return at.isEmpty()
                ? contender
                : contender
                        + " at "
                        + at.entrySet().stream()
                                .map(e -> e.getKey() + " " + Numbers.show(e.getValue()))
                                .collect(Collectors.joining(", "));
    }
}
