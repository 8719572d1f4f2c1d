package dev.tandem.lab;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A real run, with real servers and the real generator, as short as possible.
class StaticExperimentTest {
    private static final Map<String, String> SHORTEST =
            Map.ofEntries(
                    Map.entry("contenders", "tandem,multi-threaded"),
                    Map.entry("shares", "2"),
                    Map.entry("saturation", "50"),
                    Map.entry("files", "500"),
                    Map.entry("threads", "20"),
                    Map.entry("workers", "4"),
                    Map.entry("repetitions", "1"),
                    Map.entry("secs", "3"),
                    Map.entry("ramp", "0.2"),
                    Map.entry("warm", "0"));

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private void run(Map<String, String> chosen, Path out, TargetCommand target)
            throws LabException {
        var environment =
                new Environment(
                        Toolbox.ofProcess(),
                        target,
                        new PrintStream(printed, true, StandardCharsets.UTF_8));
        var order = new Order(Form.QUICK, chosen, Order.SEED, out, false);
        StaticExperiment.EXPERIMENT.run(order, environment, false);
    }

    @Test
    void staticExperimentWritesItsPage(@TempDir Path out) throws Exception {
        run(SHORTEST, out, TargetMain.command());
        Map<?, ?> result = map(JsonReader.read(Files.readString(out.resolve("result.json"))));
        assertEquals(true, result.get("complete"), String.valueOf(result.get("partialBecause")));
        List<?> measurements =
                (List<?>) requireNonNull(map(result.get("data")).get("measurements"));
        assertEquals(2, measurements.size());
        for (Object measurement : measurements) {
            assertEquals(100.0, map(measurement).get(Sweep.RATE));
            // 100 sessions per second have some 600 requests; some are not due within the time, and
            // a busy machine is slow with a server that has just started.
            double replies = (Double) requireNonNull(map(measurement).get(AppliedLoad.REPLIES));
            assertTrue(replies > 5 && replies < 1_500, String.valueOf(measurement));
        }
        String page = Files.readString(out.resolve("report.html"));
        assertTrue(page.contains("Connections closed by time-out"));
        assertTrue(Files.exists(out.resolve("throughput.csv")));
    }

    private static Map<?, ?> map(@Nullable Object json) {
        return (Map<?, ?>) requireNonNull(json);
    }

    @Test
    void targetThatDoesNotStartLeavesAGapForEachScenario(@TempDir Path out) {
        var broken = new TargetCommand(List.of("sh", "-c", "echo the port is taken; exit 7"));
        var failure = assertThrows(LabException.class, () -> run(SHORTEST, out, broken));
        assertTrue(failure.line().contains("the port is taken"), failure.line());
    }

    @Test
    void wrongSettingIsReportedByName(@TempDir Path out) {
        var chosen = new HashMap<>(SHORTEST);
        chosen.put("shares", "0.5,x");
        var exception =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> run(chosen, out, TargetMain.command()));
        assertEquals("--shares must be 0.01..10, was 'x'", exception.getMessage());
    }
}
