package dev.tandem.engine;

import dev.tandem.admission.OverdueRoute;
import dev.tandem.net.NanoClock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Logs, by its route's name, that a handler does not return: once, and again if more of the same
/// route do not, at most once a minute. Its caller ensures that one thread at a time uses it.
final class OverdueLog {
    static final long GAP_NANOS = TimeUnit.MINUTES.toNanos(1);

    /// @param runs that the last line reported
    private record Report(int runs, long nanos) {}

    private final NanoClock clock;
    private final Consumer<String> log;

    /// By route: at most as many as admission knows.
    private final Map<String, Report> reports = new HashMap<>();

    OverdueLog(NanoClock clock, Consumer<String> log) {
        this.clock = clock;
        this.log = log;
    }

    /// @param overdue all that there are now
    synchronized void report(List<OverdueRoute> overdue) {
        if (overdue.isEmpty() && reports.isEmpty()) {
            return;
        }
        long now = clock.nanos();
        for (OverdueRoute route : overdue) {
            Report before = reports.get(route.route());
            boolean isNews = before == null || route.runs() > before.runs();
            if (isNews && (before == null || now - before.nanos() >= GAP_NANOS)) {
                reports.put(route.route(), new Report(route.runs(), now));
                log.accept(line(route));
            }
        }
        // A route that has recovered may be reported again, but not at once.
        reports.values().removeIf(s -> now - s.nanos() >= GAP_NANOS && !isOverdue(s, overdue));
    }

    private boolean isOverdue(Report line, List<OverdueRoute> overdue) {
        return overdue.stream().anyMatch(route -> line == reports.get(route.route()));
    }

    private static String line(OverdueRoute route) {
        return "%s does not return: %d of its runs have lasted over %d s; their workers are"
                        .formatted(
                                route.route(),
                                route.runs(),
                                TimeUnit.NANOSECONDS.toSeconds(route.afterNanos()))
                + " replaced, and fewer of the route may run (tandem explain; a thread dump shows"
                + " where they are)";
    }
}
