package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AppRivalTest {
    private static final Environment AROUND =
            new Environment(
                    Toolbox.ofProcess(),
                    new TargetCommand(List.of("java", "-cp", "x.jar", "Main")),
                    new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));

    private static List<String> command(Rival like, Path app) throws LabException {
        RivalPlan plan = RivalPlan.of(app, app, RivalSettings.DEFAULT);
        return new AppRival(like, List.of("-Da=b")).command(plan, AROUND);
    }

    @Test
    void tandemRunsTheApplicationAsUsersDo(@TempDir Path app) throws Exception {
        List<String> command = command(OwnRival.TANDEM, app);
        assertEquals(List.of("java", "-Da=b", "-cp"), command.subList(0, 3));
        assertEquals(List.of("run", app.toString()), command.subList(5, 7));
    }

    @Test
    void fixedWorkersArePassedOn(@TempDir Path app) throws Exception {
        RivalSettings fixed = RivalSettings.DEFAULT.withThreads(16).withFixed(true);
        List<String> command =
                new AppRival(OwnRival.TANDEM, List.of())
                        .command(RivalPlan.of(app, app, fixed), AROUND);
        assertEquals("16", command.get(command.indexOf("--workers") + 1));
    }

    @Test
    void commandBeginsWithItsPrefix(@TempDir Path app) throws Exception {
        List<String> command =
                new AppRival(OwnRival.TANDEM, List.of("-Da=b"), List.of("enter", "group"))
                        .command(RivalPlan.of(app, app, RivalSettings.DEFAULT), AROUND);
        assertEquals(List.of("enter", "group", "java", "-Da=b", "-cp"), command.subList(0, 5));
    }

    @Test
    void multiThreadedRivalRunsTheApplicationUnderCatalina(@TempDir Path app) throws Exception {
        List<String> command = command(OwnRival.MULTI_THREADED, app);
        assertEquals("-Da=b", command.get(1));
        assertEquals("--app", command.getLast());
        assertTrue(command.contains("multi-threaded"), command.toString());
    }

    @Test
    void applicationThatIsNotBuiltIsReportedAsMissing() {
        var failure =
                org.junit.jupiter.api.Assertions.assertThrows(
                        LabException.class, () -> Apps.folder("no-such-app"));
        assertTrue(failure.line().contains("start by ./tandem"), failure.line());
    }
}
