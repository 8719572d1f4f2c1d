package dev.tandem.engine.manage;

import dev.tandem.admission.Explanation;
import dev.tandem.admission.OverdueRoute;
import dev.tandem.admission.Reason;
import dev.tandem.admission.Utilization;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A server's state in one sentence, such as "rejecting 12 %: workers busy with GET /report". Made
/// of admission's numbers of the last seconds; the console and `tandem explain` show it.
///
/// @param level for a colour
/// @param value the state in some words
/// @param why the reason in a sentence
record ServerState(Level level, String value, String why) {
    /// 10 s: shorter times make the sentence jump, longer ones report what is over.
    static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// A resource of which 0.9 is used has little to spare.
    private static final double BUSY_FROM = 0.9;

    enum Level {
        /// Serves every request at once.
        OK,
        /// Serves, but with delay, or not all requests, or not for long.
        WARNING,
        /// Needs an operator: something does not return or does not respond.
        ERROR
    }

    /// @param recent the samples of the last [#RECENT_NANOS], the oldest first
    /// @param overdue routes with runs that do not return
    static ServerState of(Lifecycle lifecycle, List<Sample> recent, List<OverdueRoute> overdue) {
        return switch (lifecycle) {
            case STARTING ->
                    new ServerState(Level.WARNING, "starting", "requests are not accepted yet");
            case STOPPING ->
                    new ServerState(
                            Level.WARNING,
                            "stopping",
                            "running requests finish, others are closed");
            case DRAINING ->
                    new ServerState(
                            Level.WARNING,
                            "draining",
                            "serves, and asks load balancers to use another server");
            case READY -> ofLoad(recent, overdue);
        };
    }

    private static ServerState ofLoad(List<Sample> recent, List<OverdueRoute> overdue) {
        var rejected = new EnumMap<Reason, Long>(Reason.class);
        for (Sample sample : recent) {
            sample.rejected().forEach((reason, count) -> rejected.merge(reason, count, Long::sum));
        }
        if (!rejected.isEmpty()) {
            return rejecting(rejected, recent, overdue);
        }
        if (!overdue.isEmpty()) {
            return new ServerState(Level.ERROR, "stuck", stuck(overdue));
        }
        if (recent.stream().anyMatch(sample -> sample.pausedNanos() > 0)) {
            return new ServerState(Level.WARNING, "pausing new connections", bottleneck(recent));
        }
        double waiting =
                recent.stream().mapToInt(sample -> sample.end().waiting()).average().orElse(0);
        if (waiting >= 1) {
            return new ServerState(
                    Level.WARNING,
                    "busy",
                    "%s %s; %s"
                            .formatted(
                                    Math.round(waiting),
                                    Math.round(waiting) == 1 ? "request waits" : "requests wait",
                                    bottleneck(recent)));
        }
        if (mostUsed(recent).value() >= BUSY_FROM) {
            return new ServerState(
                    Level.WARNING, "busy", "no request waits; " + bottleneck(recent));
        }
        return new ServerState(Level.OK, "healthy", healthy(recent));
    }

    private static String healthy(List<Sample> recent) {
        long completed = recent.stream().mapToLong(Sample::completed).sum();
        double seconds = recent.stream().mapToLong(Sample::nanos).sum() / 1e9;
        if (completed == 0) {
            return "no requests in the last seconds";
        }
        Utilization used = recent.getLast().end().utilization();
        return rate(completed / seconds)
                + ", "
                + percent(used.value())
                + " of the "
                + Resource.of(used).words
                + " used";
    }

    private static String rate(double perSecond) {
        String number =
                perSecond < 10
                        ? String.format(Locale.ROOT, "%.1f", perSecond)
                        : String.format(Locale.ROOT, "%,d", Math.round(perSecond));
        return number + " requests/s";
    }

    private static ServerState rejecting(
            Map<Reason, Long> rejected, List<Sample> recent, List<OverdueRoute> overdue) {
        long count = rejected.values().stream().mapToLong(Long::longValue).sum();
        long completed = recent.stream().mapToLong(Sample::completed).sum();
        Reason reason =
                rejected.entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .orElseThrow()
                        .getKey();
        Level level =
                reason == Reason.NO_DATABASE || reason == Reason.ROUTE_STUCK
                        ? Level.ERROR
                        : Level.WARNING;
        String why =
                switch (reason) {
                    case NO_DATABASE -> "the database does not respond";
                    case ROUTE_STUCK ->
                            overdue.isEmpty() ? "runs of a route did not return" : stuck(overdue);
                    case HELD_BACK -> "new sessions, in favour of live ones; " + bottleneck(recent);
                    case QUEUE_FULL, EXPIRED -> bottleneck(recent);
                };
        double part = (double) count / (count + completed);
        return new ServerState(level, "rejecting " + percent(part), why);
    }

    private static String stuck(List<OverdueRoute> overdue) {
        OverdueRoute most =
                overdue.stream().max(Comparator.comparingInt(OverdueRoute::runs)).orElseThrow();
        return most.runs() == 1
                ? "a run of " + most.route() + " does not return"
                : most.runs() + " runs of " + most.route() + " do not return";
    }

    private enum Resource {
        WORKERS("workers"),
        PROCESSORS("processors"),
        DATABASES("database connections"),
        HANDSHAKES("budget for TLS handshakes");

        private final String words;

        Resource(String words) {
            this.words = words;
        }

        /// Returns the one that limits the server first.
        static Resource of(Utilization used) {
            if (used.workers() >= used.value()) {
                return WORKERS;
            }
            if (used.processors() >= used.value()) {
                return PROCESSORS;
            }
            return used.databases() >= used.value() ? DATABASES : HANDSHAKES;
        }
    }

    /// Returns what limits the server, in words.
    private static String bottleneck(List<Sample> recent) {
        Utilization used = mostUsed(recent);
        String route = busiest(recent);
        String with = route == null ? "" : " with " + route;
        return switch (Resource.of(used)) {
            case WORKERS ->
                    used.processors() >= BUSY_FROM
                            ? "workers and processors busy" + with
                            : "workers busy" + with;
            case PROCESSORS -> "processors busy" + with;
            case DATABASES -> "database connections busy" + with;
            case HANDSHAKES -> "TLS handshakes use all of their budget";
        };
    }

    /// Returns the utilization when it was highest.
    private static Utilization mostUsed(List<Sample> recent) {
        return recent.stream()
                .map(sample -> sample.end().utilization())
                .max(Comparator.comparingDouble(Utilization::value))
                .orElse(Utilization.NONE);
    }

    private static @Nullable String busiest(List<Sample> recent) {
        return Reading.mostFrequent(
                recent.stream()
                        .map(sample -> sample.end().busiest())
                        .filter(Objects::nonNull)
                        .toList());
    }

    private static String percent(double part) {
        double percent = 100 * part;
        if (percent > 0 && percent < 1) {
            return "under 1 %";
        }
        // Not 100 % as long as there is a response.
        return Math.round(part < 1 ? Math.min(percent, 99) : percent) + " %";
    }

    /// Returns it as the first of the explanations.
    Explanation explain() {
        return new Explanation("", "state", value, why);
    }

    /// Returns an object of JSON with `level`, `value` and `why`.
    String json() {
        return "{\"level\":\"%s\",\"value\":%s,\"why\":%s}"
                .formatted(
                        level.name().toLowerCase(Locale.ROOT),
                        ExplainPage.quoted(value),
                        ExplainPage.quoted(why));
    }
}
