package dev.tandem.lab.papers;

import dev.tandem.lab.RunResult;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A figure of one contender at one load: the median of its repetitions.
///
/// @param figure its name in the measurements
/// @param per another figure there, by which it is divided; null if it is not
/// @param contender its name there
/// @param at the load
record Term(String figure, @Nullable String per, String contender, Load at) {

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
        return new Term(figure, null, contender, Load.HIGHEST);
    }

    static Term lowest(String figure, String contender) {
        return new Term(figure, null, contender, Load.LOWEST);
    }

    static Term most(String figure, String contender) {
        return new Term(figure, null, contender, Load.MOST);
    }

    static Term least(String figure, String contender) {
        return new Term(figure, null, contender, Load.LEAST);
    }

    /// Returns the same for each of another figure, such as processors for each reply.
    Term per(String other) {
        return new Term(figure, other, contender, at);
    }

    /// NaN if it was not measured.
    double of(RunResult result) {
        return median(List.copyOf(byRepetition(result).values()));
    }

    /// The figure of each repetition, where it was measured.
    Map<Integer, Double> byRepetition(RunResult result) {
        var byPlace = new LinkedHashMap<Map<String, Double>, Map<Integer, Double>>();
        for (RunResult.Row row : result.rows()) {
            Double value = value(row.figures());
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

    /// Null if it was not measured.
    private @Nullable Double value(Map<String, Double> figures) {
        Double value = figures.get(figure);
        if (per == null || value == null) {
            return value;
        }
        Double count = figures.get(per);
        return count == null || count == 0 ? null : value / count;
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
