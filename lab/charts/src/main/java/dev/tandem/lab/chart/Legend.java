package dev.tandem.lab.chart;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The names of series with their markers, in rows above a drawing.
final class Legend {
    /// Number of different styles; with more series they repeat.
    static final int LOOKS = 8;

    static final double ROW_HEIGHT = 22;

    /// Approximate width of a letter, in pixels; the font is not known here.
    static final double LETTER_WIDTH = 7.3;

    /// Markers, around the origin: all are distinguishable, even without colours.
    private static final List<String> SIGNS =
            List.of(
                    "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",
                    "M-3.6,-3.6h7.2v7.2h-7.2z",
                    "M0,-5l4.8,8.4h-9.6z",
                    "M0,-5.2l5,5.2l-5,5.2l-5,-5.2z",
                    "M0,5l4.8,-8.4h-9.6z",
                    "M-1.5,-4.8h3v3.3h3.3v3h-3.3v3.3h-3v-3.3h-3.3v-3h3.3z",
                    "M-5,-2.4h10v4.8h-10z",
                    "M-2.4,-5h4.8v10h-4.8z");

    private static final double SIGN_WIDTH = 26;
    private static final double GAP = 18;
    private static final int NAME_LENGTH_MAX = 44;

    private final List<String> names;
    private final int width;
    private final Mark mark;

    /// The mark before a name: the same as in the drawing.
    enum Mark {
        SIGN,
        LINE,
        AREA
    }

    Legend(List<String> names, int width, Mark mark) {
        this.names = names;
        this.width = width;
        this.mark = mark;
    }

    /// In pixels; a single series without a name needs no legend.
    double height() {
        boolean isNeeded = names.stream().anyMatch(name -> !name.isEmpty());
        return isNeeded ? ROW_HEIGHT * (1 + walk(null)) : 0;
    }

    void draw(Markup svg) {
        if (height() > 0) {
            walk(svg);
        }
    }

    /// @return how many rows follow the first
    private int walk(@Nullable Markup svg) {
        double x = 0;
        int row = 0;
        for (int i = 0; i < names.size(); i++) {
            String name = shortened(names.get(i), NAME_LENGTH_MAX);
            double entryWidth = SIGN_WIDTH + name.length() * LETTER_WIDTH;
            if (x > 0 && x + entryWidth > width) {
                x = 0;
                row++;
            }
            if (svg != null) {
                entry(svg, i, name, x, row * ROW_HEIGHT + 11);
            }
            x += entryWidth + GAP;
        }
        return row;
    }

    private void entry(Markup svg, int index, String name, double x, double y) {
        svg.open("g", "class", look(index));
        String position =
                "translate(" + Numbers.coordinate(x + 7) + " " + Numbers.coordinate(y) + ")";
        String shape =
                switch (mark) {
                    case SIGN -> sign(index);
                    case LINE -> "M-7,0h20";
                    case AREA -> "M-6,-6h12v12h-12z";
                };
        String style = mark == Mark.LINE ? "line plain" : "sign";
        svg.empty("path", "class", style, "d", shape, "transform", position);
        svg.element(
                "text",
                name,
                "class",
                "name",
                "x",
                Numbers.coordinate(x + SIGN_WIDTH),
                "y",
                Numbers.coordinate(y + 4.5));
        svg.close();
    }

    static String look(int index) {
        return "s" + index % LOOKS;
    }

    static String sign(int index) {
        return SIGNS.get(index % LOOKS);
    }

    static String shortened(String name, int length) {
        return name.codePointCount(0, name.length()) <= length
                ? name
                : name.substring(0, name.offsetByCodePoints(0, length - 1)) + "…";
    }
}
