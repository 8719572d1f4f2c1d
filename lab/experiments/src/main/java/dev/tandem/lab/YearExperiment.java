package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Runs the product's admission for a year of virtual time under random loads, and checks what must
/// always hold.
final class YearExperiment {
    private static final Setting DAYS =
            new Setting("days", "N", "365", "2", "days of virtual time");
    private static final Setting PROCESSORS =
            new Setting("processors", "N", "2", "processors of the simulated server");
    private static final int QUICK_SECONDS = 60;
    private static final int FULL_SECONDS = 3_600;
    private static final long DAY = 86_400 * YearClock.SECOND;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "year",
                    "admission under random loads in virtual time",
                    List.of(
                            "No server and no socket: a simulated server asks the product's own",
                            "admission. Fails where a permit is lost, a count is negative, or new",
                            "sessions are kept out for longer than promised."),
                    new Experiment.Terms(
                            List.of(DAYS, PROCESSORS), List.of(), QUICK_SECONDS, FULL_SECONDS),
                    YearExperiment::run);

    private YearExperiment() {}

    static void run(Run run) throws LabException {
        int days = run.settings().number(DAYS, 1, 3_650);
        int processors = run.settings().number(PROCESSORS, 1, 64);
        run.facts(Map.of("virtual days", Integer.toString(days)));
        run.plan(run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS);
        var year = new Year(run.seed(), processors);
        for (int day = 1; day <= days; day++) {
            double began = System.nanoTime();
            year.runUntil(day * DAY);
            double seconds = (System.nanoTime() - began) / 1e9;
            run.step(seconds, "day %d: %s requests".formatted(day, count(year.server.sent())));
            if (!year.server.failures().isEmpty()) {
                run.complain(year.server.failures().getFirst());
            }
            run.keep(year.findings(day));
        }
    }

    private static String count(long number) {
        return Figures.show(number, 0);
    }

    /// A run so far.
    static final class Year {
        private final YearClock clock;
        private final YearServer server;
        private final YearLoad load;

        Year(long seed, int processors) {
            clock = new YearClock(seed);
            server = new YearServer(clock, processors);
            load = new YearLoad(clock, server, processors);
        }

        /// Episodes are not cut: the last ends later.
        void runUntil(long nanos) {
            while (clock.nanos() < nanos && server.failures().size() < 10) {
                load.next();
            }
        }

        YearServer server() {
            return server;
        }

        Findings findings(int days) {
            var table = new Table("what", "number");
            table.row("virtual days", count(days))
                    .row("events", count(clock.count()))
                    .row("requests", count(server.sent()))
                    .row("completed", count(server.completed()))
                    .row("rejected", count(server.rejected()))
                    .row("cancelled while they waited", count(server.cancelled()))
                    .row("longest wait, s", Figures.show(server.longestWait(), 2))
                    .row("load of the longest time without a new session", server.loadOfLongest())
                    .row(
                            "requests started in the longest time without a new session",
                            count(server.startsOfLongest()));
            var episodes = new Table("load", "episodes");
            load.episodes().forEach((kind, number) -> episodes.row(kind.name(), count(number)));
            var findings =
                    new Findings(
                            "A year of admission",
                            "Does admission lose a permit, count below zero, or keep new sessions"
                                    + " out, under any load?");
            server.failures().forEach(failure -> findings.note("Failed: " + failure));
            return findings.headline(
                            List.of(
                                    new Headline(
                                            "broken promises",
                                            server.failures().size(),
                                            "",
                                            Goal.atMost(0)),
                                    new Headline(
                                            "longest time without a new session",
                                            server.longestWithoutNew(),
                                            "s",
                                            null)))
                    .table("Numbers", table)
                    .table("Loads", episodes)
                    .data(data());
        }

        private Map<String, @Nullable Object> data() {
            var data = new LinkedHashMap<String, @Nullable Object>();
            data.put("failures", server.failures());
            data.put("requests", server.sent());
            return data;
        }
    }
}
