package dev.tandem.lab.chart;

import java.util.ArrayList;
import java.util.List;

/// Draws horizontal bars: names of any length have room at the left of theirs.
final class BarsDrawing {
    private static final double BAR_MAX = 22;
    private static final double GROUP_GAP_SHARE = 0.28;

    /// Room for a number behind its bar.
    private static final double NUMBER_WIDTH = 58;

    private final Bars chart;
    private final Plot plot;
    private final Scale scale;

    private BarsDrawing(Bars chart, Plot plot, Scale scale) {
        this.chart = chart;
        this.plot = plot;
        this.scale = scale;
    }

    /// As tall as its bars need.
    static int height(Bars chart, Size size) {
        int bars = chart.isStacked() ? 1 : Math.max(1, chart.series().size());
        int group = Math.max(chart.isStacked() ? 40 : 34, 22 * bars + 14);
        double legend = legend(chart, size).height();
        return (int) (legend + 80 + group * Math.max(1, chart.groups().size()));
    }

    private static Legend legend(Bars chart, Size size) {
        var names = chart.series().stream().map(Series::name).toList();
        return new Legend(names.size() > 1 ? names : List.of(), size.width(), Legend.Mark.AREA);
    }

    static void draw(Bars chart, Size size, Markup svg) {
        Legend legend = legend(chart, size);
        legend.draw(svg);
        int letters = size == Size.WIDE ? 26 : 13;
        List<String> groups =
                chart.groups().stream().map(name -> Legend.shortened(name, letters)).toList();
        double bottom = height(chart, size) - 44.0;
        double left = Plot.width(groups) + 10;
        double right = size.width() - NUMBER_WIDTH;
        var plot = Plot.lying(svg, left, right, legend.height() + 10, bottom);
        Scale scale = Scale.fitting(chart.value(), lengths(chart), plot.horizontal(size));
        plot.lyingAxis(chart.value().label(), scale);
        var drawing = new BarsDrawing(chart, plot, scale);
        for (int group = 0; group < groups.size(); group++) {
            drawing.group(group, groups.get(group));
        }
        plot.line("base", scale.at(0), plot.top(), scale.at(0), bottom);
        if (lengths(chart).isEmpty()) {
            plot.nothing();
        }
    }

    private static List<Double> lengths(Bars chart) {
        var lengths = new ArrayList<Double>();
        var sums = new double[chart.groups().size()];
        for (Series series : chart.series()) {
            for (Point point : series.points()) {
                if (chart.hasPlaceFor(point) && Double.isFinite(point.y())) {
                    sums[(int) point.x()] += point.y();
                    lengths.addAll(List.of(point.y(), point.low(), point.high()));
                }
            }
        }
        if (chart.isStacked()) {
            for (double sum : sums) {
                lengths.add(sum);
            }
        }
        return lengths;
    }

    private void group(int group, String name) {
        double height = (plot.bottom() - plot.top()) / chart.groups().size();
        double top = plot.top() + group * height;
        plot.text("name end", name, plot.left() - 10, top + height / 2 + 4.5);
        int bars = chart.isStacked() ? 1 : Math.max(1, chart.series().size());
        double bar = Math.min(BAR_MAX, height * (1 - GROUP_GAP_SHARE) / bars);
        double y = top + (height - bar * bars) / 2;
        double sum = 0;
        for (int i = 0; i < chart.series().size(); i++) {
            Point point = at(chart.series().get(i), group);
            if (Double.isFinite(point.y())) {
                var position = new Position(i, sum, y, bar);
                bar(position, point);
                sum += chart.isStacked() ? point.y() : 0;
            } else if (!chart.isStacked()) {
                plot.text("tick", "not measured", scale.at(0) + 7, y + bar / 2 + 4.5);
            }
            y += chart.isStacked() ? 0 : bar;
        }
        if (chart.isStacked()) {
            plot.text("number", Numbers.brief(sum), scale.at(sum) + 7, y + bar / 2 + 4.5);
        }
    }

    /// Position of a bar.
    private record Position(int series, double begins, double y, double height) {}

    private static Point at(Series series, int group) {
        for (Point point : series.points()) {
            if (point.x() == group) {
                return point;
            }
        }
        return Point.of(group, Double.NaN);
    }

    private void bar(Position position, Point point) {
        double from = scale.at(position.begins);
        double to = scale.at(position.begins + point.y());
        double inner = Math.max(1, position.height - 2);
        Markup svg = plot.svg();
        svg.open("g", "class", Legend.look(position.series));
        svg.open(
                "path",
                "class",
                "bar",
                "d",
                "M%s,%sH%sv%sH%sz"
                        .formatted(
                                Numbers.coordinate(from),
                                Numbers.coordinate(position.y + 1),
                                Numbers.coordinate(to),
                                Numbers.coordinate(inner),
                                Numbers.coordinate(from)));
        String name = chart.series().get(position.series).name();
        svg.element("title", name + ": " + Numbers.show(point.y()) + " " + chart.value().unit());
        svg.close();
        double middle = position.y + position.height / 2;
        double end = Math.max(from, to);
        if (Double.isFinite(point.low()) && Double.isFinite(point.high())) {
            plot.line("whisker", scale.at(point.low()), middle, scale.at(point.high()), middle);
            end = Math.max(end, scale.at(point.high()));
        }
        svg.close();
        if (!chart.isStacked()) {
            plot.text("number", Numbers.brief(point.y()), end + 7, middle + 4.5);
        }
    }
}
