package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whole experiments with real targets and a load generator that loads nothing.
class ExperimentTest {
    private static final TargetCommand ENDS_AT_ONCE =
            new TargetCommand(List.of("sh", "-c", "echo no; echo the port is taken; exit 7"));

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private Surroundings with(Toolbox tools, TargetCommand target) {
        return new Surroundings(
                tools, target, new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    private static Settings settings(Experiment experiment, Map<String, String> chosen) {
        return new Settings(
                name ->
                        chosen.getOrDefault(
                                name,
                                experiment.settings().stream()
                                        .filter(setting -> setting.name().equals(name))
                                        .findFirst()
                                        .orElseThrow()
                                        .fallback()));
    }

    private static Settings shortest(Experiment experiment, Path out) {
        return settings(
                experiment,
                Map.of(
                        "out", out.toString(),
                        "tests", "hello,db",
                        "rounds", "1",
                        "secs", "1",
                        "warm", "0",
                        "runs", "1",
                        "connections", "20"));
    }

    static Stream<Experiment> withLoad() {
        return Stream.of(SpeedExperiment.EXPERIMENT, IdleExperiment.EXPERIMENT);
    }

    private void run(Experiment experiment, Settings settings, Surroundings around)
            throws LabException, InterruptedException {
        switch (experiment.name()) {
            case "speed" -> SpeedExperiment.run(settings, around);
            case "idle" -> IdleExperiment.run(settings, around);
            default -> StartExperiment.run(settings, around);
        }
    }

    @ParameterizedTest
    @MethodSource("withLoad")
    void missingLoadGeneratorIsToldWithTheWayOut(Experiment experiment, @TempDir Path folder)
            throws IOException {
        var around = with(FakeTools.in(folder).box(), TargetMain.command());
        var failure =
                assertThrows(
                        LabException.class,
                        () -> run(experiment, shortest(experiment, folder), around));
        assertEquals("needs wrk: apt-get install wrk", failure.line());
    }

    @Test
    void targetThatDoesNotStartIsToldWithItsLastWords(@TempDir Path folder) throws IOException {
        var tools = FakeTools.in(folder).with("wrk", FakeTools.WRK).box();
        var around = with(tools, ENDS_AT_ONCE);
        var settings = shortest(SpeedExperiment.EXPERIMENT, folder);
        var failure = assertThrows(LabException.class, () -> SpeedExperiment.run(settings, around));
        assertEquals(
                "not all was measured: hello, tandem: tandem ended with status 7:"
                        + " the port is taken",
                failure.line());
    }

    @Test
    void resultsAreKeptThoughNothingIsAnswered(@TempDir Path folder) throws IOException {
        var tools = FakeTools.in(folder).with("wrk", FakeTools.WRK_WITHOUT_ANSWERS).box();
        var around = with(tools, TargetMain.command());
        var settings = shortest(SpeedExperiment.EXPERIMENT, folder);
        assertThrows(LabException.class, () -> SpeedExperiment.run(settings, around));
        String json = Files.readString(folder.resolve("result.json"));
        assertTrue(
                json.contains("\"notMeasured\": \"wrk got no answers: unable to connect\""), json);
    }

    @Test
    void speedIsMeasuredWithoutNginxToo(@TempDir Path folder)
            throws IOException, LabException, InterruptedException {
        var tools = FakeTools.in(folder).with("wrk", FakeTools.WRK).box();
        SpeedExperiment.run(
                shortest(SpeedExperiment.EXPERIMENT, folder), with(tools, TargetMain.command()));
        String report = Files.readString(folder.resolve("result.md"));
        assertTrue(
                report.contains("| hello, tandem |")
                        && report.contains("| db, tandem    |")
                        && report.contains("- Not measured: needs nginx: apt-get install nginx"),
                report);
    }

    @Test
    void idleConnectionsAreCounted(@TempDir Path folder)
            throws IOException, LabException, InterruptedException {
        var tools = FakeTools.in(folder).with("wrk", FakeTools.WRK).box();
        IdleExperiment.run(
                shortest(IdleExperiment.EXPERIMENT, folder), with(tools, TargetMain.command()));
        String json = Files.readString(folder.resolve("result.json"));
        assertTrue(
                json.contains("\"connections\": 20") && json.contains("\"stillOpen\": 20"), json);
    }

    @Test
    void startsAreTimed(@TempDir Path folder)
            throws IOException, LabException, InterruptedException {
        StartExperiment.run(
                shortest(StartExperiment.EXPERIMENT, folder),
                with(FakeTools.in(folder).box(), TargetMain.command()));
        String json = Files.readString(folder.resolve("result.json"));
        assertTrue(json.contains("\"millis on all processors\": [\n"), json);
    }

    @Test
    void launcherThatIsNoneIsRefused(@TempDir Path folder) {
        var failure =
                assertThrows(
                        LabException.class,
                        () ->
                                StartExperiment.command(
                                        folder.resolve("none").toString(), TargetMain.command()));
        assertEquals("--tandem names no program: " + folder.resolve("none"), failure.line());
    }
}
