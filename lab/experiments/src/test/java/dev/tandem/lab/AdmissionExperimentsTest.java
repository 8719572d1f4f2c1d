package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One whole experiment, as short as possible, with a real target and the real generator.
class AdmissionExperimentsTest {

    @Test
    void overloadWritesItsFigures(@TempDir Path folder) throws Exception {
        var silent = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        var environment = new Environment(Toolbox.ofProcess(), TargetMain.command(), silent);
        Map<String, String> chosen =
                Map.of(
                        "routes", "block", "times", "0.2", "secs", "1", "warm", "0", "against",
                        "none");
        Experiments.named("overload")
                .run(new Order(Form.QUICK, chosen, 1, folder, false, true), environment, false);
        String result = Files.readString(folder.resolve("result.json"));
        assertTrue(result.contains("\"complete\": true"), result);
        assertTrue(result.contains("\"title\": \"States over time: tandem, block at"), result);
        String page = Files.readString(folder.resolve("report.html"));
        assertTrue(page.contains("Share of states: tandem, block at"), "no shares");
        assertTrue(page.contains("class=\"state\""), "no states are drawn");
        assertTrue(result.contains("\"time-outs at 0.2 times capacity, block\""), result);
    }

    @Test
    void sessionsAreComparedOverHttp2(@TempDir Path folder) throws Exception {
        var silent = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        var environment = new Environment(Toolbox.ofProcess(), TargetMain.command(), silent);
        Map<String, String> chosen =
                Map.of(
                        "calls", "2", "think", "0.01", "times", "0.2", "secs", "1", "warm", "0",
                        "against", "none", "http2", "yes");
        Experiments.named("sessions")
                .run(new Order(Form.QUICK, chosen, 1, folder, false, false), environment, false);
        String result = Files.readString(folder.resolve("result.json"));
        assertTrue(result.contains("\"complete\": true"), result);
        assertTrue(result.contains("fewer completed sessions over HTTP/2"), result);
        assertTrue(result.contains("\"tandem over HTTP/2\""), result);
    }

    @Test
    void anExperimentWithoutTandemInRoundsSaysThatItWasNotRecorded(@TempDir Path folder) {
        var silent = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        var environment = new Environment(Toolbox.ofProcess(), TargetMain.command(), silent);
        var terms = new Experiment.Terms(List.of(), List.of(), 1, 1);
        var experiment = new Experiment("none", "", List.of(), terms, _ -> {});
        var order = new Order(Form.QUICK, Map.of(), 1, folder, false, true);
        var failure =
                assertThrows(LabException.class, () -> experiment.run(order, environment, false));
        assertTrue(failure.line().contains("no trace: none starts no Tandem"), failure.line());
    }

    /// The command line has these options for all experiments.
    @Test
    void noSettingHidesAnOptionOfEveryRun() {
        for (Experiment experiment : Experiments.all()) {
            for (Setting setting : experiment.settings()) {
                assertFalse(
                        Set.of("quick", "full", "out", "seed", "png", "trace")
                                .contains(setting.name()),
                        experiment.name() + " --" + setting.name());
            }
        }
    }

    @Test
    void clientsGetResponsesOfARealServer() throws Exception {
        var silent = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        var environment = new Environment(Toolbox.ofProcess(), TargetMain.command(), silent);
        var timing = new AdmissionLoad.Timing(0, 1.5);
        try (WorkFolder workFolder = WorkFolder.make();
                RunningRival server =
                        OwnRival.TANDEM.start(
                                RivalPlan.of(
                                        workFolder.root(),
                                        workFolder.folder(),
                                        RivalSettings.DEFAULT),
                                environment)) {
            AdmissionLoad.Result measurement =
                    AdmissionLoad.once("/block?ms=20").open(server, 40, timing, 1);
            assertTrue(
                    measurement.tally().good(AdmissionLoad.GOOD_SECONDS) > 0, "no response at all");
            assertEquals(measurement.tally().good(60), measurement.tally().completed());
            assertEquals(0, measurement.tally().wrong());
            assertTrue(measurement.tally().millis(0.01) >= 20, "quicker than its sleep");
            AdmissionLoad.Result http2 =
                    AdmissionLoad.once("/block?ms=20").overHttp2().open(server, 40, timing, 1);
            assertTrue(http2.tally().completed() > 0, "no response over HTTP/2");
            assertEquals(0, http2.report().errorCount());
            AdmissionLoad.Result none = AdmissionLoad.once("/none").open(server, 40, timing, 1);
            assertTrue(none.tally().wrong() > 0, "a 404 was counted as completed");
            assertEquals(0, none.tally().good(60));
        }
    }
}
