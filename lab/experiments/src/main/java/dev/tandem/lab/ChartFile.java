package dev.tandem.lab;

import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Drawing;
import dev.tandem.lab.chart.Size;

/// A chart as a file of its own, such as for a page of the documentation.
public final class ChartFile {
    /// A drawing has no ground of its own.
    private static final String GROUND =
            "svg{background:var(--ground);font-family:system-ui,sans-serif}\n";

    private ChartFile() {}

    /// Returns the text of an SVG file. It is light, also where the reader's page is dark; markers,
    /// dashes and numbers distinguish what colours do.
    public static String svg(Chart chart) {
        String drawing = Drawing.of(chart, Size.WIDE).toString();
        int end = drawing.indexOf('>') + 1;
        String style = "<style>" + GROUND + PageParts.drawingStyle() + "</style>\n";
        return drawing.substring(0, end) + "\n" + style + drawing.substring(end);
    }
}
