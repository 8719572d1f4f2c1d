package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AuctionFindingsTest {
    private static final List<String> NAMES = List.of("tandem", "multi-threaded", "tomcat");

    private static void add(
            Samples samples, String name, double rate, Map<String, Double> figures) {
        var all =
                new HashMap<>(
                        Map.of(
                                AppliedLoad.TIME_OUTS,
                                0.0,
                                AppliedLoad.CLOSED_BY_SERVER,
                                0.0,
                                AppliedLoad.WRONG,
                                0.0));
        all.putAll(figures);
        samples.add(Scenario.of(name, Sweep.RATE, rate), 1, false, Reading.of(all));
    }

    private static Headline line(Findings findings, String part) {
        return findings.headline().stream()
                .filter(line -> line.name().contains(part))
                .findFirst()
                .orElseThrow();
    }

    private static Samples samples() {
        var samples = new Samples();
        for (double rate : new double[] {10, 20}) {
            add(
                    samples,
                    "tandem",
                    rate,
                    Map.of(AppliedLoad.SESSIONS, 10.0, AppliedLoad.GOOD, 900.0));
            add(samples, "multi-threaded", rate, Map.of(AppliedLoad.SESSIONS, 40 / rate));
            add(samples, "tomcat", rate, Map.of(AppliedLoad.SESSIONS, 80 / rate));
        }
        add(
                samples,
                "tandem",
                20,
                Map.of(
                        AuctionExperiment.MEANT, 3.0,
                        AuctionExperiment.OFFERED, 4.0,
                        AppliedLoad.TIME_OUTS, 2.0));
        return samples;
    }

    @Test
    void leadIsOverTheBestRivalAtTheHighestLoad() {
        var findings = new AuctionFindings(NAMES, 10, false, "", Map.of()).of(samples());
        Headline lead = line(findings, "times the best rival");
        assertEquals(10 / 4.0, lead.value());
        assertTrue(lead.name().contains("at 2.0 times saturation"), lead.name());
        assertEquals(0.75, line(findings, "lifetimes").value());
    }

    @Test
    void timeOutAtAnyLoadIsReported() {
        var findings = new AuctionFindings(NAMES, 10, false, "", Map.of()).of(samples());
        Headline outs = line(findings, "time-outs of Tandem");
        assertTrue(outs.value() > 0);
    }

    @Test
    void factorIsPlainOverTls() {
        Samples samples = samples();
        add(samples, "tandem" + AuctionExperiment.PLAIN, 20, Map.of(AppliedLoad.GOOD, 1_350.0));
        var findings = new AuctionFindings(NAMES, 10, true, "", Map.of()).of(samples);
        assertEquals(1.5, line(findings, "tandem in plain").value());
        assertTrue(Double.isNaN(line(findings, "tomcat in plain").value()));
    }

    @Test
    void collapseIsShownInSessionsWithTheShareOfFullHandshakes() {
        Samples samples = samples();
        add(samples, "tandem" + AuctionExperiment.PLAIN, 20, Map.of(AppliedLoad.SESSIONS, 15.0));
        add(samples, "tomcat" + AuctionExperiment.PLAIN, 20, Map.of(AppliedLoad.SESSIONS, 28.0));
        add(samples, "tomcat", 20, Map.of(AppliedLoad.FULL_SHARE, 0.73));
        var findings = new AuctionFindings(NAMES, 10, true, "", Map.of()).of(samples);
        assertEquals(1.5, line(findings, "completed sessions of tandem in plain").value());
        assertEquals(7, line(findings, "completed sessions of tomcat in plain").value());
        assertEquals(0.73, line(findings, "full of all handshakes with tomcat").value());
    }
}
