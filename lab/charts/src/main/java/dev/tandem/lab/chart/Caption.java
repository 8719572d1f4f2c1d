package dev.tandem.lab.chart;

import java.util.Locale;

/// Text above a chart.
///
/// @param title a few words; also gives the chart's CSV file its name
/// @param shows a sentence that says what the chart shows
public record Caption(String title, String shows) {

    private static final int SLUG_LENGTH_MAX = 60;

    /// The title as a file name without extension: small letters, digits and dashes.
    public String slug() {
        String slug = title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        String inner = slug.replaceAll("^-|-$", "");
        String named = inner.isEmpty() ? "chart" : inner;
        return named.substring(0, Math.min(named.length(), SLUG_LENGTH_MAX));
    }
}
