package dev.tandem.lab.chart;

import java.util.List;

/// Draws heat map cells: each shows its value as a number, too, so that no colour has to be looked
/// up.
final class HeatDrawing {
    /// Number of intensities: more are indistinguishable.
    static final int STRENGTHS = 9;

    private static final double ROW_HEIGHT = 40;
    private static final double GAP = 2;
    private static final double KEY_HEIGHT = 24;

    /// Minimum width of a number, in pixels.
    private static final double NUMBER_WIDTH_MIN = 38;

    private HeatDrawing() {}

    /// The title and the key are side by side if both have room.
    private static double head(Size size) {
        return size == Size.WIDE ? KEY_HEIGHT + 6 : 2 * KEY_HEIGHT + 6;
    }

    static int height(HeatMap chart, Size size) {
        return (int) (head(size) + 52 + ROW_HEIGHT * Math.max(1, chart.rows().size()));
    }

    static void draw(HeatMap chart, Size size, Markup svg) {
        double bottom = height(chart, size) - 46.0;
        double left = Plot.width(chart.rows()) + 18;
        var plot = Plot.lying(svg, left, size.width() - 4.0, head(size), bottom);
        plot.text("title", chart.y(), 0, 16);
        plot.titleBelow(chart.x());
        double[] ends = ends(chart);
        int columns = Math.max(1, chart.columns().size());
        double width = (plot.right() - left) / columns;
        for (int row = 0; row < chart.rows().size(); row++) {
            double y = plot.top() + row * ROW_HEIGHT;
            plot.text("tick end", chart.rows().get(row), left - 8, y + ROW_HEIGHT / 2 + 4);
            for (int column = 0; column < chart.columns().size(); column++) {
                var field = new Field(left + column * width, y, width, ROW_HEIGHT);
                field(plot, chart, new int[] {row, column}, field, ends);
            }
        }
        for (int column = 0; column < chart.columns().size(); column++) {
            double middle = left + (column + 0.5) * width;
            plot.text("tick middle", chart.columns().get(column), middle, bottom + 18);
        }
        key(chart, size, svg, ends);
    }

    /// Position of a heat map cell, in pixels.
    private record Field(double x, double y, double width, double height) {
        String path() {
            return "M%s,%sh%sv%sh%sz"
                    .formatted(
                            Numbers.coordinate(x + GAP / 2),
                            Numbers.coordinate(y + GAP / 2),
                            Numbers.coordinate(width - GAP),
                            Numbers.coordinate(height - GAP),
                            Numbers.coordinate(GAP - width));
        }
    }

    private static void field(Plot plot, HeatMap chart, int[] at, Field field, double[] ends) {
        double value = chart.values().get(at[0]).get(at[1]);
        boolean isShown = chart.value().hasPlaceFor(value);
        String style = isShown ? "h" + strength(chart, value, ends) : "hole";
        Markup svg = plot.svg();
        svg.open("g", "class", style);
        svg.open("path", "class", "field", "d", field.path());
        svg.element(
                "title",
                "%s %s, %s %s: %s %s"
                        .formatted(
                                chart.y(),
                                chart.rows().get(at[0]),
                                chart.x(),
                                chart.columns().get(at[1]),
                                Numbers.show(value),
                                chart.value().unit()));
        svg.close();
        if (field.width >= NUMBER_WIDTH_MIN || !isShown) {
            String number = field.width >= 60 ? Numbers.show(value) : Numbers.narrow(value);
            plot.text(
                    "number middle",
                    number,
                    field.x + field.width / 2,
                    field.y + field.height / 2 + 4.5);
        }
        svg.close();
    }

    static int strength(HeatMap chart, double value, double[] ends) {
        boolean isLog = chart.value().isLog();
        double from = isLog ? Math.log(ends[0]) : ends[0];
        double to = isLog ? Math.log(ends[1]) : ends[1];
        double here = isLog ? Math.log(value) : value;
        double share = to > from ? (here - from) / (to - from) : 0.5;
        return Math.clamp((int) (share * STRENGTHS), 0, STRENGTHS - 1);
    }

    private static double[] ends(HeatMap chart) {
        double least = Double.POSITIVE_INFINITY;
        double greatest = Double.NEGATIVE_INFINITY;
        for (List<Double> row : chart.values()) {
            for (double value : row) {
                if (chart.value().hasPlaceFor(value)) {
                    least = Math.min(least, value);
                    greatest = Math.max(greatest, value);
                }
            }
        }
        return new double[] {least, greatest};
    }

    /// The intensities in a row, with the values of the weakest and the strongest.
    private static void key(HeatMap chart, Size size, Markup svg, double[] ends) {
        if (ends[0] > ends[1]) {
            return;
        }
        double step = 14;
        String most = Numbers.show(ends[1]) + " " + chart.value().unit();
        double x = size.width() - 4 - most.length() * Legend.LETTER_WIDTH - 8 - STRENGTHS * step;
        double y = head(size) - KEY_HEIGHT - 6;
        var plot = Plot.lying(svg, 0, size.width(), 0, 0);
        plot.text("tick end", Numbers.show(ends[0]), x - 8, y + 16);
        for (int i = 0; i < STRENGTHS; i++) {
            svg.open("g", "class", "h" + i);
            var field = new Field(x + i * step - 0.5, y + 5, step + GAP, 14);
            svg.empty("path", "class", "field", "d", field.path()).close();
        }
        plot.text("tick", most, x + STRENGTHS * step + 8, y + 16);
    }
}
