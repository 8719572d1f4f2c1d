package dev.tandem.lab.chart;

import java.util.Locale;

/// What stands above a chart.
///
/// @param title a few words; names the chart's CSV file, too
/// @param shows a sentence that says what is to be seen
public record Caption(String title, String shows) {

    private static final int SLUG_LENGTH_MAX = 60;

    /// The title as a file's name without ending: small letters, digits and dashes.
    public String slug() {
        String slug = title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        String inner = slug.replaceAll("^-|-$", "");
        String named = inner.isEmpty() ? "chart" : inner;
        return named.substring(0, Math.min(named.length(), SLUG_LENGTH_MAX));
    }
}
