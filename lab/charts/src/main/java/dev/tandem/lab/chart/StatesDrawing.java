package dev.tandem.lab.chart;

import java.util.ArrayList;
import java.util.List;

/// Draws states: a path for each, which has all its spans of all rows.
final class StatesDrawing {
    private static final double ROW_HEIGHT = 15;
    private static final double BAR_HEIGHT = 12;
    private static final int NAME_LENGTH_MAX = 14;

    /// For the axis's numbers and title.
    private static final double BELOW = 46;

    private StatesDrawing() {}

    static int height(States chart, Size size) {
        double rows = ROW_HEIGHT * Math.max(1, chart.rows().size());
        return (int) (legend(chart, size).height() + 10 + rows + BELOW);
    }

    private static Legend legend(States chart, Size size) {
        return new Legend(chart.states(), size.width(), Legend.Mark.AREA);
    }

    static void draw(States chart, Size size, Markup svg) {
        Legend legend = legend(chart, size);
        legend.draw(svg);
        List<String> names =
                chart.rows().stream()
                        .map(row -> Legend.shortened(row.name(), NAME_LENGTH_MAX))
                        .toList();
        double bottom = height(chart, size) - BELOW;
        double left = Plot.width(names) + 10;
        var plot = Plot.lying(svg, left, size.width() - 14.0, legend.height() + 10, bottom);
        List<Double> ends = ends(chart);
        Scale scale = Scale.fitting(chart.time(), ends, plot.horizontal(size));
        plot.lyingAxis(chart.time().label(), scale);
        for (int row = 0; row < names.size(); row++) {
            plot.text("name end", names.get(row), left - 8, top(plot, row) + BAR_HEIGHT - 1.5);
        }
        for (int state = 0; state < chart.states().size(); state++) {
            state(chart, state, plot, scale);
        }
        if (ends.isEmpty()) {
            plot.nothing();
        }
    }

    private static List<Double> ends(States chart) {
        var ends = new ArrayList<Double>();
        for (States.Row row : chart.rows()) {
            for (States.Span span : row.spans()) {
                if (chart.fits(span)) {
                    ends.addAll(List.of(span.from(), span.to()));
                }
            }
        }
        return ends;
    }

    private static double top(Plot plot, int row) {
        return plot.top() + row * ROW_HEIGHT + (ROW_HEIGHT - BAR_HEIGHT) / 2;
    }

    private static void state(States chart, int state, Plot plot, Scale scale) {
        var path = new StringBuilder();
        for (int row = 0; row < chart.rows().size(); row++) {
            for (States.Span span : chart.rows().get(row).spans()) {
                if (span.state() == state && chart.fits(span)) {
                    double from = scale.at(span.from());
                    path.append('M').append(Numbers.coordinate(from));
                    path.append(',').append(Numbers.coordinate(top(plot, row)));
                    path.append('H').append(Numbers.coordinate(scale.at(span.to())));
                    path.append('v').append(Numbers.coordinate(BAR_HEIGHT));
                    path.append('H').append(Numbers.coordinate(from)).append('z');
                }
            }
        }
        if (!path.isEmpty()) {
            Markup svg = plot.svg();
            svg.open("g", "class", Legend.look(state));
            svg.open("path", "class", "state", "d", path.toString());
            svg.element("title", chart.states().get(state));
            svg.close().close();
        }
    }
}
