package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CgiProgramTest {
    @ParameterizedTest
    @ValueSource(strings = {"perl", "sh"})
    void programPrintsHelloWithAHead(String language, @TempDir Path root) throws Exception {
        Toolbox tools = Toolbox.ofProcess();
        Assumptions.assumeTrue(tools.find(language) != null, "needs " + language);
        CgiProgram.write(root, language, tools);
        assertEquals(
                "Content-Type: text/plain\r\n\r\nHello, World!",
                Toolbox.output(10, List.of(root.resolve("cgi-bin/hello").toString())));
    }

    @Test
    void missingLanguageIsReported(@TempDir Path root) {
        var failure =
                assertThrows(
                        LabException.class,
                        () -> CgiProgram.write(root, "perl", new Toolbox(List.of())));
        assertEquals("needs perl: choose another by --script, or install it", failure.line());
    }

    @Test
    void targetIsCheckedForCgiSupport(@TempDir Path folder) throws Exception {
        assertTrue(CgiProgram.canBeRun(saying(folder, "--root DIR, --cgi DIR")));
        assertFalse(CgiProgram.canBeRun(saying(folder, "--root DIR")));
    }

    private static Environment saying(Path folder, String help) throws IOException {
        FakeTools tools = FakeTools.in(folder).with("target", "#!/bin/sh\necho '" + help + "'\n");
        var target = new TargetCommand(List.of(folder.resolve("target").toString()));
        return new Environment(
                tools.box(), target, new PrintStream(OutputStream.nullOutputStream()));
    }

    @Test
    void tandemGetsTheFolderOfProgramsIfThereIsOne(@TempDir Path root) throws Exception {
        var environment = saying(Files.createDirectories(root.resolve("tools")), "");
        var plan = RivalPlan.of(root, root, RivalSettings.DEFAULT);
        assertFalse(OwnRival.TANDEM.command(plan, environment).contains("--cgi"));
        Path programs = Files.createDirectories(root.resolve("cgi-bin"));
        List<String> command = OwnRival.TANDEM.command(plan, environment);
        assertEquals(programs.toString(), command.get(command.indexOf("--cgi") + 1));
    }
}
