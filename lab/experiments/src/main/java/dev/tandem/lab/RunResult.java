package dev.tandem.lab;

import dev.tandem.lab.chart.Chart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A run's `result.json` with its measurements, for pages that are made of several runs. Immutable.
///
/// @param command as it was typed
/// @param form such as `quick`
/// @param settings the values that were used, by name; empty in results older than 28 November 2026
/// @param gap why it is incomplete; null if it is complete
/// @param machine facts by name, the measured commit among them
/// @param disturbances during the run, a sentence each
/// @param doubts why its figures may say less than they seem to, a sentence each
/// @param headline its figures by name; NaN where one was not measured
/// @param rows its measurements
/// @param charts in the report's order
public record RunResult(
        String command,
        String form,
        Map<String, String> settings,
        @Nullable String gap,
        Map<String, String> machine,
        List<String> disturbances,
        List<String> doubts,
        Map<String, Double> headline,
        List<Row> rows,
        List<Chart> charts) {
    /// Facts that tell whether two runs compare.
    private static final List<String> IDENTITY =
            List.of("commit", "processors", "memory", "kernel", "jdk");

    /// The fact that says when servers were warm; absent if it was not detected.
    public static final String WARM = Run.WARM;

    /// The key in a measurement behind the parameters of its scenario.
    private static final String REPETITION = "repetition";

    /// One measurement.
    ///
    /// @param at the scenario's parameters, in order
    /// @param repetition from 1
    /// @param figures by name, without those that were not measured
    public record Row(
            String contender, Map<String, Double> at, int repetition, Map<String, Double> figures) {
        public Row {
            at = new LinkedHashMap<>(at);
            figures = Map.copyOf(figures);
        }
    }

    public RunResult {
        settings = Map.copyOf(settings);
        machine = Map.copyOf(machine);
        disturbances = List.copyOf(disturbances);
        doubts = List.copyOf(doubts);
        headline = Map.copyOf(headline);
        rows = List.copyOf(rows);
        charts = List.copyOf(charts);
    }

    /// @param file such as `result.json`
    /// @throws LabException if it cannot be read, or is something else
    public static RunResult read(Path file) throws LabException {
        try {
            if (JsonReader.read(Files.readString(file)) instanceof Map<?, ?> map) {
                return of(map);
            }
            throw new LabException(file + " is not a result of tandem lab run");
        } catch (IOException e) {
            throw new LabException("cannot read " + file + ": " + e.getMessage());
        } catch (ClassCastException | IllegalArgumentException e) {
            throw new LabException(file + " is not a result of this version: " + e.getMessage());
        }
    }

    private static RunResult of(Map<?, ?> map) {
        Outcome outcome = Outcome.of("", map);
        var headline = new LinkedHashMap<String, Double>();
        outcome.headline().forEach(figure -> headline.put(figure.name(), figure.value()));
        boolean isComplete = Boolean.TRUE.equals(map.get("complete"));
        return new RunResult(
                text(map, "command"),
                text(map, "form"),
                settings(map),
                isComplete ? null : text(map, "partialBecause"),
                outcome.facts(),
                sentences(map, "disturbances"),
                sentences(map, "doubts"),
                headline,
                rows(map),
                outcome.charts());
    }

    private static List<String> sentences(Map<?, ?> map, String name) {
        var sentences = new ArrayList<String>();
        list(map, name).forEach(line -> sentences.add((String) line));
        return sentences;
    }

    private static Map<String, String> settings(Map<?, ?> map) {
        var settings = new LinkedHashMap<String, String>();
        if (map.get("settings") instanceof Map<?, ?> used) {
            used.forEach((name, value) -> settings.put((String) name, (String) value));
        }
        return settings;
    }

    private static List<Row> rows(Map<?, ?> map) {
        var rows = new ArrayList<Row>();
        if (map.get("data") instanceof Map<?, ?> data) {
            list(data, "measurements").forEach(row -> rows.add(row((Map<?, ?>) row)));
        }
        return rows;
    }

    private static Row row(Map<?, ?> map) {
        var at = new LinkedHashMap<String, Double>();
        var figures = new LinkedHashMap<String, Double>();
        int repetition = 0;
        for (var entry : map.entrySet()) {
            String name = (String) entry.getKey();
            if (name.equals(REPETITION)) {
                repetition = ((Double) entry.getValue()).intValue();
            } else if (entry.getValue() instanceof Double value) {
                (repetition == 0 ? at : figures).put(name, value);
            }
        }
        return new Row(text(map, "contender"), at, repetition, figures);
    }

    private static List<?> list(Map<?, ?> map, String name) {
        return map.get(name) instanceof List<?> list ? list : List.of();
    }

    private static String text(Map<?, ?> map, String name) {
        return map.get(name) instanceof String text ? text : "";
    }

    public boolean isComplete() {
        return gap == null;
    }

    /// How often most was measured.
    public int repetitions() {
        return rows.stream().mapToInt(Row::repetition).max().orElse(0);
    }

    /// The facts in which runs must be equal to be compared: commit, processors, memory, kernel and
    /// JDK.
    public Map<String, String> identity() {
        return identity(machine);
    }

    /// Returns those of some facts.
    static Map<String, String> identity(Map<String, String> facts) {
        var identity = new LinkedHashMap<String, String>();
        IDENTITY.forEach(name -> identity.put(name, facts.getOrDefault(name, "unknown")));
        return identity;
    }

    /// Returns that of a run that would begin now.
    ///
    /// @throws LabException if there is no /proc, or interrupted
    public static Map<String, String> identityHere() throws LabException {
        try {
            Environment environment = Environment.ofProcess(System.out);
            return identity(Machine.describe(environment, Pinning.NONE));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted");
        }
    }
}
