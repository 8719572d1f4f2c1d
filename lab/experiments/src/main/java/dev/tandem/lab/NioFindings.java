package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Findings of [NioExperiment].
///
/// @param contenders their names, without conditions
/// @param siteNote what a reader must know of the clients
record NioFindings(List<String> contenders, List<NioCondition> conditions, String siteNote) {
    /// Mbit/s of a MB/s.
    private static final double BITS = 8;

    /// Where the link is the bottleneck all servers are alike, within the spread of repetitions.
    private static final double LINK_GOAL = 0.95;

    Findings of(Samples samples) {
        var findings =
                new Findings(
                        "Events and threads, by concurrent clients",
                        "Do a few threads serve as many clients as thousands do, on one processor,"
                                + " on two, and where not the processor but the link is the"
                                + " bottleneck?");
        findings.headline(headlines(samples)).verdict(verdict(samples));
        for (NioCondition condition : conditions) {
            charts(findings, samples, condition);
        }
        findings.table("All figures", table(samples))
                .note(siteNote)
                .note(
                        "A constant number of clients, each followed by the next: a slow server"
                                + " slows down its own load.")
                .note(
                        "event-driven-N has N threads, tandem-N N workers, the others N threads,"
                                + " one for each connection.")
                .note(GeneratorLimit.note(samples));
        if (conditions.contains(NioCondition.TWO)) {
            findings.note(
                    "With two processors the server may use both, and shares the second with the"
                            + " load where there are only two.");
        }
        if (conditions.stream().anyMatch(condition -> condition.megabits() > 0)) {
            findings.note(
                    "A link is the loopback of a network namespace of the run's own, where the"
                            + " kernel's tbf limits what servers send, headers included: some 95 %"
                            + " of it are content. Clients think there as long as Surge's do.");
        }
        if (conditions.contains(NioCondition.SLOW)) {
            findings.note(
                    "Slow clients stand in for a link that is the bottleneck: each reads 1 Mbit/s"
                            + " at most, and thinks as long as Surge's do.");
        }
        return findings.data("measurements", samples.asList());
    }

    /// In the order of legends.
    private List<String> names(NioCondition condition) {
        return contenders.stream().map(name -> name + condition.suffix()).toList();
    }

    // ---- Headline.

    private static double most(Samples samples, List<String> names) {
        return names.stream()
                .flatMap(name -> samples.values(name, NioExperiment.CLIENTS).stream())
                .max(Double::compare)
                .orElse(Double.NaN);
    }

    private String verdict(Samples samples) {
        List<String> names = names(conditions.getFirst());
        double most = most(samples, names);
        return new Winner(samples, AppliedLoad.REPLIES)
                .sentence(
                        names,
                        NioExperiment.CLIENTS,
                        most,
                        "with " + Figures.show(most, 0) + " clients");
    }

    /// Those whose contenders were asked for.
    List<Headline> headlines(Samples samples) {
        var lines = new ArrayList<Headline>();
        for (NioCondition condition : conditions) {
            boolean hasThreads = contenders.stream().anyMatch(NioContender::hasThreads);
            if (hasThreads && contenders.stream().anyMatch(NioContender::isTandem)) {
                double goal = condition.isSlow() ? LINK_GOAL : 1;
                double share = share(samples, condition, NioContender::isTandem);
                lines.add(line("Tandem's", condition, share, Goal.atLeast(goal)));
            }
            if (hasThreads && contenders.stream().anyMatch(NioContender::isEventDriven)) {
                double share = share(samples, condition, NioContender::isEventDriven);
                lines.add(line("the event-driven server's", condition, share, null));
            }
            if (condition.megabits() > 0) {
                lines.add(carried(samples, condition));
            }
        }
        return lines;
    }

    private static Headline line(
            String whose, NioCondition condition, double share, @Nullable Goal goal) {
        String name =
                whose
                        + " throughput with the most clients, share of the best with a thread per"
                        + " connection"
                        + condition.suffix();
        return new Headline(name, share, "", goal);
    }

    private double share(Samples samples, NioCondition condition, Predicate<String> which) {
        return best(samples, condition, which) / best(samples, condition, NioContender::hasThreads);
    }

