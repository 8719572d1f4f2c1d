package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpeedResultsTest {
    private static Measurement measured(String trial, String contender, double cpuMicros) {
        var load = new Wrk.Load(1_000, 39_000, 25, 50, 0);
        return new Measurement(trial, contender, 1, load, cpuMicros, 1, 0.5, 0.05, 1);
    }

    private static SpeedResults of(String trial, Measurement... measurements) {
        var results = new SpeedResults(Trial.named(List.of(trial)), 200);
        for (Measurement measurement : measurements) {
            results.add(measurement);
        }
        return results;
    }

    private static Headline only(SpeedResults results) {
        return results.headline().getFirst();
    }

    @Test
    void ratioIsThatOfTheMedians() {
        var results =
                of(
                        "hello",
                        measured("hello", "tandem", 9),
                        measured("hello", "tandem", 8),
                        measured("hello", "tandem", 100),
                        measured("hello", "nginx", 10));
        assertEquals(0.9, only(results).value(), 1e-9);
    }

    @Test
    void figureAboveItsShareMissesTheGoal() {
        var results =
                of(
                        "static1k",
                        measured("static1k", "tandem", 6.1),
                        measured("static1k", "nginx", 10));
        assertEquals("no", only(results).verdict());
    }

    @Test
    void largeFilesAreComparedByThroughputPerCpuSecond() {
        var results =
                of(
                        "static1m",
                        measured("static1m", "tandem", 50),
                        measured("static1m", "nginx", 100));
        assertEquals(2, only(results).value(), 1e-9);
    }

    @Test
    void goalWithoutNginxIsNotMeasured() {
        assertEquals("not measured", only(of("hello", measured("hello", "tandem", 9))).verdict());
    }

    @Test
    void blockingIsComparedWithTheWorkersMaximum() {
        var results = of("block5", measured("block5", "tandem", 20));
        assertEquals(39_000.0 / 40_000, only(results).value(), 1e-9);
    }

    @Test
    void blockingIsAlsoJudgedByItsSlowestResponses() {
        assertEquals(
                2, of("block5", measured("block5", "tandem", 20)).headline().get(1).value(), 1e-9);
    }

    @Test
    void unmeasuredTrialIsReportedWithItsReason() {
        var results = of("db");
        results.addAbsent(Trial.named(List.of("db")).getFirst(), "nginx", "it runs no code");
        assertEquals("db, nginx: not measured: it runs no code", results.notes().getLast());
    }
}
