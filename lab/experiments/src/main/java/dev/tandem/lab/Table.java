package dev.tandem.lab;

import java.util.ArrayList;
import java.util.List;

/// Rows under a head, padded to be readable as plain text, too. The first column has names and is
/// aligned to the left, the others have numbers.
final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    Table(String... head) {
        rows.add(List.of(head));
    }

    /// @param scenarios as many as the head has
    Table row(String... scenarios) {
        if (scenarios.length != rows.getFirst().size()) {
            throw new IllegalArgumentException(scenarios.length + " cells under another head");
        }
        rows.add(List.of(scenarios));
        return this;
    }

    boolean isEmpty() {
        return rows.size() == 1;
    }

    /// The head, then the others.
    List<List<String>> rows() {
        return List.copyOf(rows);
    }

    /// As Markdown.
    String markdown() {
        int[] widths = widths();
        var text = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            text.append("| ").append(line(rows.get(i), widths, " | ")).append(" |\n");
            if (i == 0) {
                text.append(rule(widths));
            }
        }
        return text.toString();
    }

    /// For a terminal or a pipe.
    String plain() {
        int[] widths = widths();
        var text = new StringBuilder();
        for (List<String> row : rows) {
            text.append("  ").append(line(row, widths, "  ").stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private int[] widths() {
        var widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return widths;
    }

    private static String line(List<String> row, int[] widths, String separator) {
        var scenarios = new ArrayList<String>();
        for (int i = 0; i < widths.length; i++) {
            String padding = " ".repeat(widths[i] - row.get(i).length());
            scenarios.add(i == 0 ? row.get(i) + padding : padding + row.get(i));
        }
        return String.join(separator, scenarios);
    }

    private static String rule(int[] widths) {
        var text = new StringBuilder("|");
        for (int i = 0; i < widths.length; i++) {
            text.append('-').repeat('-', widths[i]).append(i == 0 ? "-|" : ":|");
        }
        return text.append('\n').toString();
    }
}
