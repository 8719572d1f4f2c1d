package dev.tandem.lab.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DrawingTest {
    private static final Caption CAPTION = new Caption("A title", "It shows something.");
    private static final Axis LINEAR = Axis.linear("time", "s");
    private static final Axis LOG = Axis.log("rate", "1/s");
    private static final double NONE = Double.NaN;

    private static Lines lines(Axis x, Axis y, Point... points) {
        return Lines.of(CAPTION, x, y, List.of(new Series("a", List.of(points))));
    }

    private static Bars bars(Point... points) {
        return Bars.of(CAPTION, List.of("g"), LINEAR, List.of(new Series("a", List.of(points))));
    }

    private static States states(States.Row... rows) {
        return new States(CAPTION, LINEAR, List.of("idle", "runs"), List.of(rows));
    }

    private static HeatMap heat(Axis value, Double... row) {
        var columns = Collections.nCopies(row.length, "c");
        return new HeatMap(CAPTION, "x", "y", columns, List.of("r"), value, List.of(List.of(row)));
    }

    /// Data on which no axis, scale or sum may fail.
    static Stream<Chart> difficult() {
        double huge = Double.MAX_VALUE / 4;
        return Stream.of(
                Lines.of(CAPTION, LINEAR, LINEAR, List.of()),
                lines(LINEAR, LINEAR),
                lines(LINEAR, LINEAR, Point.of(1, 1)),
                lines(LINEAR, LINEAR, Point.of(0, 0)),
                lines(LOG, LOG, Point.of(1, 1)),
                lines(LOG, LOG, Point.of(0, 1), Point.of(1, -1), Point.of(2, 0)),
                lines(LOG, LOG, Point.of(1e-9, 1e-9), Point.of(1e12, 1e12)),
                lines(LINEAR, LINEAR, Point.of(NONE, 1), Point.of(1, NONE)),
                lines(LINEAR, LINEAR, Point.of(1, Double.POSITIVE_INFINITY), Point.of(2, 1)),
                lines(LINEAR, LINEAR, new Point(1, 2, NONE, 3), new Point(2, 2, 1, NONE)),
                lines(LINEAR, LOG, new Point(1, 2, 0, 3)),
                lines(LINEAR, LINEAR, Point.of(-5, -7), Point.of(-4, 3)),
                lines(LINEAR, LINEAR, Point.of(1e-7, 1e-7), Point.of(2e-7, 3e-7)),
                lines(LINEAR, LINEAR, Point.of(0, huge), Point.of(1, huge)),
                Lines.distribution(CAPTION, LOG, Map.of()),
                Lines.distribution(CAPTION, LOG, Map.of("a", new double[0])),
                Lines.distribution(CAPTION, LINEAR, Map.of("a", new double[] {3, NONE, 3})),
                Bars.of(CAPTION, List.of(), LINEAR, List.of()),
                bars(),
                bars(Point.of(0, 0)),
                bars(Point.of(0, -3)),
                bars(Point.of(0, NONE)),
                bars(Point.of(7, 1), Point.of(-1, 1), Point.of(NONE, 1)),
                Bars.stacked(CAPTION, List.of("g", "h"), LINEAR, List.of()),
                states(),
                states(new States.Row("a", List.of())),
                states(
                        new States.Row(
                                "a",
                                List.of(
                                        new States.Span(0, 1, 0),
                                        new States.Span(1, 1, 1),
                                        new States.Span(1, NONE, 1),
                                        new States.Span(2, 1e9, 1)))),
                heat(LINEAR),
                heat(LINEAR, 1.0),
                heat(LINEAR, NONE, NONE),
                heat(LINEAR, 5.0, 5.0, 5.0),
                heat(LOG, 0.0, -1.0, 10.0),
                new HeatMap(CAPTION, "x", "y", List.of(), List.of(), LINEAR, List.of()));
    }

    @ParameterizedTest
    @MethodSource("difficult")
    void anyDataIsDrawnWithNumbersOnly(Chart chart) {
        for (Size size : Size.values()) {
            String svg = Drawing.of(chart, size).toString();
            assertFalse(svg.matches("(?s).*[\" ,MLHhv-](NaN|Infinity).*"), svg);
            assertTrue(svg.startsWith("<svg") && svg.endsWith("</svg>\n"), svg);
        }
    }

    @ParameterizedTest
    @MethodSource("difficult")
    void anyDataIsReadBackFromJson(Chart chart) {
        assertEquals(chart, ChartJson.read(ChartJson.of(chart)));
    }

    @Test
    void invalidChartIsRejected() {
        assertThrows(IllegalArgumentException.class, () -> ChartJson.read(Map.of("title", "a")));
        assertThrows(IllegalArgumentException.class, () -> ChartJson.read(List.of()));
        var other = Map.of("title", "a", "shows", "b", "kind", "pie");
        assertThrows(IllegalArgumentException.class, () -> ChartJson.read(other));
    }

    @Test
    void valueWithoutAPositionIsCountedAndInterruptsTheLine() {
        Lines chart = lines(LINEAR, LOG, Point.of(1, 1), Point.of(2, 0), Point.of(3, 1));
        assertEquals(1, chart.omitted());
        String svg = Drawing.of(chart, Size.WIDE).toString();
        String line = svg.replaceAll("(?s).*class=\"line\" d=\"([^\"]*)\".*", "$1");
        assertEquals(2, line.chars().filter(c -> c == 'M').count(), line);
    }

    @Test
    void unmeasuredValueIsNotCountedAsOmitted() {
        assertEquals(0, lines(LINEAR, LINEAR, Point.of(1, NONE)).omitted());
        assertEquals(0, heat(LINEAR, NONE).omitted());
    }

    @Test
    void linearAxisBeginsAtZero() {
        var span = new Scale.Span(100, 0, 5);
        Scale scale = Scale.fitting(LINEAR, List.of(90.0, 100.0), span);
        assertEquals(100, scale.at(0));
        assertEquals(List.of(0.0, 20.0, 40.0, 60.0, 80.0, 100.0), scale.ticks());
    }

    @Test
    void logarithmicAxisHasEqualRatiosInEqualSteps() {
        Scale scale = Scale.fitting(LOG, List.of(1.0, 100.0), new Scale.Span(0, 100, 5));
        assertEquals(50, scale.at(10), 1e-9);
    }

    @Test
    void fewValuesAreTheTicks() {
        Scale scale =
                Scale.through(LOG, List.of(16.0, 128.0, 2_048.0), new Scale.Span(0, 500, 8), true);
        assertEquals(List.of(16.0, 128.0, 2_048.0), scale.ticks());
    }

    @Test
    void ticksWithoutRoomAreLeftOutExceptTheLast() {
        var span = new Scale.Span(0, 100, 8);
        Scale scale = Scale.through(LINEAR, List.of(1.0, 98.0, 99.0, 100.0), span, true);
        assertEquals(List.of(1.0, 100.0), scale.ticks());
    }

    @Test
    void distributionEndsWithTheMaximumAtOne() {
        double[] measurements = new double[1_000];
        for (int i = 0; i < measurements.length; i++) {
            measurements[i] = measurements.length - i;
        }
        List<Point> points =
                Lines.distribution(CAPTION, LINEAR, Map.of("a", measurements))
                        .series()
                        .getFirst()
                        .points();
        assertEquals(200, points.size());
        assertEquals(Point.of(1_000, 100), points.getLast());
        assertEquals(Point.of(500, 50), points.get(99));
    }

    @Test
    void intensitiesSpanTheValues() {
        HeatMap map = heat(LOG, 1.0, 10.0, 100.0);
        var ends = new double[] {1, 100};
        assertEquals(0, HeatDrawing.strength(map, 1, ends));
        assertEquals(4, HeatDrawing.strength(map, 10, ends));
        assertEquals(HeatDrawing.STRENGTHS - 1, HeatDrawing.strength(map, 100, ends));
    }

    @Test
    void markersOfSeriesDiffer() {
        var signs = Stream.iterate(0, i -> i < Legend.LOOKS, i -> i + 1).map(Legend::sign);
        assertEquals(Legend.LOOKS, signs.distinct().count());
    }

    @Test
    void heatMapNeedsAllValues() {
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        new HeatMap(
                                CAPTION,
                                "x",
                                "y",
                                List.of("1", "2"),
                                List.of("r"),
                                LINEAR,
                                List.of(List.of(1.0))));
    }
}
