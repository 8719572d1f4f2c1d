package dev.tandem.lab.chart;

import java.util.Locale;

/// Size of a drawn chart, in CSS pixels: a drawing scaled down to a phone would have unreadable
/// letters, so it is drawn again.
public enum Size {
    WIDE(848, 400, 8),
    NARROW(360, 320, 5);

    private final int width;
    private final int height;
    private final int ticks;

    Size(int width, int height, int ticks) {
        this.width = width;
        this.height = height;
        this.ticks = ticks;
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    /// Approximate number of ticks along the side.
    int ticks() {
        return ticks;
    }

    /// The drawing's class in style sheets.
    String style() {
        return name().toLowerCase(Locale.ROOT);
    }
}
