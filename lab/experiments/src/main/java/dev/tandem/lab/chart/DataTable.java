package dev.tandem.lab.chart;

import java.util.ArrayList;
import java.util.List;

/// The numbers of a chart, a row each. Immutable.
///
/// @param head first the titles of names, then those of numbers
/// @param rows each as wide as the head
public record DataTable(List<String> head, List<Row> rows) {
    public DataTable {
        head = List.copyOf(head);
        rows = List.copyOf(rows);
    }

    /// @param names what the numbers belong to
    /// @param numbers some may be NaN
    public record Row(List<String> names, List<Double> numbers) {
        public Row {
            names = List.copyOf(names);
            numbers = List.copyOf(numbers);
        }
    }

    /// Comma-separated as RFC 4180 has it: lines end with CR and LF, a cell is quoted where it has
    /// a comma, a quote or a line's end. What is NaN or infinite is an empty cell.
    public String csv() {
        var text = new StringBuilder();
        line(text, head);
        for (Row row : rows) {
            var cells = new ArrayList<String>(row.names);
            row.numbers.forEach(n -> cells.add(Double.isFinite(n) ? Numbers.exact(n) : ""));
            line(text, cells);
        }
        return text.toString();
    }

    private static void line(StringBuilder text, List<String> cells) {
        String separator = "";
        for (String cell : cells) {
            text.append(separator).append(quoted(cell));
            separator = ",";
        }
        text.append("\r\n");
    }

    private static String quoted(String cell) {
        boolean isPlain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c < ' ');
        return isPlain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }
}
