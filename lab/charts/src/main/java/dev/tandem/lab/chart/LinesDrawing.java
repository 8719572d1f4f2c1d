package dev.tandem.lab.chart;

import java.util.ArrayList;
import java.util.List;

/// Draws lines: grid, spreads, lines, and markers at their points.
final class LinesDrawing {
    /// With more points than this in a series, markers would hide the line.
    private static final int SIGNS_MAX = 40;

    private static final double CAP = 3.5;

    private final Lines chart;
    private final Plot plot;
    private final Scale x;
    private final Scale y;

    private LinesDrawing(Lines chart, Plot plot, Scale x, Scale y) {
        this.chart = chart;
        this.plot = plot;
        this.x = x;
        this.y = y;
    }

    static void draw(Lines chart, Size size, Markup svg) {
        var names = chart.series().stream().map(Series::name).toList();
        var legend =
                new Legend(
                        names, size.width(), hasSigns(chart) ? Legend.Mark.SIGN : Legend.Mark.LINE);
        legend.draw(svg);
        List<Double> heights = heights(chart);
        Scale rough = Scale.fitting(chart.y(), heights, new Scale.Span(1, 0, 5));
        Plot plot = Plot.in(size, svg, legend.height(), Plot.width(rough), true);
        Scale y = Scale.fitting(chart.y(), heights, plot.vertical(size));
        Scale x =
                Scale.through(chart.x(), places(chart), plot.horizontal(size), !chart.isStepped());
        plot.valueAxis(chart.y().label(), y);
        plot.below(chart.x(), x);
        if (heights.isEmpty()) {
            plot.nothing();
            return;
        }
        var drawing = new LinesDrawing(chart, plot, x, y);
        for (int i = 0; i < chart.series().size(); i++) {
            drawing.series(i);
        }
    }

    private static boolean hasSigns(Lines chart) {
        return !chart.isStepped()
                && chart.series().stream().allMatch(one -> one.points().size() <= SIGNS_MAX);
    }

    /// Spreads count, so that none is clipped.
    private static List<Double> heights(Lines chart) {
        var heights = new ArrayList<Double>();
        for (Series series : chart.series()) {
            for (Point point : series.points()) {
                if (chart.hasPlaceFor(point)) {
                    heights.addAll(List.of(point.y(), point.low(), point.high()));
                }
            }
        }
        return heights;
    }

    private static List<Double> places(Lines chart) {
        var places = new ArrayList<Double>();
        for (Series series : chart.series()) {
            series.points().stream()
                    .filter(chart::hasPlaceFor)
                    .forEach(point -> places.add(point.x()));
        }
        return places;
    }

    private void series(int index) {
        Series series = chart.series().get(index);
        List<Point> points = series.points();
        boolean hasSigns = hasSigns(chart);
        Markup svg = plot.svg();
        svg.open("g", "class", Legend.look(index));
        points.stream().filter(chart::hasPlaceFor).forEach(this::spread);
        String style = hasSigns ? "line" : "line plain";
        svg.empty("path", "class", style, "d", path(points));
        for (Point point : points) {
            if (hasSigns && chart.hasPlaceFor(point)) {
                sign(series, index, point);
            }
        }
        svg.close();
    }

    /// A value without a position interrupts the line.
    private String path(List<Point> points) {
        var path = new StringBuilder();
        boolean isDrawing = false;
        for (Point point : points) {
            if (!chart.hasPlaceFor(point)) {
                isDrawing = false;
                continue;
            }
            String position = Numbers.coordinate(x.at(point.x()));
            if (chart.isStepped()) {
                // From the value before; the first step rises from the ground.
                path.append(isDrawing ? "H" + position : "M" + position + "," + plot.bottomPlace());
                isDrawing = true;
            }
            path.append(isDrawing ? 'L' : 'M').append(position).append(',');
            path.append(Numbers.coordinate(y.at(point.y())));
            isDrawing = true;
        }
        return path.isEmpty() ? "M0,0" : path.toString();
    }

    private void spread(Point point) {
        if (!chart.y().hasPlaceFor(point.low()) || !chart.y().hasPlaceFor(point.high())) {
            return;
        }
        double at = x.at(point.x());
        double low = y.at(point.low());
        double high = y.at(point.high());
        plot.line("spread", at, low, at, high);
        plot.line("spread", at - CAP, low, at + CAP, low);
        plot.line("spread", at - CAP, high, at + CAP, high);
    }

    private void sign(Series series, int index, Point point) {
        String position =
                "translate("
                        + Numbers.coordinate(x.at(point.x()))
                        + " "
                        + Numbers.coordinate(y.at(point.y()))
                        + ")";
        Markup svg = plot.svg();
        svg.open("path", "class", "sign", "d", Legend.sign(index), "transform", position);
        svg.element("title", tooltip(series, point)).close();
    }

    private String tooltip(Series series, Point point) {
        String spread =
                Double.isFinite(point.low())
                        ? " (" + Numbers.show(point.low()) + "–" + Numbers.show(point.high()) + ")"
                        : "";
        return "%s: %s %s at %s %s"
                .formatted(
                        series.name(),
                        Numbers.show(point.y()) + spread,
                        chart.y().unit(),
                        Numbers.show(point.x()),
                        chart.x().label());
    }
}
