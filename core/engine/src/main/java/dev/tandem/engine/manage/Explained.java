package dev.tandem.engine.manage;

import dev.tandem.AccessLog;
import dev.tandem.Gauge;
import dev.tandem.Options;
import dev.tandem.admission.Explanation;
import dev.tandem.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Collects a server's explanations, by section: the engine's own limits, admission's, and the
/// gauges of parts of the site.
final class Explained {
    private static final Pattern BYTES = Pattern.compile("(^|_)bytes(_total)?$");
    private static final double MEBIBYTE = 1 << 20;

    private Explained() {}

    /// Returns them in the order in which they are shown: those of a section together.
    static List<Explanation> all(Engine engine, ServerState state) {
        var all = new ArrayList<Explanation>();
        all.add(state.explain());
        Options options = engine.options();
        all.add(
                new Explanation(
                        "Server",
                        "connections",
                        engine.open().get() + " of " + options.limits().connectionsMax(),
                        "open; beyond the limit a new one replaces the longest idle one"));
        all.add(
                new Explanation(
                        "Server",
                        "loops",
                        Integer.toString(options.threads().loops()),
                        "event loops, by " + engine.network().name()));
        all.add(
                new Explanation(
                        "Server",
                        "threads",
                        Integer.toString(engine.workers().size()),
                        "that handlers run on; they begin as they are needed, and end after a"
                                + " minute of rest"));
        AccessLog log = engine.accessLog();
        if (log != null) {
            all.add(
                    new Explanation(
                            "Server",
                            "access log, lost",
                            Long.toString(log.lost()),
                            "lines that were not written: their destination is full or" + " slow"));
        }
        if (!engine.tls().isEmpty()) {
            all.addAll(new TlsExplained(engine.tls(), engine.handshakes().counters()).all());
        }
        if (engine.http2().connections() > 0) {
            all.addAll(Http2Metrics.explain(engine.http2()));
        }
        if (!engine.tuning().isAllOnLoop()) {
            all.add(engine.utilization().read().explain());
            all.addAll(engine.dispatcher().admission().explain());
        }
        engine.dispatcher().admission().databases().forEach(lane -> all.addAll(lane.explain()));
        for (Gauge gauge : engine.gauges()) {
            gauges(gauge, all);
        }
        return all;
    }

    private static void gauges(Gauge gauge, List<Explanation> all) {
        try {
            String value = text(gauge.name(), gauge.value().getAsDouble());
            String name = gauge.name().replaceFirst("_total$", "");
            String help = gauge.help();
            String why = help.endsWith(".") ? help.substring(0, help.length() - 1) : help;
            String section = spaced(gauge.section());
            all.add(
                    new Explanation(
                            Character.toUpperCase(section.charAt(0)) + section.substring(1),
                            section + ", " + spaced(name),
                            value,
                            why));
        } catch (RuntimeException e) {
            // A gauge that has no value now is not shown.
        }
    }

    private static String spaced(String name) {
        return name.replace('_', ' ');
    }

    private static String text(String name, double value) {
        if (BYTES.matcher(name).find()) {
            return String.format(Locale.ROOT, "%.1f MiB", value / MEBIBYTE);
        }
        return value == Math.rint(value)
                ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%.3f", value);
    }
}
