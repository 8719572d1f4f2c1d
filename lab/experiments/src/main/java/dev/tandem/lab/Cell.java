package dev.tandem.lab;

import dev.tandem.lab.chart.Numbers;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// One thing to be measured in every round: a contender under some conditions. Immutable.
///
/// @param contender such as `tandem`
/// @param at values of parameters by their names, such as `clients` 500; may be empty
record Cell(String contender, Map<String, Double> at) {
    Cell {
        at = Collections.unmodifiableMap(new LinkedHashMap<>(at));
    }

    /// Without a parameter.
    static Cell of(String contender) {
        return new Cell(contender, Map.of());
    }

    /// With one parameter.
    static Cell of(String contender, String parameter, double value) {
        return new Cell(contender, Map.of(parameter, value));
    }

    /// With one more.
    Cell with(String parameter, double value) {
        var more = new LinkedHashMap<String, Double>(at);
        more.put(parameter, value);
        return new Cell(contender, more);
    }

    /// The value of a parameter; NaN if it has none.
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
