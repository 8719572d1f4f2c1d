package dev.tandem.lab.chart;

import java.util.List;

/// The rectangle that values are drawn in, with its axes. Confined to one thread.
final class Plot {
    /// Height of the value axis's title, and of the last number's upper half.
    private static final double TITLE_HEIGHT = 32;

    private static final double NUMBERS_HEIGHT = 22;
    private static final double RIGHT = 22;

    private final Markup svg;
    private final double left;
    private final double right;
    private final double top;
    private final double bottom;

    private Plot(Markup svg, double left, double right, double top, double bottom) {
        this.svg = svg;
        this.left = left;
        this.right = right;
        this.top = top;
        this.bottom = bottom;
    }

    /// @param legendHeight height of the legend above
    /// @param labelWidth of the numbers or names at the left, in pixels
    /// @param hasTitleBelow whether the horizontal axis has a title
    static Plot in(
            Size size, Markup svg, double legendHeight, double labelWidth, boolean hasTitleBelow) {
        double below = NUMBERS_HEIGHT + (hasTitleBelow ? 20 : 2);
        return new Plot(
                svg,
                labelWidth + 10,
                size.width() - RIGHT,
                legendHeight + TITLE_HEIGHT,
                size.height() - below);
    }

    /// For values that grow to the right.
    static Plot lying(Markup svg, double left, double right, double top, double bottom) {
        return new Plot(svg, left, right, top, bottom);
    }

    Markup svg() {
        return svg;
    }

    double left() {
        return left;
    }

    double right() {
        return right;
    }

    double top() {
        return top;
    }

    double bottom() {
        return bottom;
    }

    String bottomPlace() {
        return Numbers.coordinate(bottom);
    }

    Scale.Span vertical(Size size) {
        return new Scale.Span(bottom, top, size == Size.WIDE ? 5 : 4);
    }

    Scale.Span horizontal(Size size) {
        return new Scale.Span(left, right, size.ticks());
    }

    /// Draws the values' title, their grid lines and numbers.
    void valueAxis(String title, Scale scale) {
        text("title", title, 0, top - 12);
        List<String> numbers = Numbers.ticks(scale.ticks());
        for (int i = 0; i < numbers.size(); i++) {
            double tick = scale.ticks().get(i);
            double y = scale.at(tick);
            line(tick == 0 ? "base" : "grid", left, y, right, y);
            text("tick end", numbers.get(i), left - 8, y + 4);
        }
    }

    /// Draws the same for values that grow to the right.
    void lyingAxis(String title, Scale scale) {
        List<String> numbers = Numbers.ticks(scale.ticks());
        for (int i = 0; i < numbers.size(); i++) {
            double x = scale.at(scale.ticks().get(i));
            line("grid", x, top, x, bottom);
            text("tick middle", numbers.get(i), x, bottom + 18);
        }
        titleBelow(title);
    }

    void baseline() {
        line("base", left, bottom, right, bottom);
    }

    /// Draws numbers below, and the title under them.
    void below(Axis axis, Scale scale) {
        baseline();
        List<String> numbers = Numbers.ticks(scale.ticks());
        for (int i = 0; i < numbers.size(); i++) {
            double x = scale.at(scale.ticks().get(i));
            line("base", x, bottom, x, bottom + 4);
            text("tick middle", numbers.get(i), x, bottom + 18);
        }
        titleBelow(axis.label());
    }

    void titleBelow(String title) {
        text("title middle", title, (left + right) / 2, bottom + 37);
    }

    /// Draws a text in place of values.
    void nothing() {
        text("title middle", "nothing was measured", (left + right) / 2, (top + bottom) / 2);
    }

    void line(String style, double x1, double y1, double x2, double y2) {
        String d =
                "M"
                        + Numbers.coordinate(x1)
                        + ","
                        + Numbers.coordinate(y1)
                        + "L"
                        + Numbers.coordinate(x2)
                        + ","
                        + Numbers.coordinate(y2);
        svg.empty("path", "class", style, "d", d);
    }

    void text(String style, String content, double x, double y) {
        svg.element(
                "text",
                content,
                "class",
                style,
                "x",
                Numbers.coordinate(x),
                "y",
                Numbers.coordinate(y));
    }

    /// Width of the longest of these numbers, in pixels.
    static double width(Scale scale) {
        return width(Numbers.ticks(scale.ticks()));
    }

    static double width(List<String> labels) {
        int longest = labels.stream().mapToInt(String::length).max().orElse(1);
        return longest * Legend.LETTER_WIDTH;
    }
}
