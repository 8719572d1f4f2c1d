package dev.tandem.lab;

import dev.tandem.lab.chart.Chart;
import dev.tandem.trace.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Recordings of Tandem in measurements of their own, after the others: recording costs, so their
/// figures do not count. Confined to one thread, except its [Recorder]s.
final class Tracing {
    /// Those with the highest load, one for each contender.
    private static final int TAKES_MAX = 3;

    /// A few seconds from the middle of a measurement, so that the drawn states are
    /// distinguishable.
    private static final double PART = 0.5;

    private static final double SECONDS_MAX = 5;
    private static final double SECONDS_MIN = 0.5;

    private final Map<String, Integer> ports = new ConcurrentHashMap<>();
    private final List<Chart> charts = new ArrayList<>();
    private final List<String> files = new ArrayList<>();

    /// A load that is recorded.
    @FunctionalInterface
    interface Load {
        void run() throws LabException, InterruptedException;
    }

    /// @param name of the server, as in scenarios, alone or before a comma
    /// @param port of its management
    void serves(String name, int port) {
        ports.put(name, port);
    }

    private String server(Scenario scenario) {
        String name = scenario.contender();
        return ports.containsKey(name) ? name : name.split(",", 2)[0];
    }

    /// Returns the last scenario of each contender that can be recorded.
    List<Scenario> chosen(List<Scenario> scenarios) {
        var last = new LinkedHashMap<String, Scenario>();
        for (Scenario scenario : scenarios) {
            if (ports.containsKey(server(scenario))) {
                last.put(scenario.contender(), scenario);
            }
        }
        return last.values().stream().limit(TAKES_MAX).toList();
    }

    /// Records while a load runs, and draws the recording.
    ///
    /// @param takeSeconds approximate duration of the load
    /// @param folder of the results; also for the recording
    void record(Scenario scenario, double takeSeconds, Path folder, Load load)
            throws LabException, InterruptedException {
        double seconds = Math.clamp(PART * takeSeconds, SECONDS_MIN, SECONDS_MAX);
        double before = Math.max(0, (takeSeconds - seconds) / 2);
        Path file = folder.resolve("trace-" + slug(scenario) + ".jfr");
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new LabException("cannot write to " + folder + ": " + e.getMessage());
        }
        String name = server(scenario);
        var recorder =
                new Recorder(
                        () -> ports.getOrDefault(name, 0),
                        file,
                        (long) (before * 1e3),
                        (long) (seconds * 1e3));
        recorder.start();
        load.run();
        Trace trace = recorder.trace();
        charts.addAll(new TraceCharts(trace, scenario.toString()).all());
        files.add(file.getFileName().toString());
    }

    private static String slug(Scenario scenario) {
        return scenario.toString().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]+", "-");
    }

    boolean isEmpty() {
        return files.isEmpty();
    }

    /// Adds the drawings to a report.
    void addTo(Findings findings) {
        charts.forEach(findings::chart);
        if (!files.isEmpty()) {
            findings.note(
                    "States are of separate measurements after the others, which were recorded and"
                            + " count for no figure: "
                            + String.join(", ", files)
                            + ". tandem trace --read FILE writes such a file for Paraver and"
                            + " Perfetto.");
        }
    }
}
