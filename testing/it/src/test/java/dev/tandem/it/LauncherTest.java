package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    private final LauncherSandbox sandbox;

    LauncherTest(@TempDir Path folder) throws IOException {
        sandbox = new LauncherSandbox(ROOT, folder.toRealPath());
    }

    @Test
    void brokenBuildShowsTheErrorAndTheLog() throws Exception {
        sandbox.mark("broken");
        var ended = start("--version");
        assertEquals(1, ended.status());
        assertTrue(ended.err().contains("[ERROR] module/A.java:[1,1] it is broken\n"), ended.err());
        assertTrue(
                ended.err()
                        .endsWith("all of it is in " + sandbox.project() + "/.tandem/build.log\n"),
                ended.err());
    }

    @Test
    void brokenBuildIsRepeated() throws Exception {
        sandbox.mark("broken");
        start("--version");
        sandbox.unmark("broken");
        assertEquals(0, start("--version").status());
    }

    @Test
    void missingMavenGivesInstructions() throws Exception {
        sandbox.removeMaven();
        var ended = start("--version");
        assertEquals(1, ended.status());
        assertTrue(
                ended.err()
                        .startsWith("tandem: needs Maven 3.8 or newer to build: apt-get install"),
                ended.err());
        assertEquals(1, ended.err().lines().count());
    }

    @Test
    void missingJdkGivesInstructions() throws Exception {
        var ended =
                sandbox.run(
                        sandbox.project(),
                        "sh",
                        "-c",
                        ". bin/find-jdk.sh; JDK_MIN=9999; jdk_find || jdk_missing");
        assertTrue(ended.out().startsWith("needs a JDK 9999 or newer (found only 25"), ended.out());
        assertEquals(1, ended.out().lines().count());
    }

    @Test
    void tooOldJdkIsIgnored() throws Exception {
        sandbox.jdk("24.0.2+12");
        var ended =
                sandbox.run(
                        sandbox.project(),
                        "sh",
                        "-c",
                        ". bin/find-jdk.sh; jdk_fits \"$JAVA_HOME\"");
        assertEquals(1, ended.status());
    }

    @Test
    void failedRehearsalCostsSpeedOnly() throws Exception {
        sandbox.mark("stumble");
        var ended = start("--version");
        assertEquals(0, ended.status());
        assertTrue(ended.err().contains("starts will be slower"), ended.err());
        assertTrue(!ended.out().contains("AOTCache"), ended.out());
        assertTrue(!ended.out().contains("Tier0"), ended.out());
        assertFalse(Files.exists(sandbox.project().resolve(".tandem/product.aot.new")));
    }

    /// A part of it would be an error of each start.
    @Test
    @EnabledOnOs(OS.LINUX)
    void launchFileThatCannotBeWrittenIsNotUsed() throws Exception {
        start("--version");
        Path launch = sandbox.project().resolve(".tandem/launch-product");
        String whole = Files.readString(launch);
        Files.delete(launch);
        Path full = launch.resolveSibling("launch-product.new");
        Files.createSymbolicLink(full, Path.of("/dev/full"));
        var ended = start("--version");
        assertEquals(1, ended.status());
        String message = "tandem: cannot write " + launch + ": is its file system full?\n";
        assertTrue(ended.err().endsWith(message), ended.err());
        assertFalse(Files.exists(launch));
        ended = start("--version");
        assertEquals(0, ended.status(), ended.err());
        assertEquals(whole, Files.readString(launch));
    }

    /// Without profiles from a cache, early compilation would compile what is not worth it.
    @Test
    void serverWithACacheCompilesTrainedMethodsEarly() throws Exception {
        var ended = start("--version");
        String flags =
                "<-XX:CompileThresholdScaling=5>\n<-XX:Tier0InvokeNotifyFreqLog=2>\n<-XX:AOTCache=";
        assertTrue(ended.out().contains(flags), ended.out());
    }

    @Test
    void firstStartBuilds() throws Exception {
        var ended = start("--version");
        assertEquals(List.of("maven", "rehearsal"), sandbox.calls());
        assertTrue(ended.err().startsWith("tandem: building"), ended.err());
    }

    @Test
    void laterStartsDoNotBuild() throws Exception {
        start("--version");
        var ended = start("--version");
        assertEquals(List.of("maven", "rehearsal"), sandbox.calls());
        assertEquals("", ended.err());
    }

    @Test
    void newerSourceIsBuilt() throws Exception {
        start("--version");
        LauncherSandbox.touch(sandbox.source());
        start("--version");
        assertEquals(List.of("maven", "rehearsal", "maven", "rehearsal"), sandbox.calls());
    }

    @Test
    void removedSourceIsDetected() throws Exception {
        start("--version");
        Files.delete(sandbox.source());
        Files.setLastModifiedTime(
                sandbox.source().getParent(), FileTime.from(Instant.now().plusSeconds(2)));
        start("--version");
        assertEquals(4, sandbox.calls().size());
    }

    @Test
    void anotherJdkIsRehearsedWithoutCompiling() throws Exception {
        start("--version");
        sandbox.jdk("25.0.2+10");
        start("--version");
        assertEquals(List.of("maven", "rehearsal", "rehearsal"), sandbox.calls());
    }

    @Test
    void sameJdkByAnotherNameIsNotRehearsedAgain() throws Exception {
        start("--version");
        Path link = sandbox.folder().resolve("default-jdk");
        Files.createSymbolicLink(link, sandbox.folder().resolve("jdk"));
        for (String home : List.of("$JAVA_HOME/", link.toString())) {
            String command = "JAVA_HOME=" + home + " ./tandem --version";
            var ended = sandbox.run(sandbox.project(), "sh", "-c", command);
            assertEquals(0, ended.status(), ended.err());
        }
        assertEquals(List.of("maven", "rehearsal"), sandbox.calls());
    }

    @Test
    void movedFolderIsRehearsedAgain() throws Exception {
        start("--version");
        Path moved = Files.move(sandbox.project(), sandbox.folder().resolve("moved"));
        var ended = sandbox.run(moved, "./tandem", "--version");
        assertEquals(List.of("maven", "rehearsal", "rehearsal"), sandbox.calls());
        assertTrue(ended.out().contains(moved + "/.tandem/lib/module.jar"), ended.out());
    }

    /// As with a package that root installs in /usr/lib and a service that an ordinary user starts.
    @Test
    void userWithoutWriteAccessStartsAnotherUsersInstallation() throws Exception {
        start("--version");
        Files.delete(sandbox.project().resolve(".tandem/launch-product"));
        var ended = sandbox.runUnprivileged("./tandem", "--version");
        assertEquals(0, ended.status(), ended.err());
        assertTrue(ended.out().contains("/.tandem/lib/module.jar"), ended.out());
        assertEquals(List.of("maven", "rehearsal"), sandbox.calls());
        LauncherSandbox.touch(sandbox.source());
        ended = sandbox.runUnprivileged("./tandem", "--version");
        assertEquals(1, ended.status(), ended.out());
        assertTrue(ended.err().contains("build once as a user who can"), ended.err());
    }

    @Test
    void theServerIsTheSameProcess() throws Exception {
        start("--version");
        var ended = start("--version");
        assertTrue(ended.out().startsWith("process=" + ended.process() + "\n"), ended.out());
    }

    @Test
    void argumentsArePassedUnchanged() throws Exception {
        var ended = start("serve", "a b", "*", "", "--listen=$HOME");
        assertTrue(
                ended.out()
                        .endsWith(
                                "<dev.tandem.cli.Main>\n"
                                        + "<serve>\n"
                                        + "<a b>\n"
                                        + "<*>\n"
                                        + "<>\n"
                                        + "<--listen=$HOME>\n"),
                ended.out());
    }

    @Test
    void optionsOfTheEnvironmentArePassedToTheJvm() throws Exception {
        var ended =
                LauncherSandbox.end(
                        sandbox.start(sandbox.project(), "-Xmx1g -Da=*", "./tandem", "--version"));
        assertTrue(ended.out().contains("<-Xmx1g>\n<-Da=*>\n"), ended.out());
    }

    /// Such as a port for JMX, which the server has: a reload failed, and so did the check before
    /// an upgrade.
    @ParameterizedTest
    @ValueSource(strings = {"reload", "drain", "explain", "check", "config", "trace"})
    void optionsOfTheServerAreNotPassedToCommandsThatRunNextToIt(String command) throws Exception {
        String both = "TANDEM_JAVA_OPTS=-Xmx2g ./tandem ";
        assertPassesOptions(both + command, false);
        assertPassesOptions(both + "serve " + command, true);
        String packaged = packaged();
        assertPassesOptions(packaged + command, false);
        assertPassesOptions(packaged + "serve " + command, true);
    }

    /// A long recording may need a larger heap.
    @Test
    void recordingIsReadWithTheOptionsOfTheEnvironment() throws Exception {
        assertPassesOptions("./tandem trace --read a.jfr", true);
        assertPassesOptions(packaged() + "trace --read a.jfr", true);
    }

    /// Returns a shell's words for the command of the package, with the runtime of the sandbox.
    private String packaged() throws IOException {
        Path packaged = sandbox.folder().resolve("packaged");
        String script = Files.readString(ROOT.resolve("app/packaging/container-tandem"));
        String java = "/usr/lib/tandem/runtime/bin/java";
        assertTrue(script.contains(java), script);
        Files.writeString(packaged, script.replace(java, "\"$JAVA_HOME/bin/java\""));
        return "sh " + packaged + " ";
    }

    private void assertPassesOptions(String command, boolean isExpected) throws Exception {
        Process process = sandbox.start(sandbox.project(), "-Xmx1g", "sh", "-c", command);
        var ended = LauncherSandbox.end(process);
        assertEquals(0, ended.status(), ended.err());
        assertTrue(ended.out().contains("<dev.tandem.cli.Main>"), ended.out());
        assertEquals(isExpected, ended.out().contains("<-Xmx"), ended.out());
    }

    @Test
    void launcherHasTheServersExitStatus() throws Exception {
        start("--version");
        Files.writeString(sandbox.folder().resolve("jdk/bin/java"), "#!/bin/sh\nexit 7\n");
        assertEquals(7, start("--version").status());
    }

    @Test
    void tooLowDescriptorLimitGivesInstructions() throws Exception {
        var ended = sandbox.run(sandbox.project(), "sh", "-c", "ulimit -n 63; ./tandem --version");
        assertEquals(1, ended.status());
        assertEquals(
                "tandem: needs at least 64 file descriptors, has 63: allow more where the limit"
                        + " was set, such as by ulimit -n 1024\n",
                ended.err());
        assertEquals(List.of(), sandbox.calls());
        ended = sandbox.run(sandbox.project(), "sh", "-c", "ulimit -n 64; ./tandem --version");
        assertEquals(0, ended.status(), ended.err());
    }

    @Test
    void launcherRunsThroughASymbolicLinkFromAnywhere() throws Exception {
        Path bin = Files.createDirectory(sandbox.folder().resolve("my bin"));
        Path direct = Files.createSymbolicLink(bin.resolve("direct"), sandbox.launcher());
        Path link = Files.createSymbolicLink(bin.resolve("link"), Path.of("direct"));
        assertEquals(0, sandbox.run(direct.getParent(), link.toString(), "--version").status());
        assertEquals(0, sandbox.run(bin, "./link", "--version").status());
        assertEquals(List.of("maven", "rehearsal"), sandbox.calls());
    }

    @Test
    void laboratoryIsBuiltOnFirstUse() throws Exception {
        start("--version");
        var ended = start("lab", "list");
        assertEquals(List.of("maven", "rehearsal", "maven", "rehearsal"), sandbox.calls());
        assertTrue(ended.err().startsWith("tandem: building the laboratory"), ended.err());
        String path = "/.tandem/laboratory/tandem-lab-commands-1.jar:";
        assertTrue(ended.out().contains(path), ended.out());
        assertTrue(ended.out().contains("/.tandem/lib/module.jar:"), ended.out());
        assertTrue(ended.out().contains("/.tandem/laboratory/shop.jar"), ended.out());
        assertFalse(ended.out().contains("/.tandem/laboratory/module.jar"), ended.out());
        assertTrue(Files.isDirectory(sandbox.project().resolve(".tandem/apps/auction")));
        assertEquals("", start("load", "http://127.0.0.1").err());
    }

    @Test
    void commandsWithServletsHaveACacheOfTheirOwn() throws Exception {
        start("--version");
        var ended = start("run", "shop.war");
        assertEquals(List.of("maven", "rehearsal", "rehearsal"), sandbox.calls());
        assertTrue(ended.out().contains("/.tandem/servlets.aot>"), ended.out());
        assertTrue(start("serve").out().contains("/.tandem/product.aot>"));
        start("run", "shop.war");
        assertEquals(List.of("maven", "rehearsal", "rehearsal"), sandbox.calls());
    }

    @Test
    void productHasNoFilesOfTheLaboratory() throws Exception {
        start("demo");
        for (String command : List.of("serve", "demo files", "--help")) {
            var ended = start(command.split(" "));
            assertFalse(ended.out().contains("laboratory"), ended.out());
        }
        assertEquals(List.of("maven", "rehearsal", "rehearsal"), sandbox.calls());
    }

    @Test
    void newerSourceOfTheLaboratoryBuildsThatAlone() throws Exception {
        start("lab");
        start("--version");
        LauncherSandbox.touch(sandbox.laboratorySource());
        assertEquals("", start("--version").err());
        assertTrue(start("lab").err().startsWith("tandem: building the laboratory"));
        assertEquals("", start("--version").err());
    }

    @Test
    void newerSourceOfTheProductBuildsBoth() throws Exception {
        start("lab");
        LauncherSandbox.touch(sandbox.source());
        assertTrue(start("--version").err().startsWith("tandem: building, with"));
        assertTrue(start("lab").err().startsWith("tandem: building the laboratory"));
    }

    @Test
    void secondConcurrentStartWaitsForTheBuild() throws Exception {
        sandbox.mark("wait");
        Process first = sandbox.start(sandbox.project(), "", "./tandem", "--version");
        awaitLine(first.errorReader(), "tandem: building");
        Process second = sandbox.start(sandbox.project(), "", "./tandem", "--version");
        awaitLine(second.errorReader(), "tandem: process " + first.pid() + " is building");
        sandbox.mark("go");
        assertEquals(0, LauncherSandbox.end(first).status());
        assertEquals(0, LauncherSandbox.end(second).status());
        assertEquals(List.of("maven", "rehearsal"), sandbox.calls());
    }

    @Test
    void lockOfAKilledBuildIsTakenOver() throws Exception {
        sandbox.mark("wait");
        Process first = sandbox.start(sandbox.project(), "", "./tandem", "--version");
        awaitLine(first.errorReader(), "tandem: building");
        first.destroyForcibly().waitFor();
        sandbox.mark("go");
        assertEquals(0, start("--version").status());
    }

    /// As in a container, where the launcher is process 1 again after it was killed.
    @Test
    void lockOfAKilledBuildWithTheSameProcessNumberIsTakenOver() throws Exception {
        String command = "mkdir .tandem; ln -s $$ .tandem/lock; exec ./tandem --version";
        var ended = sandbox.run(sandbox.project(), "sh", "-c", command);
        assertEquals(0, ended.status(), ended.err());
        assertFalse(ended.err().contains("waiting"), ended.err());
    }

    /// Else systemd takes the service for ready, and then for stopping.
    @Test
    void rehearsalReportsNothingToTheSupervisor() throws Exception {
        String command = "NOTIFY_SOCKET=/run/notify ./tandem --version";
        var ended = sandbox.run(sandbox.project(), "sh", "-c", command);
        assertTrue(ended.out().contains("\nsupervisor=/run/notify\n"), ended.out());
        assertEquals(List.of("maven", "rehearsal"), sandbox.calls());
    }

    private LauncherSandbox.Ended start(String... arguments) throws Exception {
        var command = new String[arguments.length + 1];
        command[0] = "./tandem";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        return sandbox.run(sandbox.project(), command);
    }

    private static void awaitLine(BufferedReader lines, String start) throws IOException {
        String line = lines.readLine();
        assertTrue(line != null && line.startsWith(start), "read " + line);
    }
}
