package dev.tandem.lab;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.shops.SpecwebClients.Site;
import dev.tandem.workloads.Published;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Findings from samples of the experiments that sweep.
class SweptFindingsTest {
    private final Samples samples = new Samples();
    private double generatorShare = 0.5;

    private void add(Scenario scenario, double replies, double response, double closed) {
        var figures = new LinkedHashMap<String, Double>();
        figures.put(AppliedLoad.REPLIES, replies);
        figures.put(AppliedLoad.RESPONSE, response);
        figures.put(AppliedLoad.CLOSED, closed);
        figures.put(AppliedLoad.CLOSED_BY_SERVER, 0.0);
        figures.put(AppliedLoad.GENERATOR_MICROS, 20.0);
        figures.put(AppliedLoad.GENERATOR, generatorShare);
        samples.add(scenario, 1, false, new Reading(figures, 0.5));
    }

    private static Headline named(List<Headline> lines, String part) {
        return lines.stream().filter(l -> l.name().contains(part)).findFirst().orElseThrow();
    }

    private static StaticExperiment statics(double saturation) {
        var site =
                new SurgeSite(Path.of("x"), ModelWorkload.of(Published.rubisBidding(), 1), 6, 20);
        return new StaticExperiment(saturation, 1, site);
    }

    @Test
    void staticIsJudgedAtTwiceSaturation() {
        add(Scenario.of("tandem", Sweep.RATE, 100), 9, 9, 9);
        add(Scenario.of("multi-threaded", Sweep.RATE, 100), 99, 1, 0);
        add(Scenario.of("tandem", Sweep.RATE, 200), 40_000, 5, 0);
        add(Scenario.of("multi-threaded", Sweep.RATE, 200), 20_000, 20, 30);
        List<Headline> lines = statics(100).headline(samples);
        assertEquals(0, named(lines, "closed by Tandem").value());
        assertEquals("yes", named(lines, "closed by Tandem").verdict());
        assertEquals(2, named(lines, "throughput at 2.00 times").value());
        assertEquals(0.25, named(lines, "response time at 2.00 times").value());
        assertEquals(1.25, named(lines, "generator").value());
        assertEquals("no", named(lines, "generator").verdict());
    }

    @Test
    void staticWithClosedConnectionsMissesItsGoal() {
        add(Scenario.of("tandem", Sweep.RATE, 200), 40_000, 5, 0.1);
        List<Headline> lines = statics(100).headline(samples);
        assertEquals("no", named(lines, "closed by Tandem").verdict());
    }

    @Test
    void staticWithoutTheMultiThreadedRivalIsNotComparedWithIt() {
        add(Scenario.of("tandem", Sweep.RATE, 200), 40_000, 5, 0);
        add(Scenario.of("jetty", Sweep.RATE, 200), 20_000, 5, 0);
        List<Headline> lines = statics(100).headline(samples);
        assertTrue(lines.stream().noneMatch(line -> line.name().contains("multi-threaded")));
        assertTrue(
                statics(100)
                        .findings(samples)
                        .verdict()
                        .startsWith("A single repetition shows no winner"));
    }

    @Test
    void staticIsJudgedBelowTheGeneratorsSaturation() {
        add(Scenario.of("tandem", Sweep.RATE, 100), 9, 1, 0);
        add(Scenario.of("tandem", Sweep.RATE, 150), 12, 1, 0);
        generatorShare = 0.99;
        add(Scenario.of("tandem", Sweep.RATE, 200), 3, 9, 9);
        add(Scenario.of("tandem", Sweep.RATE, 300), 3, 9, 9);
        Headline closed = named(statics(100).headline(samples), "closed by Tandem");
        assertEquals("connections closed by Tandem at 1.50 times saturation", closed.name());
        assertEquals(0, closed.value());
    }

    @Test
    void staticHasTheThreeFiguresOfThePaper() {
        add(Scenario.of("event-driven", Sweep.RATE, 100), 1, 1, 1);
        add(Scenario.of("tandem", Sweep.RATE, 100), 1, 1, 1);
        Findings findings = statics(100).findings(samples);
        List<String> titles = findings.charts().stream().map(c -> c.caption().title()).toList();
        assertTrue(
                titles.containsAll(
                        List.of("Throughput", "Response time", "Connections closed by time-out")));
        assertTrue(findings.charts().stream().noneMatch(c -> c.caption().shows().isEmpty()));
        assertEquals(
                "tandem", findings.charts().getFirst().data().rows().getFirst().names().getFirst());
    }