    /// Most replies per second of some contenders, with the most clients.
    private double best(Samples samples, NioCondition condition, Predicate<String> which) {
        double most = most(samples, names(condition));
        return contenders.stream()
                .filter(which)
                .map(name -> Scenario.of(name + condition.suffix(), NioExperiment.CLIENTS, most))
                .mapToDouble(scenario -> samples.median(scenario, AppliedLoad.REPLIES))
                .filter(Double::isFinite)
                .max()
                .orElse(Double.NaN);
    }

    /// Near 0.95 where the link was the bottleneck.
    private Headline carried(Samples samples, NioCondition condition) {
        double most =
                samples.scenarios().stream()
                        .filter(scenario -> scenario.contender().endsWith(condition.suffix()))
                        .mapToDouble(scenario -> samples.median(scenario, AppliedLoad.MEGABYTES))
                        .filter(Double::isFinite)
                        .max()
                        .orElse(Double.NaN);
        return new Headline(
                "content, share of the link's bandwidth, at most" + condition.suffix(),
                BITS * most / condition.megabits(),
                "",
                null);
    }

    // ---- Charts.

    private void charts(Findings findings, Samples samples, NioCondition condition) {
        findings.chart(
                        chart(
                                samples,
                                condition,
                                "Throughput",
                                "Whole replies; higher is better.",
                                Axis.linear("throughput", "replies/s"),
                                AppliedLoad.REPLIES))
                .chart(
                        chart(
                                samples,
                                condition,
                                "Response time",
                                "Mean over the replies; lower is better.",
                                Axis.linear("response time", "ms"),
                                AppliedLoad.RESPONSE))
                .chart(
                        chart(
                                samples,
                                condition,
                                "Connection time",
                                "Until a connection is established; mean.",
                                Axis.linear("connection time", "ms"),
                                AppliedLoad.CONNECT))
                .chart(
                        chart(
                                samples,
                                condition,
                                "Time-outs",
                                "Requests that clients gave up.",
                                Axis.linear("time-outs", "1/s"),
                                AppliedLoad.TIME_OUTS))
                .chart(
                        chart(
                                samples,
                                condition,
                                "Resets",
                                "Connections that the server reset.",
                                Axis.linear("resets", "1/s"),
                                AppliedLoad.RESETS))
                .chart(
                        chart(
                                samples,
                                condition,
                                "Closed early",
                                "Connections that the server closed while a reply was due.",
                                Axis.linear("closed early", "1/s"),
                                AppliedLoad.CLOSED_EARLY));
        if (condition.isSlow()) {
            findings.chart(
                    chart(
                            samples,
                            condition,
                            "Transfer rate",
                            "Content of replies, to all clients together.",
                            Axis.linear("transfer rate", "MB/s"),
                            AppliedLoad.MEGABYTES));
        }
    }

    private Chart chart(
            Samples samples,
            NioCondition condition,
            String title,
            String shows,
            Axis axis,
            String figure) {
        List<Series> series =
                names(condition).stream()
                        .map(name -> samples.line(name, NioExperiment.CLIENTS, figure))
                        .toList();
        return Lines.of(
                new Caption(title + condition.suffix(), shows),
                Axis.linear("concurrent clients", ""),
                axis,
                series);
    }

    private static Table table(Samples samples) {
        return samples.table(
                AppliedLoad.REPLIES,
                AppliedLoad.RESPONSE,
                AppliedLoad.RESPONSE_P99,
                AppliedLoad.MEGABYTES,
                AppliedLoad.CONNECT,
                AppliedLoad.CLOSED,
                AppliedLoad.TIME_OUTS,
                AppliedLoad.RESETS,
                AppliedLoad.CLOSED_EARLY,
                AppliedLoad.REFUSED,
                AppliedLoad.REJECTED,
                AppliedLoad.OTHER_ERRORS,
                AppliedLoad.SESSIONS,
                AppliedLoad.CONNECTIONS,
                AppliedLoad.SERVER,
                AppliedLoad.GENERATOR);
    }
}
