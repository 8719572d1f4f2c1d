package dev.tandem.lab.chart;

import java.util.ArrayList;
import java.util.List;

/// A value for each pair of two parameters, as heat map cells whose intensity grows with the value.
/// Immutable.
///
/// @param x what the columns are, in words
/// @param y what the rows are, in words
/// @param columns their names, from the left
/// @param rows their names, from the top
/// @param value what the numbers are, with their unit
/// @param values by row, then by column; NaN where nothing was measured
public record HeatMap(
        Caption caption,
        String x,
        String y,
        List<String> columns,
        List<String> rows,
        Axis value,
        List<List<Double>> values)
        implements Chart {
    public HeatMap {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
        values = values.stream().map(List::copyOf).toList();
        int width = columns.size();
        if (values.size() != rows.size() || values.stream().anyMatch(r -> r.size() != width)) {
            throw new IllegalArgumentException("values are not rows times columns");
        }
    }

    @Override
    public DataTable data() {
        var lines = new ArrayList<DataTable.Row>();
        for (int row = 0; row < rows.size(); row++) {
            for (int column = 0; column < columns.size(); column++) {
                lines.add(
                        new DataTable.Row(
                                List.of(rows.get(row), columns.get(column)),
                                List.of(values.get(row).get(column))));
            }
        }
        return new DataTable(List.of(y, x, value.label()), lines);
    }

    @Override
    public int omitted() {
        int count = 0;
        for (List<Double> row : values) {
            count += (int) row.stream().filter(v -> !v.isNaN() && !value.hasPlaceFor(v)).count();
        }
        return count;
    }
}
