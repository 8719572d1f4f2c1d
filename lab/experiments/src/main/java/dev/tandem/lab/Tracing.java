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

/// Recordings of Tandem in takes of their own, behind those that are measured: recording costs, so
/// their figures count for nothing. Confined to one thread, but for its [Recorder]s.
final class Tracing {
    /// Those with the highest load, one a contender.
    private static final int TAKES_MAX = 3;

    /// A few seconds from the middle of a take, so that what is drawn can be told apart.
    private static final double PART = 0.5;

    private static final double SECONDS_MAX = 5;
    private static final double SECONDS_MIN = 0.5;

    private final Map<String, Integer> ports = new ConcurrentHashMap<>();
    private final List<Chart> charts = new ArrayList<>();
    private final List<String> files = new ArrayList<>();

    /// What is recorded.
    @FunctionalInterface
    interface Load {
        void run() throws LabException, InterruptedException;
    }

    /// @param name of the server, as cells have it, alone or before a comma
    /// @param port of its management
    void serves(String name, int port) {
        ports.put(name, port);
    }

    private String server(Cell cell) {
        return cell.contender().split(",", 2)[0];
    }

    /// Of those that can be recorded: the last cell of each contender.
    List<Cell> chosen(List<Cell> cells) {
        var last = new LinkedHashMap<String, Cell>();
        for (Cell cell : cells) {
            if (ports.containsKey(server(cell))) {
                last.put(cell.contender(), cell);
            }
        }
        return last.values().stream().limit(TAKES_MAX).toList();
    }

    /// Records while a load runs, and draws what was seen.
    ///
    /// @param takeSeconds about how long the load is
    /// @param folder of the results; takes the recording
    void record(Cell cell, double takeSeconds, Path folder, Load load)
            throws LabException, InterruptedException {
        double seconds = Math.clamp(PART * takeSeconds, SECONDS_MIN, SECONDS_MAX);
        double before = Math.max(0, (takeSeconds - seconds) / 2);
        Path file = folder.resolve("trace-" + slug(cell) + ".jfr");
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new LabException("cannot write to " + folder + ": " + e.getMessage());
        }
        String name = server(cell);
        var recorder =
                new Recorder(
                        () -> ports.getOrDefault(name, 0),
                        file,
                        (long) (before * 1e3),
                        (long) (seconds * 1e3));
        recorder.start();
        load.run();
        Trace trace = recorder.trace();
        charts.addAll(new TraceCharts(trace, cell.toString()).all());
        files.add(file.getFileName().toString());
    }

    private static String slug(Cell cell) {
        return cell.toString().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]+", "-");
    }

    boolean isEmpty() {
        return files.isEmpty();
    }

    /// What was seen, for a report.
    void addTo(Findings findings) {
        charts.forEach(findings::chart);
        if (!files.isEmpty()) {
            findings.note(
                    "States are of takes of their own behind the others, which were recorded and"
                            + " count for no figure: "
                            + String.join(", ", files)
                            + ". tandem trace --read FILE writes such a file for Paraver and"
                            + " Perfetto.");
        }
    }
}
