package dev.tandem.lab.chart;

import java.util.ArrayList;
import java.util.List;

/// Bars in groups, side by side or, for parts of a whole, stacked. Immutable.
///
/// @param groups their names, from the left
/// @param value never logarithmic: the length of a bar is its value
/// @param series one bar of each in every group; [Point#x] is the index of the group
/// @param isStacked whether a group's bars are stacked; none may be negative then
public record Bars(
        Caption caption, List<String> groups, Axis value, List<Series> series, boolean isStacked)
        implements Chart {
    public Bars {
        if (value.isLog()) {
            throw new IllegalArgumentException("bars have no logarithmic axis");
        }
        groups = List.copyOf(groups);
        series = List.copyOf(series);
    }

    public static Bars of(Caption caption, List<String> groups, Axis value, List<Series> series) {
        return new Bars(caption, groups, value, series, false);
    }

    public static Bars stacked(
            Caption caption, List<String> groups, Axis value, List<Series> series) {
        return new Bars(caption, groups, value, series, true);
    }

    @Override
    public DataTable data() {
        var rows = new ArrayList<DataTable.Row>();
        for (Series one : series) {
            for (Point point : one.points()) {
                if (hasPlaceFor(point)) {
                    rows.add(
                            new DataTable.Row(
                                    List.of(groups.get((int) point.x()), one.name()),
                                    List.of(point.y(), point.low(), point.high())));
                }
            }
        }
        return new DataTable(List.of("group", "series", value.label(), "least", "most"), rows);
    }

    @Override
    public int omitted() {
        int count = 0;
        for (Series one : series) {
            count += (int) one.points().stream().filter(point -> !hasPlaceFor(point)).count();
        }
        return count;
    }

    /// Whether there is such a group; a NaN value omits its bar.
    boolean hasPlaceFor(Point point) {
        return point.x() >= 0 && point.x() < groups.size();
    }
}
