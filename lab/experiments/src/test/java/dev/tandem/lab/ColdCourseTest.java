package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.lab.ColdCourse.Second;
import dev.tandem.lab.ColdExperiment.Row;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ColdCourseTest {
    private static final ColdCourse COURSE =
            new ColdCourse(
                    200,
                    List.of(
                            new Second(20, 1, 0),
                            new Second(50, 0.5, 3),
                            new Second(80, 1, 0),
                            new Second(91, 1, 0),
                            new Second(90, 1, 0),
                            new Second(110, 1, 0)));

    @Test
    void servletsAreComparedWithServlets_andHandlersWithAll(@TempDir Path folder) {
        var built = new BuiltRivals(folder);
        Rival tomcat = JavaRival.tomcat(false, built);
        assertTrue(Row.SERVLET_DATABASE.isOf(tomcat) && Row.DATABASE.isOf(tomcat));
        Rival helidon = JavaRival.helidon(built);
        assertTrue(Row.DATABASE.isOf(helidon) && !Row.SERVLET.isOf(helidon));
        assertFalse(Row.TLS_FULL.isOf(helidon));
        Rival netty = JavaRival.netty(built);
        assertTrue(Row.HELLO.isOf(netty) && !Row.FILE.isOf(netty) && !Row.SERVLET.isOf(netty));
        Rival nginx = new NginxRival();
        assertTrue(Row.FILE.isOf(nginx) && Row.TLS_RESUMED.isOf(nginx));
        assertFalse(Row.DATABASE.isOf(nginx));
    }

    @Test
    void sharesAreOfTheMedianOfTheLastThird() {
        Map<String, Double> figures = COURSE.figures();
        assertEquals(100, figures.get(ColdCourse.STEADY));
        assertEquals(0.2, figures.get(ColdCourse.FIRST_SHARE));
        assertEquals(0.8, figures.get(ColdCourse.THIRD_SHARE));
        assertEquals(150, figures.get(ColdCourse.THREE));
        assertEquals(Double.NaN, figures.get(ColdCourse.TEN));
        assertEquals(3, figures.get(ColdCourse.ERRORS));
    }

    @Test
    void cpuUntilWarmEndsBeforeTheFirstSecondWithinATenth() {
        assertEquals(2.5, COURSE.cpuUntilWarm());
    }

    /// A real start under a real load, as short as possible.
    @Test
    void startedServerIsMeasured(@TempDir Path out) throws Exception {
        Toolbox tools = Toolbox.ofProcess();
        Assumptions.assumeTrue(tools.find("wrk") != null, "needs wrk: " + Wrk.WAY_OUT);
        var print = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        var environment = new Environment(tools, TargetMain.command(), print);
        var shortest = Map.of("against", "none", "rows", "hello", "secs", "3");
        var order = new Order(Form.QUICK, shortest, Order.SEED, out, false);
        ColdExperiment.EXPERIMENT.run(order, environment, false);
        String result = Files.readString(out.resolve("result.json"));
        assertTrue(result.contains("hello: share in the first second"), result);
        assertTrue(result.contains("\"complete\":true") || result.contains("\"complete\": true"));
    }
}