    @Test
    void ratesAreJudgedAtTandemsSmallestLead() {
        for (double rate : new double[] {10, 20, 30}) {
            add(Scenario.of("httpd-worker", RatesExperiment.RATE, rate), rate, 1, 0);
        }
        add(Scenario.of("tandem", RatesExperiment.RATE, 10), 10, 1, 0);
        add(Scenario.of("tandem", RatesExperiment.RATE, 20), 18, 1, 0);
        add(Scenario.of("tandem", RatesExperiment.RATE, 30), 60, 1, 0);
        Headline worst = RatesExperiment.atLeast(samples, "httpd-worker", "static files", "");
        assertEquals(0.9, worst.value(), 1e-9);
        assertEquals("no", worst.verdict());
        assertFalse(RatesExperiment.atLeast(samples, "httpd-worker", "CGI", ", CGI").isMeasured());
    }

    @Test
    void ratesAreJudgedForEachRival() {
        add(Scenario.of("tandem, CGI", RatesExperiment.RATE, 10), 12, 1, 0);
        add(Scenario.of("lighttpd, CGI", RatesExperiment.RATE, 10), 10, 1, 0);
        add(Scenario.of("httpd-worker, CGI", RatesExperiment.RATE, 10), 24, 1, 0);
        Headline worst = RatesExperiment.atLeast(samples, "lighttpd", "CGI", ", CGI");
        assertEquals("replies to CGI, share of lighttpd's, at the worst rate", worst.name());
        assertEquals(1.2, worst.value(), 1e-9);
    }

    @Test
    void rateWithoutTandemHasNoVerdict() {
        add(Scenario.of("httpd-worker", RatesExperiment.RATE, 10), 10, 1, 0);
        assertFalse(
                RatesExperiment.atLeast(samples, "httpd-worker", "static files", "").isMeasured());
    }

    @Test
    void staticGivesThreadsToServersThatHoldOneForEachConnection() {
        assertEquals(500, StaticExperiment.threads("multi-threaded", 500, 50));
        assertEquals(500, StaticExperiment.threads("tomcat-blocking", 500, 50));
        assertEquals(50, StaticExperiment.threads("tandem", 500, 50));
        assertEquals(200, StaticExperiment.threads("tomcat", 500, 50));
    }

    private static Settings with(Map<String, String> values) {
        return new Settings(name -> values.getOrDefault(name, "1"));
    }

    @Test
    void tuningMeasuresAllPairsOfTheRivalAndTandemByItsWorkers() {
        var settings =
                with(Map.of("workers", "2048,16", "threads", "64,256", "keep-alive", "0.5,15,60"));
        List<Scenario> scenarios = TuningExperiment.scenarios(settings);
        assertEquals(2 + 2 * 3, scenarios.size());
        assertEquals(Scenario.of("tandem", TuningExperiment.THREADS, 16), scenarios.getFirst());
        assertEquals(
                Scenario.of("multi-threaded", TuningExperiment.THREADS, 256)
                        .with(TuningExperiment.KEEP_ALIVE, 60),
                scenarios.getLast());
    }

    private void tuned(double threads, double keepAlive, double replies) {
        add(
                Scenario.of("multi-threaded", TuningExperiment.THREADS, threads)
                        .with(TuningExperiment.KEEP_ALIVE, keepAlive),
                replies,
                1,
                0);
    }

    @Test
    void tuningComparesSpreads() {
        add(Scenario.of("tandem", TuningExperiment.THREADS, 16), 96, 1, 0);
        add(Scenario.of("tandem", TuningExperiment.THREADS, 2_048), 100, 1, 0);
        tuned(64, 1, 20);
        tuned(64, 15, 10);
        tuned(256, 1, 80);
        List<Headline> lines = TuningExperiment.headline(samples);
        assertEquals(0.04, named(lines, "spreads over its workers").value(), 1e-9);
        assertEquals(8, named(lines, "best configuration, times").value());
        assertEquals(1.2, named(lines, "worst configuration, share").value(), 1e-9);
    }

