package dev.tandem.lab;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsExperimentTest {
    private static final Map<String, String> SHORTEST =
            Map.ofEntries(
                    Map.entry("contenders", "tandem"),
                    Map.entry("shares", "1"),
                    Map.entry("afresh-shares", "1"),
                    Map.entry("two-shares", "1"),
                    Map.entry("saturation", "20"),
                    Map.entry("key", "ec"),
                    Map.entry("files", "500"),
                    Map.entry("workers", "4"),
                    Map.entry("repetitions", "1"),
                    Map.entry("secs", "0.5"),
                    Map.entry("ramp", "0.1"),
                    Map.entry("warm", "0"));

    /// A real run, with real servers and the real generator, as short as possible.
    @Test
    void everyConditionIsMeasuredOverTls(@TempDir Path out) throws Exception {
        var print = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        var environment = new Environment(Toolbox.ofProcess(), TargetMain.command(), print);
        var order = new Order(Form.QUICK, SHORTEST, Order.SEED, out, false);
        TlsExperiment.EXPERIMENT.run(order, environment, false);
        Map<?, ?> result = map(JsonReader.read(Files.readString(out.resolve("result.json"))));
        assertEquals(true, result.get("complete"), String.valueOf(result.get("partialBecause")));
        var names = new ArrayList<Object>();
        double handshakes = 0;
        for (Object measurement :
                (List<?>) requireNonNull(map(result.get("data")).get("measurements"))) {
            names.add(map(measurement).get("contender"));
            handshakes += (Double) requireNonNull(map(measurement).get(AppliedLoad.FULL));
        }
        assertEquals(6, names.size(), names.toString());
        assertTrue(names.contains("tandem, no reuse"), names.toString());
        assertTrue(names.contains("tandem, two processors"), names.toString());
        assertTrue(handshakes > 0, "no handshakes");
    }

    private static Map<?, ?> map(@Nullable Object json) {
        return (Map<?, ?>) requireNonNull(json);
    }

    // ---- Findings.

    private final Samples samples = new Samples();

    private void add(String name, double rate, double replies, double full) {
        var figures = new LinkedHashMap<String, Double>();
        figures.put(AppliedLoad.REPLIES, replies);
        figures.put(AppliedLoad.SESSIONS, replies / 6);
        figures.put(AppliedLoad.FULL, full);
        figures.put(AppliedLoad.RESUMED, full);
        samples.add(Scenario.of(name, Sweep.RATE, rate), 1, false, new Reading(figures, 0.5));
    }

    @Test
    void tlsIsJudgedAtTheHighestRate() {
        var names = List.of("tandem", "multi-threaded");
        add("tandem", 100, 600, 100);
        add("multi-threaded", 100, 600, 100);
        add("tandem", 150, 900, 150);
        add("multi-threaded", 150, 300, 150);
        List<Headline> lines = new TlsFindings(names, 100, "").headlines(samples);
        assertEquals(
                "throughput at 1.50 times saturation, share of the multi-threaded rival's",
                lines.getFirst().name());
        assertEquals(3, lines.getFirst().value(), 1e-9);
        assertEquals(2, lines.get(2).value(), 1e-9);
        assertEquals(6, lines.get(3).value(), 1e-9);
    }

    @Test
    void withoutMeasurementsNoGoalIsReached() {
        List<Headline> lines = new TlsFindings(List.of("tandem"), 100, "").headlines(samples);
        assertEquals("not measured", lines.getFirst().verdict());
    }
}
