package dev.tandem.load;

import java.util.Locale;

/// The laboratory's own report of a load, for a terminal of 80 columns.
final class TextReport {
    private final LoadReport report;
    private final StringBuilder text = new StringBuilder();

    private TextReport(LoadReport report) {
        this.report = report;
    }

    static String of(LoadReport report) {
        var made = new TextReport(report);
        made.write();
        return made.text.toString();
    }

    private void line(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private void write() {
        line("%s: %.1f s", report.workload(), report.seconds());
        LoadReport.Replies replies = report.replies();
        double bytes = replies.headBytes() + replies.contentBytes() + replies.footerBytes();
        line(
                "  replies      %,d   %,.1f/s   %,.2f MB/s   statuses %s",
                replies.count(),
                report.repliesPerSecond(),
                bytes / 1e6 / report.seconds(),
                replies.statuses());
        latency("time, ms", report.measured());
        latency("from plan", report.corrected());
        LoadReport.Sessions sessions = report.sessions();
        line(
                "  sessions     %,d begun   %,d completed (%,.1f/s)   %,d failed   %,d unfinished",
                sessions.began(),
                sessions.completed(),
                report.sessionsPerSecond(),
                sessions.failed(),
                sessions.unfinished());
        LoadReport.Connections connections = report.connections();
        line(
                "  connections  %,d opened   at most %,d at once   %.3f ms to connect   %,d closed"
                        + " idle",
                connections.opened(),
                connections.concurrentMax(),
                connections.connectMillis().average(),
                connections.closedIdle());
        LoadReport.Handshakes tls = connections.handshakes();
        if (tls.full() + tls.resumed() + tls.failed() > 0) {
            line(
                    "  handshakes   %,d full   %,d resumed   %,d failed   %.3f ms each",
                    tls.full(), tls.resumed(), tls.failed(), tls.millis().average());
        }
        http2();
        errors();
        generator();
    }

    private void latency(String name, Latency latency) {
        line(
                "  %-12s p50 %.3f   p90 %.3f   p99 %.3f   p99.9 %.3f   most %.3f",
                name,
                latency.millis(50),
                latency.millis(90),
                latency.millis(99),
                latency.millis(99.9),
                latency.mostMillis());
    }

    private void http2() {
        LoadReport.Http2Events events = report.http2();
        if (!events.isEmpty()) {
            line(
                    "  HTTP/2       %,d refused   %,d reset   %,d GOAWAY   %,d connection errors  "
                            + " %,d repeated",
                    events.refused(),
                    events.reset(),
                    events.goAways(),
                    events.errors(),
                    events.repeated());
        }
    }

    private void errors() {
        var words = new StringBuilder();
        report.errors()
                .forEach(
                        (what, count) ->
                                words.append("   ").append(what.word()).append(' ').append(count));
        line("  errors      %s", words.isEmpty() ? " none" : words.substring(2));
    }

    private void generator() {
        LoadReport.Generator generator = report.generator();
        double cpu = generator.userSeconds() + generator.systemSeconds();
        line(
                "  generator    %.2f processors   %.1f us a reply   busiest thread %.0f %%   late"
                        + " by p99 %.3f ms",
                cpu / report.seconds(),
                cpu * 1e6 / Math.max(1, report.replies().count()),
                100 * generator.busyShare(),
                generator.lagMillis().millis(99));
        generator.warnings().forEach(warning -> line("  CAUTION: %s", warning));
    }
}
