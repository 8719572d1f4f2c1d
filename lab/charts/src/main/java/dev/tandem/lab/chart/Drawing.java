package dev.tandem.lab.chart;

/// A chart as SVG. It has no colours of its own: the style sheet around it assigns them to its
/// classes, `s0` to `s7` for series and `h0` to `h8` for intensities.
public final class Drawing {
    private Drawing() {}

    /// Height of the drawing, in pixels.
    public static int height(Chart chart, Size size) {
        return switch (chart) {
            case Lines _ -> size.height();
            case Bars bars -> BarsDrawing.height(bars, size);
            case HeatMap map -> HeatDrawing.height(map, size);
            case States states -> StatesDrawing.height(states, size);
        };
    }

    /// Draws any chart, also an empty one.
    public static Markup of(Chart chart, Size size) {
        var svg = new Markup();
        String label = chart.caption().title() + ". " + chart.caption().shows();
        String box = "0 0 " + size.width() + " " + height(chart, size);
        svg.open(
                "svg",
                "xmlns",
                "http://www.w3.org/2000/svg",
                "class",
                "drawing " + size.style(),
                "viewBox",
                box,
                "role",
                "img",
                "aria-label",
                label);
        switch (chart) {
            case Lines lines -> LinesDrawing.draw(lines, size, svg);
            case Bars bars -> BarsDrawing.draw(bars, size, svg);
            case HeatMap map -> HeatDrawing.draw(map, size, svg);
            case States states -> StatesDrawing.draw(states, size, svg);
        }
        return svg.close();
    }
}