    @Test
    void tuningWithOneNumberOfWorkersSaysNothingOfTheirSpread() {
        add(Scenario.of("tandem", TuningExperiment.THREADS, 50), 96, 1, 0);
        tuned(64, 1, 20);
        List<Headline> lines = TuningExperiment.headline(samples);
        assertTrue(lines.stream().noneMatch(line -> line.name().contains("spreads")));
        assertEquals(4.8, named(lines, "worst configuration, share").value(), 1e-9);
    }

    @Test
    void tuningMapHasAGapForUnmeasuredPairs() {
        tuned(64, 1, 20);
        tuned(64, 15, 10);
        tuned(256, 1, 80);
        var map =
                TuningExperiment.map(samples, "a", "b", Axis.linear("c", ""), AppliedLoad.REPLIES);
        assertEquals(List.of("1", "15"), map.columns());
        assertEquals(List.of("64", "256"), map.rows());
        assertEquals(List.of(20.0, 10.0), map.values().getFirst());
        assertEquals(List.of(80.0, Double.NaN), map.values().getLast());
    }

    @Test
    void workersAreSweptOnEachSiteAndThreadsGrowWithClients() {
        var settings = with(Map.of("workers", "16,64", "swept-clients", "900", "clients", "5,9"));
        List<Scenario> scenarios =
                SpecwebThreadsExperiment.scenarios(settings, List.of(Site.BANKING, Site.SUPPORT));
        assertEquals(2 * 2 + 2 * 2 * 2, scenarios.size());
        assertEquals(
                Scenario.of("workers, banking", "threads", 16).with("clients", 900),
                scenarios.getFirst());
        assertEquals(Scenario.of("tandem by clients, support", "clients", 9), scenarios.getLast());
    }

    private void addTwice(Scenario scenario, double replies) {
        for (int repetition = 1; repetition <= 2; repetition++) {
            var figures = new LinkedHashMap<String, Double>();
            figures.put(AppliedLoad.REPLIES, replies * (repetition == 1 ? 1 : 1.02));
            samples.add(scenario, repetition, false, new Reading(figures, 0.5));
        }
    }

    @Test
    void eachFigureMeasuredTwiceHasItsConfidence() {
        addTwice(Scenario.of("tandem", Sweep.RATE, 200), 100);
        add(Scenario.of("jetty", Sweep.RATE, 200), 100, 1, 0);
        Map<?, ?> only = samples.intervals().getFirst();
        assertEquals(1, samples.intervals().size());
        assertEquals(Map.of(Sweep.RATE, 200.0), only.get("at"));
        Map<?, ?> figures = (Map<?, ?>) requireNonNull(only.get("figures"));
        Map<?, ?> interval = (Map<?, ?>) requireNonNull(figures.get(AppliedLoad.REPLIES));
        assertEquals(101.0, interval.get("mean"));
        // Two measurements: t of one degree, times half their distance.
        assertEquals(12.7062, (Double) requireNonNull(interval.get("plusMinus")), 1e-3);
    }

    @Test
    void reportSaysWhichContenderIsAhead() {
        addTwice(Scenario.of("tandem", Sweep.RATE, 200), 40_000);
        addTwice(Scenario.of("multi-threaded", Sweep.RATE, 200), 20_000);
        addTwice(Scenario.of("event-driven", Sweep.RATE, 200), 10_000);
        String verdict = statics(100).findings(samples).verdict();
        assertTrue(
                verdict.startsWith(
                        "tandem is ahead at 2.00 times saturation: 40,400 to 20,200 replies/s, 2.00"
                                + " times multi-threaded, the next. "),
                verdict);
        assertTrue(verdict.contains(" goals are reached: "), verdict);
    }

