package dev.tandem.lab;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A real run over few pages.
class PageSpeedExperimentTest {

    @Test
    void allMethodsAreMeasured(@TempDir Path out) throws Exception {
        var environment =
                new Environment(
                        Toolbox.ofProcess(),
                        TargetMain.command(),
                        new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
        var chosen = Map.of("pages", "200", "repetitions", "1");
        var order = new Order(Form.QUICK, chosen, Order.SEED, out, false);
        PageSpeedExperiment.EXPERIMENT.run(order, environment, false);
        Map<?, ?> result =
                (Map<?, ?>) JsonReader.read(Files.readString(out.resolve("result.json")));
        assertEquals(true, requireNonNull(result).get("complete"));
        List<?> lines = (List<?>) requireNonNull(result.get("headline"));
        assertEquals(3, lines.size());
        for (Object line : lines) {
            // All were measured: none is null, which stands for an unknown value.
            double value = (Double) requireNonNull(((Map<?, ?>) line).get("value"));
            assertTrue(value > 0 && Double.isFinite(value), () -> String.valueOf(line));
        }
    }
}
