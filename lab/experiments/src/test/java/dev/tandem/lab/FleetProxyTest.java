package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.lab.FleetProxy.Line;
import dev.tandem.lab.FleetProxy.Way;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FleetProxyTest {
    private static Line line(String text) {
        return Objects.requireNonNull(Line.parse(text));
    }

    @Test
    void haproxyAcceptsTheConfigurationOfEveryWay(@TempDir Path folder) throws Exception {
        Path haproxy = Toolbox.ofProcess().find("haproxy");
        Assumptions.assumeTrue(haproxy != null, "needs haproxy");
        var ports = new LinkedHashMap<Way, Integer>();
        for (Way way : Way.values()) {
            ports.put(way, 20_000 + way.ordinal());
        }
        List<FleetInstance.Ports> plain =
                List.of(new FleetInstance.Ports(1, 2, 3), new FleetInstance.Ports(4, 5, 6));
        String text = FleetProxy.configuration(folder.resolve("s"), ports, plain, List.of(7, 8));
        Path file = Files.writeString(folder.resolve("haproxy.cfg"), text);
        Process check =
                new ProcessBuilder(String.valueOf(haproxy), "-c", "-f", file.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(check.getInputStream().readAllBytes());
        assertEquals(0, check.waitFor(), said);
    }

    @Test
    void responseEndsAfterItsIdleTimeAndItsOwn() {
        Line line = line("1795619558.469 460 13 2 agent s3 200 ---- 0");
        assertEquals(1_795_619_558_469L + 460 + 13, line.at());
        assertEquals(13, line.millis());
        assertEquals("s3", line.server());
        assertTrue(line.isGood());
        assertFalse(line.isRepeated());
        assertTrue(line("1795619558.469 460 13 2 agent s3 200 ---- +1").isRepeated());
    }

    @Test
    void balancersOwnResponseHasNoServer() {
        Line line = line("1795619558.469 -1 2000 2000 agent <NOSRV> 503 sQ-- 0");
        assertEquals("", line.server());
        assertFalse(line.isGood());
        assertEquals("1x 503 sQ-- balancer", FleetLoad.causes(List.of(line)));
    }

    @Test
    void otherLinesOfTheLogAreNoResponses() {
        assertNull(Line.parse("[WARNING] Server agent/s1 is DOWN"));
        assertNull(Line.parse("tcp 4 s1"));
        assertNull(Line.parse("1795619558.469 460 x 0 agent s3 200 ---- 0"));
        assertNotNull(Line.parse("1795619558.469 460 +13 0 agent s3 200 ---- 0"));
    }

    @Test
    void shareAndQuantileAreOfGoodResponses() {
        List<Line> lines =
                List.of(
                        line("1.000 0 10 0 agent s1 200 ---- 0"),
                        line("1.000 0 30 0 agent s2 404 ---- 0"),
                        line("1.000 0 20 0 agent s2 200 ---- 0"),
                        line("1.000 0 900 0 agent s2 503 ---- 0"));
        assertEquals(2.0 / 3, FleetLoad.share(lines, "s2"), 1e-9);
        assertEquals(30, FleetLoad.millis(lines, 0.99));
        assertEquals(20, FleetLoad.millis(lines, 0.5));
        assertTrue(Double.isNaN(FleetLoad.millis(List.of(), 0.5)));
    }
}