    @Test
    void contendersWithinTheSpreadHaveNoWinner() {
        addTwice(Scenario.of("tandem", Sweep.RATE, 200), 20_100);
        addTwice(Scenario.of("multi-threaded", Sweep.RATE, 200), 20_000);
        String verdict = statics(100).findings(samples).verdict();
        assertTrue(verdict.startsWith("No winner at 2.00 times saturation: tandem and"), verdict);
        assertEquals("", new Winner(new Samples(), "x").sentence(List.of("a"), "b", 1, "c"));
    }

    @Test
    void throughputThatRisesBeyondSaturationIsFlagged() {
        addTwice(Scenario.of("tandem", Sweep.RATE, 50), 10_000);
        addTwice(Scenario.of("tandem", Sweep.RATE, 100), 20_000);
        addTwice(Scenario.of("tandem", Sweep.RATE, 200), 22_000);
        assertEquals(List.of(), statics(100).findings(samples).doubts());
        addTwice(Scenario.of("tandem", Sweep.RATE, 300), 32_000);
        List<String> doubts = statics(100).findings(samples).doubts();
        assertEquals(
                List.of(
                        "tandem was not saturated by 100 sessions/s, of which the report's rates"
                                + " are multiples: at 300 it did 1.60 times as much as it would"
                                + " there."),
                doubts);
    }

    private void quality(double clients, double good, double tolerable) {
        var figures = new LinkedHashMap<String, Double>();
        figures.put(SpecwebLoad.GOOD, good);
        figures.put(SpecwebLoad.TOLERABLE, tolerable);
        Scenario scenario = Scenario.of("tandem, banking", SpecwebExperiment.CLIENTS, clients);
        samples.add(scenario, 1, false, new Reading(figures, 0.5));
    }

    @Test
    void mostClientsAreThoseOfTheLargestLoadWithinBothCriteria() {
        quality(500, 1, 1);
        quality(1_000, 0.95, 0.99);
        quality(1_500, 0.96, 0.98);
        quality(2_000, 0.9, 1);
        assertEquals(1_000, SpecwebFindings.mostClients(samples, "tandem, banking"));
        assertTrue(Double.isNaN(SpecwebFindings.mostClients(samples, "tandem, support")));
    }

    private void cache(Scenario scenario, double throughput) {
        var figures = new LinkedHashMap<String, Double>();
        figures.put(PageCacheFindings.THROUGHPUT, throughput);
        figures.put(PageCacheFindings.CPU, 0.5);
        samples.add(scenario, 1, false, new Reading(figures, 0.5));
    }

    private static List<String> titles(Findings findings) {
        return findings.charts().stream().map(chart -> chart.caption().title()).toList();
    }

    @Test
    void pageCacheByClientsHasAChartForEachFigureOfTheThesis() {
        for (double clients : new double[] {4, 8}) {
            cache(Scenario.of("kernel", PageCacheFindings.CLIENTS, clients), 100);
            cache(Scenario.of("async", PageCacheFindings.CLIENTS, clients), 50 * clients);
        }
        Findings findings = PageCacheFindings.of(samples, "");
        assertTrue(
                titles(findings)
                        .containsAll(
                                List.of(
                                        "MB/s by clients",
                                        "response ms by clients",
                                        "disk MB/s by clients",
                                        "server CPU by clients",
                                        "compressing CPU by clients")));
        List<Headline> lines = findings.headline();
        assertEquals(2, lines.size());
        assertEquals(2, lines.getFirst().value());
        assertEquals(4, lines.getLast().value());
    }

    @Test
    void pageCacheByShareIsJudgedAtTheBestShare() {
        cache(Scenario.of("kernel"), 100);
        cache(Scenario.of("share00"), 110);
        cache(Scenario.of("share40"), 170);
        cache(Scenario.of("share80"), 150);
        Findings findings = PageCacheFindings.of(samples, "");
        assertTrue(titles(findings).containsAll(List.of("MB/s", "MB/s by share")));
        assertTrue(titles(findings).contains("decompressing CPU by share"));
        assertEquals(1.7, named(findings.headline(), "throughput, of the kernel").value(), 1e-9);
    }

    @Test
    void longMeasurementOfTheStoreHasAPartForEachMinute() {
        assertEquals(12, StagedFindings.parts(12));
        assertEquals(12, StagedFindings.parts(60));
        assertEquals(20, StagedFindings.parts(1_200.3));
    }
}
