package dev.tandem.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/// A report in httperf's words and layout, so that programs that read httperf's output can read it.
final class HttperfText {
    /// The period over which httperf samples rates.
    private static final int SAMPLE_SECONDS = 5;

    private final LoadReport report;
    private final boolean isOfSessions;
    private final StringBuilder text = new StringBuilder();

    HttperfText(LoadReport report, boolean isOfSessions) {
        this.report = report;
        this.isOfSessions = isOfSessions;
    }

    String text() {
        connections();
        replies();
        machine();
        errors();
        if (isOfSessions) {
            sessions();
        }
        return text.toString();
    }

    private void line(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private void connections() {
        LoadReport.Connections c = report.connections();
        Spread life = c.lifeMillis();
        double seconds = report.seconds();
        long attempted = c.attempted();
        line(
                "Total: connections %d requests %d replies %d test-duration %.3f s\n",
                attempted, report.requests().count(), report.replies().count(), seconds);
        line(
                "Connection rate: %.1f conn/s (%.1f ms/conn, <=%d concurrent connections)",
                attempted / seconds, each(1e3 * seconds, attempted), c.concurrentMax());
        line(
                "Connection time [ms]: min %.1f avg %.1f max %.1f median %.1f stddev %.1f",
                life.least(), life.average(), life.most(), life.median(), life.deviation());
        line("Connection time [ms]: connect %.1f", c.connectMillis().average());
        line("Connection length [replies/conn]: %.3f\n", c.repliesEach());
    }

    private void replies() {
        LoadReport.Requests requests = report.requests();
        LoadReport.Replies replies = report.replies();
        double seconds = report.seconds();
        line(
                "Request rate: %.1f req/s (%.1f ms/req)",
                requests.count() / seconds, each(1e3 * seconds, requests.count()));
        line("Request size [B]: %.1f\n", each(requests.bytes(), requests.count()));
        line("Reply rate [replies/s]: %s", rates(LoadReport.Second::replies, "%.1f"));
        line(
                "Reply time [ms]: response %.1f transfer %.1f",
                replies.responseMillis().average(), replies.transferMillis().average());
        double head = each(replies.headBytes(), replies.count());
        double content = each(replies.contentBytes(), replies.count());
        double footer = each(replies.footerBytes(), replies.count());
        line(
                "Reply size [B]: header %.1f content %.1f footer %.1f (total %.1f)",
                head, content, footer, head + content + footer);
        line(
                "Reply status: 1xx=%d 2xx=%d 3xx=%d 4xx=%d 5xx=%d\n",
                replies.ofClass(1),
                replies.ofClass(2),
                replies.ofClass(3),
                replies.ofClass(4),
                replies.ofClass(5));
    }

    private static double each(double what, long of) {
        return of == 0 ? 0 : what / of;
    }

    /// min, avg, max and stddev of the events in each whole five seconds.
    private String rates(ToLongFunction<LoadReport.Second> what, String number) {
        List<Double> samples = samples(what);
        double least = Double.MAX_VALUE;
        double most = 0;
        double sum = 0;
        double squares = 0;
        for (double sample : samples) {
            least = Math.min(least, sample);
            most = Math.max(most, sample);
            sum += sample;
            squares += sample * sample;
        }
        int count = samples.size();
        double average = each(sum, count);
        double deviation = Math.sqrt(Math.max(0, each(squares, count) - average * average));
        String form =
                "min %s avg %s max %s stddev %s (%%d samples)"
                        .formatted(number, number, number, number);
        return String.format(
                Locale.ROOT, form, count == 0 ? 0.0 : least, average, most, deviation, count);
    }

    private List<Double> samples(ToLongFunction<LoadReport.Second> what) {
        var samples = new ArrayList<Double>();
        int whole = Math.min(report.series().size(), (int) report.seconds());
        for (int from = 0; from + SAMPLE_SECONDS <= whole; from += SAMPLE_SECONDS) {
            double sum = 0;
            for (int i = from; i < from + SAMPLE_SECONDS; i++) {
                sum += what.applyAsLong(report.series().get(i));
            }
            samples.add(sum / SAMPLE_SECONDS);
        }
        return samples;
    }

    private void machine() {
        double user = report.generator().userSeconds();
        double system = report.generator().systemSeconds();
        double percent = 100 / report.seconds();
        line(
                "CPU time [s]: user %.2f system %.2f (user %.1f%% system %.1f%% total %.1f%%)",
                user, system, percent * user, percent * system, percent * (user + system));
        LoadReport.Replies replies = report.replies();
        double bytes =
                replies.headBytes()
                        + replies.contentBytes()
                        + replies.footerBytes()
                        + report.requests().bytes();
        double rate = bytes / report.seconds();
        line("Net I/O: %.1f KB/s (%.1f*10^6 bps)\n", rate / 1024, 8e-6 * rate);
    }

    private void errors() {
        line(
                "Errors: total %d client-timo %d socket-timo %d connrefused %d connreset %d",
                report.errorCount(),
                count("client-timo"),
                count("socket-timo"),
                count("connrefused"),
                count("connreset"));
        line(
                "Errors: fd-unavail %d addrunavail %d ftab-full %d other %d",
                count("fd-unavail"), count("addrunavail"), count("ftab-full"), count("other"));
    }

    private long count(String word) {
        long sum = 0;
        for (var entry : report.errors().entrySet()) {
            sum += entry.getKey().httperfName().equals(word) ? entry.getValue() : 0;
        }
        return sum;
    }

    private void sessions() {
        LoadReport.Sessions sessions = report.sessions();
        line(
                "\nSession rate [sess/s]: %s",
                rates(LoadReport.Second::sessionsCompleted, "%.2f")
                        .replaceFirst(
                                " avg \\S+", " avg %.2f".formatted(report.sessionsPerSecond()))
                        .replaceFirst("\\(.*", "")
                        .concat(
                                "(%d/%d)"
                                        .formatted(
                                                sessions.completed(),
                                                sessions.completed() + sessions.failed())));
        line("Session: avg %.2f connections/session", sessions.connectionsEach());
        line("Session lifetime [s]: %.1f", sessions.lifeSeconds().average());
        line("Session failtime [s]: %.1f", sessions.failSeconds().average());
        var lengths = new StringBuilder("Session length histogram:");
        sessions.lengths().forEach(count -> lengths.append(' ').append(count));
        line("%s", lengths);
    }
}
