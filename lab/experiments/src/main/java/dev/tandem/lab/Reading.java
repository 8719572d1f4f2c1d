package dev.tandem.lab;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// Result of one measurement. Immutable.
///
/// @param figures by their names, such as `replies/s`; NaN if unknown
/// @param generatorShare of the processor time available to the load generator that it used; NaN if
///     unknown
record Reading(Map<String, Double> figures, double generatorShare) {
    Reading {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }

    static Reading of(Map<String, Double> figures) {
        return new Reading(figures, Double.NaN);
    }

    /// The first figure in a few words.
    @Override
    public String toString() {
        return figures.entrySet().stream()
                .findFirst()
                .map(e -> Figures.show(e.getValue(), 2) + " " + e.getKey())
                .orElse("");
    }
}
