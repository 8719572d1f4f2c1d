package dev.tandem.lab;

import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.ChartJson;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Results of an experiment.
///
/// @param gap why it is incomplete; null if it is complete
record Report(Findings findings, Origin origin, @Nullable String gap) {

    static final String JSON = "result.json";
    static final String PAGE = "report.html";
    private static final String MARKDOWN = "result.md";

    /// Writes `report.html`, `result.json`, `result.md` and a CSV file for each chart, replacing
    /// older ones.
    ///
    /// @param folder created if it does not exist
    /// @throws LabException if it cannot be written to
    void write(Path folder) throws LabException {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(JSON), Json.of(asMap()));
            Files.writeString(folder.resolve(MARKDOWN), markdown());
            Files.writeString(folder.resolve(PAGE), ReportPage.of(this));
            for (var file : files().entrySet()) {
                Files.writeString(folder.resolve(file.getKey()), file.getValue().data().csv());
            }
        } catch (IOException e) {
            throw new LabException(
                    "cannot write to " + folder + ", which --out names: " + e.getMessage());
        }
    }

    /// Returns the charts by the names of their CSV files; equal titles get numbers.
    Map<String, Chart> files() {
        var files = new LinkedHashMap<String, Chart>();
        var taken = new HashSet<String>();
        for (Chart chart : findings.charts()) {
            String slug = chart.caption().slug();
            String name = slug;
            for (int i = 2; !taken.add(name); i++) {
                name = slug + "-" + i;
            }
            files.put(name + ".csv", chart);
        }
        return files;
    }

    /// Prints the findings, and where the files are.
    void print(PrintStream out, Path folder) {
        findings.tables().forEach((name, table) -> out.print("\n" + name + "\n" + table.plain()));
        findings.notes().forEach(note -> out.print("\n" + note + "\n"));
        origin.disturbances().forEach(line -> out.print("\nDISTURBED: " + line + "\n"));
        findings.doubts().forEach(line -> out.print("\nDOUBTFUL: " + line + "\n"));
        if (!findings.headline().isEmpty()) {
            out.print("\nGoals\n" + Headline.table(findings.headline()).plain());
        }
        if (gap != null) {
            out.print("\nPARTIAL: " + gap + "\n");
        }
        if (!findings.verdict().isEmpty()) {
            out.print("\n" + findings.verdict() + "\n");
        }
        out.println();
        out.println("written: " + folder.resolve(PAGE) + ", " + JSON + ", " + MARKDOWN);
        out.flush();
    }

    private Map<String, @Nullable Object> asMap() {
        var map = new LinkedHashMap<String, @Nullable Object>();
        map.put("title", findings.title());
        map.put("question", findings.question());
        map.put("complete", gap == null);
        map.put("partialBecause", gap);
        map.putAll(origin.asMap());
        map.put("headline", findings.headline().stream().map(Headline::asMap).toList());
        map.put("verdict", findings.verdict());
        map.put("doubts", findings.doubts());
        map.put("notes", findings.notes());
        map.put("charts", findings.charts().stream().map(ChartJson::of).toList());
        map.put("data", findings.data());
        return map;
    }

    private String markdown() {
        var text = new StringBuilder("# " + findings.title() + "\n\n");
        text.append(findings.question()).append("\n\n`").append(origin.command()).append("`\n\n");
        if (gap != null) {
            text.append("**PARTIAL: ").append(gap).append("**\n\n");
        }
        findings.doubts().forEach(doubt -> text.append("**DOUBTFUL: " + doubt + "**\n\n"));
        if (!findings.verdict().isEmpty()) {
            text.append(findings.verdict()).append("\n\n");
        }
        origin.machine().forEach((name, fact) -> text.append("- " + name + ": " + fact + "\n"));
        text.append("- seed: ").append(origin.seed()).append('\n');
        text.append("\n## Goals\n\n").append(Headline.table(findings.headline()).markdown());
        findings.tables()
                .forEach((name, table) -> text.append("\n## " + name + "\n\n" + table.markdown()));
        if (!origin.disturbances().isEmpty()) {
            text.append("\n## Disturbed\n\n");
            origin.disturbances().forEach(line -> text.append("- " + line + "\n"));
        }
        if (!findings.notes().isEmpty()) {
            text.append("\n## Notes\n\n");
            findings.notes().forEach(note -> text.append("- " + note + "\n"));
        }
        return text.toString();
    }
}
