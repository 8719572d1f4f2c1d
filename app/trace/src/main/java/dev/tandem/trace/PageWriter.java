package dev.tandem.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Writes a trace as one page for browsers, with its drawing and style inside: states of threads
/// over time, their shares, routes, and the longest requests. It loads nothing and runs no script.
public final class PageWriter {
    /// 25 of the longest requests, and as many routes.
    private static final int LINES_MAX = 25;

    private static final double WIDTH = 1000;
    private static final double LEFT = 110;
    private static final double ROW = 15;
    private static final double BAR = 12;
    private static final int TICKS = 5;

    private final Trace trace;
    private final StringBuilder page = new StringBuilder(65_536);

    private PageWriter(Trace trace) {
        this.trace = trace;
    }

    /// @throws IOException if the file cannot be written
    public static void write(Trace trace, Path file) throws IOException {
        try (InputStream style = PageWriter.class.getResourceAsStream("trace.css");
                Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            if (style == null) {
                throw new IOException("trace.css is not among the program's files");
            }
            String css = new String(style.readAllBytes(), StandardCharsets.UTF_8);
            out.write(new PageWriter(trace).page(css));
        }
    }

    private String page(String css) {
        page.append("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width\">\n")
                .append("<title>Tandem: what each thread did</title>\n<style>\n")
                .append(css)
                .append("</style>\n<h1>What each thread did</h1>\n");
        long requests = trace.threads().stream().mapToLong(t -> t.requests().size()).sum();
        paragraph(
                "%s, %s s, %d threads, %d requests on them."
                        .formatted(
                                trace.begin(),
                                format("%.1f", trace.nanos() / 1e9),
                                trace.threads().size(),
                                requests));
        trace.aboutLoop().ifPresent(this::paragraph);
        legend();
        states();
        shares();
        routes();
        longest();
        return page.append("</html>\n").toString();
    }

    private void paragraph(String text) {
        page.append("<p>").append(escaped(text)).append("</p>\n");
    }

    private void heading(String text) {
        page.append("<h2>").append(escaped(text)).append("</h2>\n");
    }

    private void legend() {
        page.append("<p class=\"key\">");
        for (State state : State.values()) {
            page.append("<span class=\"%s\">%s</span> ".formatted(look(state), state.label()));
        }
        page.append("</p>\n");
    }

    private static String look(State state) {
        return "s" + state.ordinal();
    }

    // ---- The drawings.

    private void states() {
        StateColumns columns = StateColumns.of(trace);
        heading("States over time");
        paragraph(
                "Each column has the state that took most of it, of each thread."
                        + (columns.omitted() == 0
                                ? ""
                                : " %d that did less are left out.".formatted(columns.omitted())));
        List<StateColumns.Row> rows = columns.rows();
        double bottom = ROW * Math.max(1, rows.size());
        open(bottom + 24, "States of threads over time");
        double seconds = Math.max(1e-9, trace.nanos() / 1e9);
        for (int i = 0; i <= TICKS; i++) {
            double at = LEFT + (WIDTH - LEFT) * i / TICKS;
            tick(at, bottom, format("%.2f s", seconds * i / TICKS), i == TICKS ? "end" : "middle");
        }
        for (int i = 0; i < rows.size(); i++) {
            double top = i * ROW + (ROW - BAR) / 2;
            text(LEFT - 8, top + BAR - 2, "end", rows.get(i).name());
            for (State state : State.values()) {
                path(rows.get(i), state, top, seconds);
            }
        }
        page.append("</svg></div>\n");
    }

    private void path(StateColumns.Row row, State state, double top, double seconds) {
        var path = new StringBuilder();
        for (StateColumns.Span span : row.spans()) {
            if (span.state() == state) {
                double from = LEFT + (WIDTH - LEFT) * span.from() / seconds;
                double to = LEFT + (WIDTH - LEFT) * Math.min(1, span.to() / seconds);
                path.append(format("M%.1f,%.1fH%.1fv%.1fH%.1fz", from, top, to, BAR, from));
            }
        }
        if (!path.isEmpty()) {
            page.append(
                    "<path class=\"%s\" d=\"%s\"><title>%s: %s</title></path>\n"
                            .formatted(look(state), path, escaped(row.name()), state.label()));
        }
    }

