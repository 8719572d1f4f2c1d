package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whole experiments with real targets and a load generator that does nothing.
class ExperimentTest {
    private static final TargetCommand ENDS_AT_ONCE =
            new TargetCommand(List.of("sh", "-c", "echo no; echo the port is taken; exit 7"));

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private Environment with(Toolbox tools, TargetCommand target) {
        return new Environment(
                tools, target, new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    private static Order shortest(Path out) {
        return new Order(
                Form.FULL,
                Map.of(
                        "tests", "hello,db",
                        "repetitions", "1",
                        "secs", "1",
                        "warm", "0",
                        "runs", "1",
                        "connections", "20"),
                Order.SEED,
                out,
                false);
    }

    static Stream<Experiment> withLoad() {
        return Stream.of(SpeedExperiment.EXPERIMENT, IdleExperiment.EXPERIMENT);
    }

    private void run(Experiment experiment, Path out, Environment environment) throws LabException {
        experiment.run(shortest(out), environment, false);
    }

    @ParameterizedTest
    @MethodSource("withLoad")
    void missingLoadGeneratorIsReportedWithARemedy(Experiment experiment, @TempDir Path folder)
            throws IOException {
        var environment = with(FakeTools.in(folder).box(), TargetMain.command());
        var failure = assertThrows(LabException.class, () -> run(experiment, folder, environment));
        assertEquals("needs wrk: apt-get install wrk", failure.line());
    }

    @Test
    void targetThatDoesNotStartIsReportedWithItsOutput(@TempDir Path folder) throws IOException {
        var tools = FakeTools.in(folder).with("wrk", FakeTools.WRK).box();
        var environment = with(tools, ENDS_AT_ONCE);
        var failure =
                assertThrows(
                        LabException.class,
                        () -> run(SpeedExperiment.EXPERIMENT, folder, environment));
        assertEquals(
                "not all was measured: hello, tandem: tandem ended with status 7:"
                        + " the port is taken, and 1 more",
                failure.line());
    }

    @Test
    void resultsAreKeptWithoutAnyResponse(@TempDir Path folder) throws IOException {
        var tools = FakeTools.in(folder).with("wrk", FakeTools.WRK_WITHOUT_RESPONSES).box();
        var environment = with(tools, TargetMain.command());
        assertThrows(
                LabException.class, () -> run(SpeedExperiment.EXPERIMENT, folder, environment));
        String json = Files.readString(folder.resolve("result.json"));
        assertTrue(
                json.contains("\"notMeasured\": \"wrk received no responses: unable to connect\""),
                json);
    }

    @Test
    void speedIsMeasuredWithoutNginx(@TempDir Path folder) throws IOException, LabException {
        var tools = FakeTools.in(folder).with("wrk", FakeTools.WRK).box();
        run(SpeedExperiment.EXPERIMENT, folder, with(tools, TargetMain.command()));
        String report = Files.readString(folder.resolve("result.md"));
        assertTrue(
                report.contains("| hello, tandem |")
                        && report.contains("| db, tandem    |")
                        && report.contains("- Not measured: needs nginx: apt-get install nginx"),
                report);
    }

    @Test
    void idleConnectionsAreCounted(@TempDir Path folder) throws IOException, LabException {
        var tools = FakeTools.in(folder).with("wrk", FakeTools.WRK).box();
        run(IdleExperiment.EXPERIMENT, folder, with(tools, TargetMain.command()));
        String json = Files.readString(folder.resolve("result.json"));
        // A hundred more are opened before the memory is read.
        assertTrue(
                json.contains("\"connections\": 20") && json.contains("\"stillOpen\": 120"), json);
    }

    @Test
    void invalidLauncherIsRejected(@TempDir Path folder) {
        var failure =
                assertThrows(
                        LabException.class,
                        () ->
                                StartExperiment.command(
                                        folder.resolve("none").toString(), TargetMain.command()));
        assertEquals("--tandem is not a program: " + folder.resolve("none"), failure.line());
    }

    @Test
    void startsAreTimedAndTheRunIsComplete(@TempDir Path folder) throws IOException, LabException {
        run(
                StartExperiment.EXPERIMENT,
                folder,
                with(FakeTools.in(folder).box(), TargetMain.command()));
        String json = Files.readString(folder.resolve("result.json"));
        assertTrue(json.contains("\"complete\": true"), json);
        assertTrue(json.contains("\"millis on all processors\": [\n"), json);
        assertTrue(Files.readString(folder.resolve("report.html")).contains("Start to first"));
        assertTrue(
                Files.readString(folder.resolve("how-starts-are-distributed.csv"))
                        .startsWith("series,start to first response (ms),"));
    }

    @Test
    void targetThatDiesDuringTheRunLeavesPartialResults(@TempDir Path folder) throws IOException {
        var experiment =
                procedure(
                        run -> {
                            run.keep(
                                    new Findings("Half", "?")
                                            .headline(new Headline("a", 1, "", null)));
                            throw new LabException("tandem ended with status 137");
                        });
        var environment = with(FakeTools.in(folder).box(), TargetMain.command());
        var failure = assertThrows(LabException.class, () -> run(experiment, folder, environment));
        assertEquals("tandem ended with status 137", failure.line());
        String json = Files.readString(folder.resolve("result.json"));
        assertTrue(
                json.contains("\"complete\": false")
                        && json.contains("\"partialBecause\": \"tandem ended with status 137\""),
                json);
        assertTrue(Files.readString(folder.resolve("report.html")).contains(">Partial<"));
    }

    @Test
    void keptResultsAreMarkedAsPartialUntilTheEnd(@TempDir Path folder)
            throws IOException, LabException {
        var experiment =
                procedure(
                        run -> {
                            run.keep(new Findings("Half", "?"));
                            assertTrue(read(folder).contains("\"complete\": false"));
                        });
        run(experiment, folder, with(FakeTools.in(folder).box(), TargetMain.command()));
        assertTrue(read(folder).contains("\"complete\": true"));
    }

    @Test
    void missingNeedIsReportedBeforeAnythingIsChanged(@TempDir Path folder) throws IOException {
        var terms = new Experiment.Terms(List.of(), List.of(Need.program("x9", "build it")), 1, 1);
        var experiment = new Experiment("x", "x", List.of(), terms, _ -> {});
        var environment = with(FakeTools.in(folder).box(), TargetMain.command());
        var failure = assertThrows(LabException.class, () -> run(experiment, folder, environment));
        assertEquals("needs x9: build it", failure.line());
    }

    @Test
    void tooFewDescriptorsAreReported(@TempDir Path folder) throws IOException {
        var need = Need.descriptors(Integer.MAX_VALUE - 1);
        var failure =
                assertThrows(LabException.class, () -> need.check(FakeTools.in(folder).box()));
        assertTrue(failure.line().endsWith("descriptors: raise the limit by ulimit -n"));
    }

    @Test
    void unknownExperimentIsReportedWithTheNearestName() {
        var failure = assertThrows(IllegalArgumentException.class, () -> Experiments.named("sped"));
        assertEquals(
                "unknown experiment 'sped'; did you mean speed? (tandem lab list shows all)",
                failure.getMessage());
        assertThrows(IllegalArgumentException.class, () -> Experiments.named("zzzzzzzzzz"));
    }

    @Test
    void quickFormTakesAtMostThreeMinutesAndSixWithShopsOrThePageCache() {
        Set<String> many = Set.of("dynamic", "secure", "specweb", "fleet", "page-cache");
        for (Experiment experiment : Experiments.all()) {
            int most = many.contains(experiment.name()) ? 360 : 180;
            assertTrue(experiment.seconds(Form.QUICK) <= most, experiment.name());
        }
    }

    private static Experiment procedure(Experiment.Procedure procedure) {
        var terms = new Experiment.Terms(List.of(), List.of(), 1, 1);
        return new Experiment("x", "x", List.of(), terms, procedure);
    }

    private static String read(Path folder) {
        try {
            return Files.readString(folder.resolve("result.json"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
