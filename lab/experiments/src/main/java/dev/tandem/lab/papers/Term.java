package dev.tandem.lab.papers;

import dev.tandem.lab.RunResult;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A figure of one contender at one load: the median of its repetitions.
///
/// @param figure its name in the measurements
/// @param contender its name there
/// @param at the load
record Term(String figure, String contender, Load at) {

    /// Which of the measured loads, or of other conditions.
    enum Load {
        /// That of the lowest first parameter.
        LOWEST,
        /// That of the highest first parameter.
        HIGHEST,
        /// That where the figure is greatest.
        MOST,
        /// That where the figure is least.
        LEAST
    }

    static Term highest(String figure, String contender) {
        return new Term(figure, contender, Load.HIGHEST);
    }

    static Term lowest(String figure, String contender) {
        return new Term(figure, contender, Load.LOWEST);
    }

    static Term most(String figure, String contender) {
        return new Term(figure, contender, Load.MOST);
    }

    static Term least(String figure, String contender) {
        return new Term(figure, contender, Load.LEAST);
    }

    /// NaN if it was not measured.
    double of(RunResult result) {
        return median(List.copyOf(byRepetition(result).values()));
    }

    /// The figure of each repetition, where it was measured.
    Map<Integer, Double> byRepetition(RunResult result) {
        var byPlace = new LinkedHashMap<Map<String, Double>, Map<Integer, Double>>();
        for (RunResult.Row row : result.rows()) {
            Double value = row.figures().get(figure);
            if (row.contender().equals(contender) && value != null) {
                byPlace.computeIfAbsent(row.at(), _ -> new TreeMap<>())
                        .put(row.repetition(), value);
            }
        }
        Comparator<Map.Entry<Map<String, Double>, Map<Integer, Double>>> byLoad =
                Comparator.comparingDouble(place -> load(place.getKey()));
        Comparator<Map.Entry<Map<String, Double>, Map<Integer, Double>>> byValue =
                Comparator.comparingDouble(place -> median(List.copyOf(place.getValue().values())));
        var places = byPlace.entrySet().stream();
        var place =
                switch (at) {
                    case LOWEST -> places.min(byLoad);
                    case HIGHEST -> places.max(byLoad);
                    case MOST -> places.max(byValue);
                    case LEAST -> places.min(byValue);
                };
        return place.map(Map.Entry::getValue).orElse(Map.of());
    }

    private static double load(Map<String, Double> place) {
        return place.values().stream().findFirst().orElse(0.0);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int half = sorted.size() / 2;
        if (sorted.isEmpty()) {
            return Double.NaN;
        }
        return sorted.size() % 2 == 1
                ? sorted.get(half)
                : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }
}
