package dev.tandem.lab;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StormExperimentTest {
    private static final Map<String, String> SHORTEST =
            Map.of(
                    "against",
                    "none",
                    "repetitions",
                    "1",
                    "secs",
                    "1.5",
                    "ramp",
                    "0.2",
                    "warm",
                    "1.5",
                    "storm",
                    "1",
                    "key",
                    "ec");

    /// A real run, with a real server and the real generator, as short as possible.
    @Test
    void establishedAndNewClientsAreServed(@TempDir Path out) throws Exception {
        var print = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        var environment = new Environment(Toolbox.ofProcess(), TargetMain.command(), print);
        var order = new Order(Form.QUICK, SHORTEST, Order.SEED, out, false);
        StormExperiment.EXPERIMENT.run(order, environment, false);
        Map<?, ?> result = map(JsonReader.read(Files.readString(out.resolve("result.json"))));
        List<?> measurements =
                (List<?>) requireNonNull(map(result.get("data")).get("measurements"));
        assertEquals(2, measurements.size(), measurements.toString());
        for (Object measurement : measurements) {
            assertTrue(
                    number(measurement, "live sessions' requests/s") > 0, measurements.toString());
            assertEquals(0, number(measurement, "live sessions' errors"), measurements.toString());
        }
        Object stormy = measurements.getLast();
        assertTrue(number(stormy, "new clients/s") > 0, measurements.toString());
        // On a busy machine this time may be too short for a new client's response: the
        // experiment itself calls such a measurement disturbed.
        if (Boolean.FALSE.equals(map(stormy).get("disturbed"))) {
            assertTrue(number(stormy, "new clients served/s") > 0, measurements.toString());
            assertTrue(number(stormy, "new clients' handshakes/s") > 0, measurements.toString());
        }
    }

    private static double number(@Nullable Object measurement, String figure) {
        return ((Number) requireNonNull(map(measurement).get(figure))).doubleValue();
    }

    private static Map<?, ?> map(@Nullable Object json) {
        return (Map<?, ?>) requireNonNull(json);
    }
}
