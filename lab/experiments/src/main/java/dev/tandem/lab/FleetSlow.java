package dev.tandem.lab;

import dev.tandem.lab.FleetProxy.Line;
import dev.tandem.lab.FleetProxy.Way;
import dev.tandem.load.LoadReport;
import dev.tandem.load.LoadRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// One of a fleet's instances loses half its processors while clients are served.
///
/// What it can do then is measured, too, by the first instance alone: half the processors are less
/// than half of what an instance can do, since some of what it does takes as long as before.
///
/// @param ramp uncounted time, in seconds
/// @param seconds counted time
record FleetSlow(
        FleetSite site, FleetFindings findings, FleetLoad load, double ramp, double seconds) {
    /// The time in which a share must follow: 5 s.
    private static final long FOLLOWS_MILLIS = 5_000;

    /// Half more than it should be able to do, so that it does what it can.
    private static final double FULL = 1.5;

    private static final double HALF = 0.5;
    private static final long CALM_MILLIS = 3_000;

    /// @param rate new sessions per second
    /// @param peak sessions per second that an instance completes at most
    void measure(List<Way> ways, double rate, double peak)
            throws LabException, InterruptedException {
        double whole = most(1, FULL * peak);
        double half = most(HALF, FULL * HALF * peak);
        double others = whole * (site.instances().size() - 1);
        findings.row(
                "slow",
                "responses per second of one instance at its limit",
                Figures.show(whole, 0)
                        + " with its processors, "
                        + Figures.show(half, 0)
                        + " with half of them");
        for (Way way : ways) {
            slow(way, rate, half / (half + others));
        }
    }

    /// Returns how many good responses per second the first instance gives at its limit.
    ///
    /// @param part of its processors
    private double most(double part, double rate) throws LabException, InterruptedException {
        FleetInstance first = site.instances().getFirst();
        first.limit(part * site.plan().processors());
        try {
            long from = now() + millis(ramp);
            load.measure(site, Way.ONE, rate, ramp, seconds);
            List<Line> lines = site.proxy().lines(Way.ONE, from, from + millis(seconds));
            return lines.stream().filter(Line::isGood).count() / seconds;
        } finally {
            first.limit(site.plan().processors());
            Thread.sleep(CALM_MILLIS);
        }
    }

    private void slow(Way way, double rate, double fair) throws LabException, InterruptedException {
        FleetInstance slowed = site.instances().getLast();
        double processors = site.plan().processors();
        try (FleetWatch watch = FleetWatch.start(site, way);
                LoadRun running = load.start(site, way, rate, ramp, 3 * seconds)) {
            Thread.sleep(millis(ramp + seconds));
            long at = now();
            slowed.limit(HALF * processors);
            LoadReport report = FleetLoad.report(site, running);
            findings.watched("slow, " + way.label, watch.samples());
            slowed(way, at, fair, report);
            findings.row("slow, " + way.label, "rejected", watch.rejected());
        } finally {
            slowed.limit(processors);
        }
        Thread.sleep(CALM_MILLIS);
    }

    /// @param at when the last instance lost half its processors, as many seconds after the ramp as
    ///     one measurement has
    private void slowed(Way way, long at, double fair, LoadReport report) throws LabException {
        FleetInstance slowed = site.instances().getLast();
        long until = at + millis(2 * seconds);
        List<Line> before = site.proxy().lines(way, at - millis(seconds), at);
        List<Line> after = site.proxy().lines(way, at + FOLLOWS_MILLIS, until);
        findings.slow(
                way,
                new FleetFindings.Share(
                        FleetLoad.share(before, slowed.name()),
                        FleetLoad.share(after, slowed.name()),
                        fair),
                shares(site.proxy().lines(way, at - millis(seconds), until), slowed, at));
        double follows = seconds + FOLLOWS_MILLIS / 1e3;
        findings.slowGoodput(way, completedPart(report, follows, 3 * seconds));
        findings.row(
                "slow, " + way.label,
                "completed of those that began",
                Figures.show(completedPart(report, 0, seconds), 3)
                        + " before, "
                        + Figures.show(completedPart(report, seconds, follows), 3)
                        + " in the first 5 s, "
                        + Figures.show(completedPart(report, follows, 3 * seconds), 3)
                        + " afterwards");
        findings.row(
                "slow, " + way.label,
                "p99",
                Figures.show(FleetLoad.millis(before, 0.99), 0)
                        + " ms before, "
                        + Figures.show(FleetLoad.millis(after, 0.99), 0)
                        + " ms after; not good: "
                        + FleetLoad.causes(after));
    }

    /// Returns the sessions that were completed in a time, as a part of those that began in it.
    ///
    /// @param from in seconds since the ramp's end
    private static double completedPart(LoadReport report, double from, double until) {
        List<LoadReport.Second> its =
                report.series().stream()
                        .filter(each -> each.second() >= from && each.second() < until)
                        .toList();
        double completed = its.stream().mapToLong(LoadReport.Second::sessionsCompleted).sum();
        return completed / its.stream().mapToLong(LoadReport.Second::sessionsBegan).sum();
    }

    /// Returns a server's share in each second, by the seconds since a time.
    private static Map<Double, Double> shares(List<Line> lines, FleetInstance of, long at) {
        var seconds = new TreeMap<Long, List<Line>>();
        for (Line line : lines) {
            long second = Math.floorDiv(line.at() - at, 1_000);
            seconds.computeIfAbsent(second, _ -> new ArrayList<>()).add(line);
        }
        var shares = new LinkedHashMap<Double, Double>();
        seconds.forEach(
                (second, its) -> shares.put((double) second, FleetLoad.share(its, of.name())));
        return shares;
    }

    private static long millis(double seconds) {
        return Math.round(seconds * 1e3);
    }

    private static long now() {
        return System.currentTimeMillis();
    }
}
