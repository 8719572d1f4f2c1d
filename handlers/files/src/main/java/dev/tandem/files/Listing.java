package dev.tandem.files;

import dev.tandem.http.Accept;
import dev.tandem.http.Exchange;
import dev.tandem.http.Html;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The listing of a folder: HTML, or JSON for clients that prefer it by `Accept`. `?sort=name`,
/// `size` or `time` and `?order=asc` or `desc` select the order; folders come first.
final class Listing {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final List<String> TYPES = List.of("text/html", "application/json");

    private static final String HEAD =
            """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>%1$s</title>
            <style>
              :root { color-scheme: light dark; font-family: system-ui, sans-serif }
              body { margin: 2rem auto; max-width: 56rem; padding: 0 1rem }
              h1 { font-size: 1.25rem; overflow-wrap: anywhere }
              table { border-collapse: collapse; width: 100%% }
              th, td { padding: .35rem .5rem; text-align: left; border-bottom: 1px solid #8884 }
              td:first-child { overflow-wrap: anywhere }
              th:not(:first-child), td:not(:first-child) { text-align: right;
                font-variant-numeric: tabular-nums; white-space: nowrap }
              a { text-decoration: none } a:hover { text-decoration: underline }
              p { opacity: .7 }
            </style>
            <h1>%1$s</h1>
            """;

    private final FolderEntries entries;
    private final String sort;
    private final boolean isAscending;

    private Listing(FolderEntries entries, String sort, boolean isAscending) {
        this.entries = entries;
        this.sort = sort;
        this.isAscending = isAscending;
    }

    /// Sends the listing.
    static void send(Exchange x, FolderEntries entries) throws IOException {
        String sort = x.queryParam("sort");
        boolean isKnown = sort != null && (sort.equals("size") || sort.equals("time"));
        var listing =
                new Listing(
                        entries.sorted(order(sort, !"desc".equals(x.queryParam("order")))),
                        isKnown ? String.valueOf(sort) : "name",
                        !"desc".equals(x.queryParam("order")));
        x.header("Vary", "Accept").header("Cache-Control", "no-cache");
        x.header("X-Content-Type-Options", "nosniff");
        if ("application/json".equals(Accept.bestMediaType(x.header("Accept"), TYPES))) {
            x.json(listing.json());
        } else {
            // Names are untrusted: nothing but the page's own style may have an effect.
            x.header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
            x.html(listing.html(x.path()));
        }
    }

    private static Comparator<FolderEntries.Entry> order(
            @Nullable String sort, boolean isAscending) {
        Comparator<FolderEntries.Entry> byName = Comparator.comparing(FolderEntries.Entry::name);
        Comparator<FolderEntries.Entry> order =
                switch (sort == null ? "name" : sort) {
                    case "size" -> Comparator.comparingLong(FolderEntries.Entry::size);
                    case "time" -> Comparator.comparingLong(FolderEntries.Entry::modifiedSeconds);
                    default -> byName;
                };
        Comparator<FolderEntries.Entry> folders = Comparator.comparing(e -> !e.isFolder());
        return folders.thenComparing(isAscending ? order : order.reversed()).thenComparing(byName);
    }

    // ---- HTML.

    private String html(String path) {
        var page = new StringBuilder(HEAD.formatted(Html.escape(path)));
        page.append("<table>\n<tr>");
        heading(page, "name", "Name");
        heading(page, "size", "Size");
        heading(page, "time", "Changed (UTC)");
        page.append("</tr>\n");
        if (!path.equals("/")) {
            page.append("<tr><td><a href=\"../\">../</a></td><td></td><td></td></tr>\n");
        }
        for (FolderEntries.Entry entry : entries.list()) {
            row(page, entry);
        }
        page.append("</table>\n");
        if (entries.isTruncated()) {
            page.append("<p>Only ").append(entries.list().size()).append(" are shown.</p>\n");
        }
        return page.toString();
    }

    private void heading(StringBuilder page, String key, String title) {
        boolean isThis = key.equals(sort);
        String order = isThis && isAscending ? "desc" : "asc";
        String mark = isThis ? isAscending ? " ▲" : " ▼" : "";
        page.append(
                "<th><a href=\"?sort=%s&amp;order=%s\">%s%s</a></th>"
                        .formatted(key, order, title, mark));
    }

    private static void row(StringBuilder page, FolderEntries.Entry entry) {
        String slash = entry.isFolder() ? "/" : "";
        // The dot prevents a name with a colon from being read as a scheme.
        page.append("<tr><td><a href=\"./").append(encoded(entry.name())).append(slash);
        page.append("\">").append(Html.escape(entry.name())).append(slash).append("</a></td><td>");
        page.append(entry.isFolder() ? "" : sizeText(entry.size())).append("</td><td>");
        page.append(TIME.format(Instant.ofEpochSecond(entry.modifiedSeconds())));
        page.append("</td></tr>\n");
    }

    private static String sizeText(long bytes) {
        if (bytes < 1_000) {
            return bytes + " B";
        }
        double left = bytes / 1e3;
        int unit = 0;
        while (left >= 999.95 && unit < 4) {
            left /= 1e3;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %cB", left, "kMGTP".charAt(unit));
    }

    /// Percent-encodes everything but RFC 3986's unreserved characters.
    private static String encoded(String name) {
        var text = new StringBuilder();
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean isPlain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (isPlain || "-._~".indexOf(c) >= 0) {
                text.append(c);
            } else {
                text.append(String.format(Locale.ROOT, "%%%02X", (int) c));
            }
        }
        return text.toString();
    }

    // ---- JSON.

    private String json() {
        var text =
                new StringBuilder("{\"isCut\":")
                        .append(entries.isTruncated())
                        .append(",\"entries\":[");
        String between = "\n";
        for (FolderEntries.Entry entry : entries.list()) {
            text.append(between).append("{\"name\":");
            quote(text, entry.name());
            text.append(",\"type\":").append(entry.isFolder() ? "\"folder\"" : "\"file\"");
            if (!entry.isFolder()) {
                text.append(",\"size\":").append(entry.size());
            }
            text.append(",\"modified\":\"");
            text.append(Instant.ofEpochSecond(entry.modifiedSeconds())).append("\"}");
            between = ",\n";
        }
        return text.append("\n]}\n").toString();
    }

    private static void quote(StringBuilder text, String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
