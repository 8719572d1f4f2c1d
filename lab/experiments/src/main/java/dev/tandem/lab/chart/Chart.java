package dev.tandem.lab.chart;

/// Something to be drawn. Immutable; any of its numbers may be NaN, which leaves a gap.
public sealed interface Chart permits Lines, Bars, HeatMap, States {
    Caption caption();

    /// All its numbers, for the table behind the drawing and the CSV file beside it.
    DataTable data();

    /// How many values were measured but have no place on an axis.
    int omitted();
}
