package dev.tandem.lab.papers;

import dev.tandem.lab.RunResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
        var byPlace = new LinkedHashMap<Map<String, Double>, List<Double>>();
        for (RunResult.Row row : result.rows()) {
            Double value = row.figures().get(figure);
            if (row.contender().equals(contender) && value != null) {
                byPlace.computeIfAbsent(row.at(), _ -> new ArrayList<>()).add(value);
            }
        }
        Comparator<Map<String, Double>> byLoad = Comparator.comparingDouble(Term::load);
        Comparator<Map<String, Double>> byValue =
                Comparator.comparingDouble(place -> median(byPlace.getOrDefault(place, List.of())));
        Set<Map<String, Double>> places = byPlace.keySet();
        Optional<Map<String, Double>> place =
                switch (at) {
                    case LOWEST -> places.stream().min(byLoad);
                    case HIGHEST -> places.stream().max(byLoad);
                    case MOST -> places.stream().max(byValue);
                    case LEAST -> places.stream().min(byValue);
                };
        return place.map(its -> median(byPlace.getOrDefault(its, List.of()))).orElse(Double.NaN);
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
