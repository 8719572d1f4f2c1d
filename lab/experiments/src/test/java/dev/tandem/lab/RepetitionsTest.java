package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.lab.chart.Point;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepetitionsTest {
    private static final Function<Samples, Findings> FINDINGS =
            samples -> new Findings("T", "Q?").data("measurements", samples.asList());

    private final Path folder;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final AtomicLong clock = new AtomicLong();
    private final List<String> taken = new ArrayList<>();

    RepetitionsTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private Run run(long seed) {
        var terms = new Experiment.Terms(List.of(), List.of(), 1, 1);
        var experiment = new Experiment("x", "x", List.of(), terms, _ -> {});
        var out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        var environment = new Environment(new Toolbox(List.of()), TargetMain.command(), out);
        return new Run(
                experiment,
                new Order(Form.QUICK, Map.of(), seed, folder, false),
                environment,
                false);
    }

    private static List<Scenario> scenarios(String parameter, double... values) {
        var scenarios = new ArrayList<Scenario>();
        for (double value : values) {
            for (String contender : List.of("a", "b", "c")) {
                scenarios.add(Scenario.of(contender, parameter, value));
            }
        }
        return scenarios;
    }

    private Repetitions repetitions(Run run, int count, double boxSeconds) {
        var plan = new Repetitions.Plan(count, 0, 1, boxSeconds);
        return new Repetitions(run, scenarios("clients", 10, 20), plan, clock::get);
    }

    /// Uses ten seconds of the clock.
    private Reading measureOnce(Scenario scenario, int repetition) {
        clock.addAndGet(10_000_000_000L);
        taken.add(scenario.contender() + repetition);
        return Reading.of(Map.of("rate", scenario.at("clients") * repetition));
    }

    @Test
    void everyContenderIsFirstOnce() {
        Repetitions repetitions = repetitions(run(1), 3, 99);
        var first = new ArrayList<String>();
        for (int repetition = 1; repetition <= 3; repetition++) {
            first.add(repetitions.order(repetition).getFirst().contender());
        }
        assertEquals(Set.of("a", "b", "c"), Set.copyOf(first));
    }

    @Test
    void contendersOfOneConditionAreAdjacent() {
        List<Scenario> order = repetitions(run(1), 1, 99).order(1);
        assertEquals(
                List.of(10.0, 10.0, 10.0, 20.0, 20.0, 20.0),
                order.stream().map(scenario -> scenario.at("clients")).toList());
    }

    @Test
    void seedDecidesTheFirstContender() {
        var orders = new ArrayList<List<Scenario>>();
        for (long seed = 1; seed <= 8; seed++) {
            orders.add(repetitions(run(seed), 1, 99).order(1));
        }
        assertEquals(orders.getFirst(), repetitions(run(1), 1, 99).order(1));
        assertTrue(Set.copyOf(orders).size() > 1);
    }

    @Test
    void mediansHaveTheirSpread() throws LabException, InterruptedException {
        Samples samples = repetitions(run(1), 3, 999).measure(this::measureOnce, FINDINGS);
        assertEquals(
                List.of(new Point(10, 20, 10, 30), new Point(20, 40, 20, 60)),
                samples.line("a", "clients", "rate").points());
        assertEquals(18, samples.asList().size());
    }

    @Test
    void noRepetitionBeginsThatWouldExceedTheTimeBox() throws LabException, InterruptedException {
        Run run = run(1);
        repetitions(run, 5, 130).measure(this::measureOnce, FINDINGS);
        assertEquals(12, taken.size());
        assertTrue(printed().contains("time is up after 2 of 5 repetitions"), printed());
        run.finish();
    }

    @Test
    void firstRepetitionIgnoresTheTimeBox() throws LabException, InterruptedException {
        repetitions(run(1), 5, 1).measure(this::measureOnce, FINDINGS);
        assertEquals(6, taken.size());
    }

    @Test
    void contenderThatDiesIsLeftOutAndTheResultIsPartial()
            throws LabException, InterruptedException, IOException {
        Run run = run(1);
        Repetitions.Runner dying =
                (scenario, repetition) -> {
                    if (scenario.contender().equals("b") && repetition == 2) {
                        throw new LabException("b ended with status 137");
                    }
                    return measureOnce(scenario, repetition);
                };
        repetitions(run, 3, 999).measure(dying, FINDINGS);
        var failure = assertThrows(LabException.class, run::finish);
        assertEquals(
                "not all was measured: b at clients 10: b ended with status 137, and 1 more",
                failure.line());
        assertTrue(taken.contains("b1") && !taken.contains("b3"), taken.toString());
        String json = Files.readString(folder.resolve("result.json"));
        assertTrue(json.contains("\"complete\": false"), json);
    }

    @Test
    void saturatedGeneratorIsReported() throws LabException, InterruptedException {
        Run run = run(1);
        Repetitions.Runner busy = (_, _) -> new Reading(Map.of("rate", 1.0), 0.99);
        repetitions(run, 1, 999).measure(busy, FINDINGS);
        assertTrue(
                run.disturbances()
                        .sentences()
                        .toString()
                        .contains("0.99 of the load generator's processors"),
                run.disturbances().sentences()::toString);
    }

    @Test
    void twoParametersMakeAGrid() {
        var samples = new Samples();
        for (double x : new double[] {2, 1}) {
            for (double y : new double[] {5, 7}) {
                Scenario scenario = Scenario.of("a", "x", x).with("y", y);
                samples.add(scenario, 1, false, Reading.of(Map.of("f", 10 * x + y)));
            }
        }
        assertEquals(
                List.of(List.of(15.0, 25.0), List.of(17.0, 27.0)),
                samples.grid("a", "x", "y", "f"));
    }

    @Test
    void scenariosBecomeRowsAndBars() {
        var samples = new Samples();
        Scenario scenario = Scenario.of("a", "clients", 500);
        samples.add(scenario, 1, false, Reading.of(Map.of("rate", 1_000.0)));
        samples.add(scenario, 2, false, Reading.of(Map.of("rate", 3_000.0)));
        assertEquals(
                List.of("a at clients 500", "2,000 ± 12,706 (1,000–3,000)", "–"),
                samples.table("rate", "lost").rows().getLast());
        List<Point> bars = samples.bars("a", "rate", List.of(scenario, Scenario.of("b"))).points();
        assertEquals(new Point(0, 2_000, 1_000, 3_000), bars.getFirst());
        assertTrue(Double.isNaN(bars.getLast().y()), "not measured");
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
