package dev.tandem.lab;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Says in a sentence which contender did most of something, and by how much, or that the
/// repetitions do not show it.
final class Winner {
    private final Samples samples;
    private final String figure;

    private record Result(String name, Figures figures) {}

    /// @param figure of which more is better
    Winner(Samples samples, String figure) {
        this.samples = samples;
        this.figure = figure;
    }

    /// Compares the contenders at one value of a parameter.
    ///
    /// @param names of the contenders; those without a measurement there are left out
    /// @param where the condition in words, such as `at 2.00 times saturation`
    /// @return empty if there are not two to compare
    String sentence(List<String> names, String parameter, double at, String where) {
        var results = new ArrayList<Result>();
        for (String name : names) {
            Figures figures = samples.figures(Scenario.of(name, parameter, at), figure);
            if (figures.measurements().length > 0) {
                results.add(new Result(name, figures));
            }
        }
        if (results.size() < 2) {
            return "";
        }
        results.sort(
                Comparator.comparingDouble((Result result) -> result.figures.median()).reversed());
        Result first = results.get(0);
        Result second = results.get(1);
        String numbers =
                "%s to %s %s"
                        .formatted(
                                Figures.show(first.figures.median(), 0),
                                Figures.show(second.figures.median(), 0),
                                figure);
        // The range of a single repetition is a point, and shows nothing.
        if (isSingle(first) || isSingle(second)) {
            return "A single repetition shows no winner %s: %s before %s, %s."
                    .formatted(where, first.name, second.name, numbers);
        }
        return first.figures.min() > second.figures.max()
                ? "%s is ahead %s: %s, %s times %s, the next."
                        .formatted(first.name, where, numbers, ratio(first, second), second.name)
                : "No winner %s: %s and %s are within the spread of the repetitions, %s."
                        .formatted(where, first.name, second.name, numbers);
    }

    private static boolean isSingle(Result result) {
        return result.figures.measurements().length == 1;
    }

    private static String ratio(Result first, Result second) {
        return Figures.show(first.figures.median() / second.figures.median(), 2);
    }
}
