package dev.tandem.lab;

import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.ChartJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Contents of a run's `result.json`, as far as runs are compared by it. Immutable.
///
/// @param name of the run in the comparison
/// @param facts of its machine, and its form
/// @param warning why its figures may be unreliable; empty if there is no known reason
record Outcome(
        String name,
        String experiment,
        String title,
        Map<String, String> facts,
        String warning,
        List<Figure> headline,
        List<Chart> charts) {

    /// A headline figure.
    ///
    /// @param value NaN if it was not measured
    /// @param goal empty if there is none
    record Figure(String name, double value, String unit, String goal, String verdict) {}

    /// @throws LabException if the folder has no result, or a damaged one
    static Outcome read(String name, Path folder) throws LabException {
        Path file = folder.resolve(Report.JSON);
        if (!Files.isRegularFile(file)) {
            throw new LabException(
                    "no " + Report.JSON + " in " + folder + ": name what --out named");
        }
        try {
            Object json = JsonReader.read(Files.readString(file));
            if (!(json instanceof Map<?, ?> map)) {
                throw new LabException(file + " is not a result of tandem lab run");
            }
            return of(name, map);
        } catch (IOException e) {
            throw new LabException("cannot read " + file + ": " + e.getMessage());
        } catch (ClassCastException | IllegalArgumentException e) {
            throw new LabException(file + " is not a result of this version: " + e.getMessage());
        }
    }

    /// Reads the contents of a file.
    static Outcome of(String name, Map<?, ?> map) {
        var charts = new ArrayList<Chart>();
        for (Object chart : list(map, "charts")) {
            charts.add(ChartJson.read(chart));
        }
        var headline = new ArrayList<Figure>();
        for (Object line : list(map, "headline")) {
            headline.add(figure((Map<?, ?>) line));
        }
        return new Outcome(
                name,
                text(map, "experiment"),
                text(map, "title"),
                facts(map),
                warning(map),
                headline,
                charts);
    }

    private static Map<String, String> facts(Map<?, ?> map) {
        var facts = new LinkedHashMap<String, String>();
        if (map.get("machine") instanceof Map<?, ?> machine) {
            machine.forEach((key, fact) -> facts.put((String) key, (String) fact));
        }
        facts.put("form", text(map, "form"));
        return facts;
    }

    private static String warning(Map<?, ?> map) {
        if (Boolean.FALSE.equals(map.get("complete"))) {
            return "partial: " + text(map, "partialBecause");
        }
        return list(map, "disturbances").isEmpty() ? "" : "disturbed";
    }

    private static Figure figure(Map<?, ?> line) {
        Object value = line.get("value");
        Object reached = line.get("reached");
        String verdict = reached == null ? "–" : reached.equals(true) ? "yes" : "no";
        return new Figure(
                text(line, "name"),
                value == null ? Double.NaN : (Double) value,
                text(line, "unit"),
                text(line, "goal"),
                verdict);
    }

    private static List<?> list(Map<?, ?> map, String name) {
        return map.get(name) instanceof List<?> list ? list : List.of();
    }

    private static String text(Map<?, ?> map, String name) {
        @Nullable Object value = map.get(name);
        return value == null ? "" : (String) value;
    }
}
