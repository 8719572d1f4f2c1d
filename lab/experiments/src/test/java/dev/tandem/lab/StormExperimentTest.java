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
                    "against", "none", "rounds", "1", "secs", "0.5", "ramp", "0.2", "warm", "0.4",
                    "storm", "1", "key", "ec");

    /// A real run, with a real server and the real generator, as short as one can be.
    @Test
    void insidersAskWhileNewcomersShakeHandsAndAsk(@TempDir Path out) throws Exception {
        var print = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        var around = new Surroundings(Toolbox.ofProcess(), TargetMain.command(), print);
        var order = new Order(Form.QUICK, SHORTEST, Order.SEED, out, false);
        StormExperiment.EXPERIMENT.run(order, around, false);
        Map<?, ?> result = map(JsonReader.read(Files.readString(out.resolve("result.json"))));
        List<?> takes = (List<?>) requireNonNull(map(result.get("data")).get("takes"));
        assertEquals(2, takes.size(), takes.toString());
        for (Object take : takes) {
            assertTrue(number(take, "requests/s inside") > 0, takes.toString());
            assertEquals(0, number(take, "errors inside"), takes.toString());
        }
        Object stormy = takes.getLast();
        assertTrue(number(stormy, "newcomers answered/s") > 0, takes.toString());
        assertTrue(number(stormy, "newcomers' handshakes/s") > 0, takes.toString());
    }

    private static double number(@Nullable Object take, String figure) {
        return ((Number) requireNonNull(map(take).get(figure))).doubleValue();
    }

    private static Map<?, ?> map(@Nullable Object json) {
        return (Map<?, ?>) requireNonNull(json);
    }
}
