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
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProxyExperimentTest {
    private static final Map<String, String> SHORTEST =
            Map.of(
                    "repetitions",
                    "1",
                    "secs",
                    "1",
                    "warm",
                    "0",
                    "clients",
                    "80",
                    "connections",
                    "100");

    /// A real run, with real proxies, upstreams and clients, as short as possible. Without nginx
    /// only Tandem is measured.
    @Test
    void proxiesForwardAndKeepConnections(@TempDir Path out) throws Exception {
        Toolbox tools = Toolbox.ofProcess();
        Assumptions.assumeTrue(tools.find("wrk") != null, "needs wrk: " + Wrk.WAY_OUT);
        var print = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        var environment = new Environment(tools, TargetMain.command(), print);
        var order = new Order(Form.QUICK, SHORTEST, Order.SEED, out, false);
        ProxyExperiment.EXPERIMENT.run(order, environment, false);
        Map<?, ?> result = map(JsonReader.read(Files.readString(out.resolve("result.json"))));
        assertEquals(true, result.get("complete"));
        Map<?, ?> data = map(result.get("data"));
        int servers = tools.find("nginx") == null ? 1 : 2;
        List<?> measurements = (List<?>) requireNonNull(data.get("measurements"));
        assertEquals(3 * servers, measurements.size(), measurements.toString());
        for (Object measurement : measurements) {
            assertTrue(number(measurement, "requests/s") > 0, measurements.toString());
            assertEquals(0, number(measurement, "failed"), measurements.toString());
            assertTrue(number(measurement, "threads") > 0, measurements.toString());
        }
        // One was open before the reading that the others are compared with.
        assertEquals(99, number(data.get("idle"), "connections"));
        String page = Files.readString(out.resolve("report.html"));
        assertTrue(page.contains("heap per idle upstream connection"), "no heap");
    }

    private static double number(@Nullable Object object, String figure) {
        return ((Number) requireNonNull(map(object).get(figure))).doubleValue();
    }

    private static Map<?, ?> map(@Nullable Object json) {
        return (Map<?, ?>) requireNonNull(json);
    }
}
