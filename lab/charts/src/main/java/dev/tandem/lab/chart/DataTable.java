package dev.tandem.lab.chart;

import java.util.ArrayList;
import java.util.List;

/// The numbers of a chart, in rows. Immutable.
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

    /// Comma-separated according to RFC 4180: lines end with CR and LF, a cell is quoted where it
    /// has a comma, a quote or a line end. NaN and infinities are empty cells.
    public String csv() {
        var text = new StringBuilder();
        line(text, head);
        for (Row row : rows) {
            var scenarios = new ArrayList<String>(row.names);
            row.numbers.forEach(n -> scenarios.add(Double.isFinite(n) ? Numbers.exact(n) : ""));
            line(text, scenarios);
        }
        return text.toString();
    }

    private static void line(StringBuilder text, List<String> scenarios) {
        String separator = "";
        for (String scenario : scenarios) {
            text.append(separator).append(quoted(scenario));
            separator = ",";
        }
        text.append("\r\n");
    }

    private static String quoted(String scenario) {
        boolean isPlain = scenario.chars().noneMatch(c -> c == ',' || c == '"' || c < ' ');
        return isPlain ? scenario : '"' + scenario.replace("\"", "\"\"") + '"';
    }
}
