package dev.tandem.lab.chart;

/// A chart to be drawn. Immutable; any of its numbers may be NaN, which leaves a gap.
public sealed interface Chart permits Lines, Bars, HeatMap, States {
    Caption caption();

    /// All its numbers, for the table behind the drawing and for the CSV file.
    DataTable data();

    /// How many measured values have no position on an axis.
    int omitted();
}
