package dev.tandem.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What an experiment leaves behind.
///
/// @param title what it is about
/// @param command as it was typed
/// @param machine facts by name
/// @param headline the figures that it is made for
/// @param findings in words and tables
/// @param data every single take, for `result.json`
record Report(
        String title,
        String command,
        Map<String, String> machine,
        List<Headline> headline,
        Findings findings,
        Map<String, @Nullable Object> data) {

    private static final String JSON = "result.json";
    private static final String MARKDOWN = "result.md";

    /// What was found.
    ///
    /// @param tables by their titles
    /// @param notes what a reader must know to believe the figures, a sentence each
    record Findings(Map<String, Table> tables, List<String> notes) {}

    /// Writes `result.json` and `result.md`, over older ones.
    ///
    /// @param folder made if it is not there
    /// @throws LabException if it cannot be written to
    void write(Path folder) throws LabException {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(JSON), Json.of(asMap()));
            Files.writeString(folder.resolve(MARKDOWN), markdown());
        } catch (IOException e) {
            throw new LabException(
                    "cannot write to " + folder + ", which --out names: " + e.getMessage());
        }
    }

    /// Prints what was found, and where more is.
    void print(PrintStream out, Path folder) {
        findings.tables.forEach((name, table) -> out.print("\n" + name + "\n" + table.plain()));
        findings.notes.forEach(note -> out.print("\n" + note + "\n"));
        out.print("\nGoals\n" + Headline.table(headline).plain());
        out.println();
        out.println("written: " + folder.resolve(MARKDOWN) + " and " + JSON);
        out.flush();
    }

    private Map<String, @Nullable Object> asMap() {
        var map = new LinkedHashMap<String, @Nullable Object>();
        map.put("title", title);
        map.put("command", command);
        map.put("machine", machine);
        map.put("headline", headline.stream().map(Headline::asMap).toList());
        map.put("notes", findings.notes);
        map.putAll(data);
        return map;
    }

    private String markdown() {
        var text = new StringBuilder("# " + title + "\n\n`" + command + "`\n\n");
        machine.forEach((name, fact) -> text.append("- " + name + ": " + fact + "\n"));
        text.append("\n## Goals\n\n").append(Headline.table(headline).markdown());
        findings.tables.forEach(
                (name, table) -> text.append("\n## " + name + "\n\n" + table.markdown()));
        if (!findings.notes.isEmpty()) {
            text.append("\n## Notes\n\n");
            findings.notes.forEach(note -> text.append("- " + note + "\n"));
        }
        return text.toString();
    }
}