    private void shares() {
        heading("Share of states");
        paragraph("Of the time of all loop threads, and of all workers.");
        open(2 * 26 + 24, "Share of states, of loops and of workers");
        for (int i = 0; i <= TICKS; i++) {
            double at = LEFT + (WIDTH - LEFT) * i / TICKS;
            tick(at, 2 * 26, "%d %%".formatted(100 * i / TICKS), i == TICKS ? "end" : "middle");
        }
        for (int i = 0; i < 2; i++) {
            boolean isLoop = i == 0;
            double at = LEFT;
            text(LEFT - 8, i * 26 + 17.0, "end", isLoop ? "loops" : "workers");
            for (State state : State.values()) {
                double share = trace.share(state, isLoop);
                double width = (WIDTH - LEFT) * share;
                page.append(
                        format(
                                "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\""
                                        + " height=\"20\"><title>%s: %.1f %%</title></rect>\n",
                                look(state), at, i * 26 + 3, width, state.label(), 100 * share));
                at += width;
            }
        }
        page.append("</svg></div>\n");
    }

    private void open(double height, String name) {
        page.append(
                format(
                        "<div class=\"scroll\"><svg viewBox=\"0 0 %.0f %.0f\" role=\"img\""
                                + " aria-label=\"%s\">\n",
                        WIDTH, height, name));
    }

    private void tick(double at, double bottom, String text, String anchor) {
        page.append(
                format(
                        "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%.1f\"/>\n",
                        at, at, bottom + 4));
        text(at, bottom + 18, anchor, text);
    }

    private void text(double x, double y, String anchor, String text) {
        page.append(
                format(
                        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
                        x, y, anchor, escaped(text)));
    }

    // ---- The tables.

    /// @param nanos time on threads
    private record OfRoute(long count, long nanos, long longest) {
        OfRoute plus(OfRoute other) {
            return new OfRoute(
                    count + other.count, nanos + other.nanos, Math.max(longest, other.longest));
        }
    }

    private void routes() {
        Map<String, OfRoute> routes = new LinkedHashMap<>();
        for (Trace.Thread thread : trace.threads()) {
            for (Trace.Request request : thread.requests()) {
                long nanos = request.to() - request.from();
                routes.merge(request.route(), new OfRoute(1, nanos, nanos), OfRoute::plus);
            }
        }
        heading("Routes by their time on threads");
        begin("route", "requests", "time on threads", "mean", "longest");
        routes.entrySet().stream()
                .sorted(
                        Comparator.comparingLong(
                                        (Map.Entry<String, OfRoute> e) -> e.getValue().nanos)
                                .reversed())
                .limit(LINES_MAX)
                .forEach(
                        e -> {
                            OfRoute of = e.getValue();
                            line(
                                    e.getKey(),
                                    Long.toString(of.count),
                                    millis(of.nanos),
                                    millis(of.nanos / of.count),
                                    millis(of.longest));
                        });
        end();
    }

    /// A request and its thread.
    private record OnThread(String thread, Trace.Request request) {
        long nanos() {
            return request.to() - request.from();
        }
    }

    private void longest() {
        heading("Longest requests");
        begin("route", "thread", "status", "began at", "waited before", "to response", "in total");
        trace.threads().stream()
                .flatMap(t -> t.requests().stream().map(r -> new OnThread(t.name(), r)))
                .sorted(Comparator.comparingLong(OnThread::nanos).reversed())
                .limit(LINES_MAX)
                .forEach(
                        of -> {
                            Trace.Request r = of.request;
                            line(
                                    r.route(),
                                    of.thread,
                                    Integer.toString(r.status()),
                                    format("%.3f s", r.from() / 1e9),
                                    millis(r.waited()),
                                    millis(r.responded() - r.from()),
                                    millis(of.nanos()));
                        });
        end();
    }

    private void begin(String... heads) {
        page.append("<div class=\"scroll\"><table><thead><tr>");
        for (String head : heads) {
            page.append("<th scope=\"col\">").append(head).append("</th>");
        }
        page.append("</tr></thead><tbody>\n");
    }

    private void line(String... cells) {
        page.append("<tr>");
        for (String cell : cells) {
            page.append("<td>").append(escaped(cell)).append("</td>");
        }
        page.append("</tr>\n");
    }

    private void end() {
        page.append("</tbody></table></div>\n");
    }

    private static String millis(long nanos) {
        return format("%.2f ms", nanos / 1e6);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /// Routes and names of threads may have any character in them.
    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
