package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.load.Arrivals;
import dev.tandem.load.Call;
import dev.tandem.load.Load;
import dev.tandem.load.LoadReport;
import dev.tandem.load.Repeat;
import dev.tandem.load.Workload;
import dev.tandem.testkit.Patience;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The real servers, where they are installed; the others are skipped, with a message on what they
/// need.
class RivalsTest {
    /// Surefire runs in the module's folder.
    private static final BuiltRivals BUILT =
            new BuiltRivals(Path.of("../..").toAbsolutePath().normalize());

    /// A machine that stalls for a second lets a connection expire before its first request.
    private static final int TRIES = 5;

    private final WorkFolder workFolder;
    private final Environment environment =
            environment(Toolbox.ofProcess(), OutputStream.nullOutputStream());

    RivalsTest() throws IOException, LabException {
        workFolder = WorkFolder.make();
        // Servers that root starts run as other users.
        Files.setPosixFilePermissions(
                workFolder.folder(), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void remove() {
        workFolder.close();
    }

    private static Environment environment(Toolbox tools, OutputStream out) {
        var print = new PrintStream(out, true, StandardCharsets.UTF_8);
        return new Environment(tools, TargetMain.command(), print);
    }

    private Environment withTools(FakeTools tools) {
        return environment(tools.box(), OutputStream.nullOutputStream());
    }

    private FakeTools tools() throws IOException {
        return FakeTools.in(Files.createDirectory(workFolder.folder().resolve("tools")));
    }

    static List<String> names() {
        return Rivals.names();
    }

    /// By name, or skips the test.
    private Rival installed(String name) throws LabException, InterruptedException {
        for (Rival rival : Rivals.all(BUILT)) {
            if (rival.name().equals(name)) {
                try {
                    rival.version(environment.tools());
                    return rival;
                } catch (LabException e) {
                    Assumptions.abort("skipped: " + e.line());
                }
            }
        }
        throw new AssertionError("no rival " + name);
    }

    private RivalPlan plan(RivalSettings settings) throws LabException {
        return RivalPlan.of(workFolder.root(), workFolder.folder(), settings);
    }

    // ---- Each.

    @ParameterizedTest
    @MethodSource("names")
    void rivalServesAndReportsItsResources(String name) throws Exception {
        Rival rival = installed(name);
        RivalPlan plan = plan(RivalSettings.DEFAULT.withThreads(20));
        try (RunningRival running = rival.start(plan, environment);
                Caller caller = Caller.connect(running.port())) {
            Caller.Reply hello = caller.get("/hello");
            assertEquals("Hello, World!", new String(hello.body(), StandardCharsets.UTF_8));
            assertTrue(hello.field("content-type").startsWith("text/plain"));
            assertEquals(1024, caller.get("/static/1k.bin").body().length);
            assertEquals(404, caller.get("/static/none.bin").status());
            if (rival.hasCode()) {
                assertEquals(200, caller.get("/block?ms=1").status());
                assertEquals("application/json", caller.get("/db").field("content-type"));
                caller.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
                assertEquals(2, caller.reply().body().length);
            }
            assertTrue(running.cpuSeconds() >= 0);
            assertTrue(running.residentBytes() > 100_000, "bytes: " + running.residentBytes());
            running.needsLife();
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void idleConnectionsAreClosed(String name) throws Exception {
        Assumptions.assumeFalse(
                List.of("tandem", "event-driven").contains(name), "it never closes idle ones");
        Rival rival = installed(name);
        RivalPlan plan = plan(RivalSettings.DEFAULT.withKeepAlive(Duration.ofSeconds(1)));
        try (RunningRival running = rival.start(plan, environment)) {
            boolean isServed = false;
            for (int i = 0; i < TRIES && !isServed; i++) {
                isServed = isServedBeforeTheEnd(running.port());
            }
            assertTrue(isServed, "closed before its first request each time");
        }
    }

    /// Waits until the server closes a connection, after a request.
    ///
    /// @return whether it was open for the request
    private static boolean isServedBeforeTheEnd(int port) throws IOException {
        try (Caller caller = Caller.connect(port)) {
            int status;
            try {
                status = caller.get("/hello").status();
            } catch (IOException e) {
                return false;
            }
            assertEquals(200, status);
            assertTrue(caller.isClosedByServer());
            return true;
        }
    }

    /// More threads than one process has: idle connections keep theirs.
    @Test
    void httpdServesAsManyConnectionsAsItHasThreads() throws Exception {
        Rival rival = installed("httpd-worker");
        int threads = 300;
        RivalSettings settings =
                RivalSettings.DEFAULT.withThreads(threads).withKeepAlive(Duration.ofMinutes(5));
        var callers = new ArrayList<Caller>();
        try (RunningRival running = rival.start(plan(settings), environment)) {
            for (int i = 0; i < threads; i++) {
                Caller caller = Caller.connect(running.port());
                callers.add(caller);
                assertEquals(200, caller.get("/hello").status());
            }
        } finally {
            for (Caller caller : callers) {
                caller.close();
            }
        }
    }

    /// A client's first request may be in one packet with the handshake's end.
    @ParameterizedTest
    @ValueSource(strings = {"multi-threaded", "httpd-worker", "tomcat", "tomcat-blocking"})
    void rivalServesOverTls(String name) throws Exception {
        Rival rival = installed(name);
        Certificate certificate = Certificate.make(workFolder.folder(), Certificate.Kind.EC);
        RivalPlan plan = plan(RivalSettings.DEFAULT.withCertificate(certificate));
        Workload workload = Repeat.sessions(Call.get("/static/100k.bin"), 2, Duration.ZERO);
        try (RunningRival running = rival.start(plan, environment)) {
            assertTrue(running.address().startsWith("https://"));
            LoadReport report =
                    Load.of(running.address())
                            .withArrivals(new Arrivals.Closed(2, 20))
                            .withTime(Duration.ZERO)
                            .run(workload);
            assertEquals(20, report.sessions().completed(), report.text());
            assertEquals(0, report.errorCount(), report.text());
            assertEquals(20, report.connections().handshakes().full());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jetty", "lighttpd"})
    void rivalWithoutTlsReportsIt(String name) throws Exception {
        Rival rival = installed(name);
        var certificate = new Certificate(Path.of("cert.pem"), Path.of("key.pem"));
        RivalPlan plan = plan(RivalSettings.DEFAULT.withCertificate(certificate));
        var failure = assertThrows(LabException.class, () -> rival.start(plan, environment));
        assertEquals(name + " has no TLS in the lab: leave it out of this", failure.line());
    }

    @ParameterizedTest
    @ValueSource(strings = {"httpd-worker", "httpd-event", "lighttpd"})
    void rivalRunsPrograms(String name) throws Exception {
        Rival rival = installed(name);
        assertTrue(rival.hasCgi());
        Path programs = Files.createDirectory(workFolder.root().resolve("cgi-bin"));
        Path program =
                Files.writeString(
                        programs.resolve("hi.sh"),
                        """
                        #!/bin/sh
                        echo "Content-Type: text/plain"
                        echo
                        echo "run"
                        """);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (RunningRival running = rival.start(plan(RivalSettings.DEFAULT), environment);
                Caller caller = Caller.connect(running.port())) {
            Caller.Reply reply = caller.get("/cgi-bin/hi.sh");
            assertEquals("run\n", new String(reply.body(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void rivalRunsOnTheChosenProcessors() throws Exception {
        Rival rival = installed("nginx");
        List<Integer> processors = Kernel.processors().subList(0, 1);
        RivalPlan plan = plan(RivalSettings.DEFAULT).onProcessors(processors);
        try (RunningRival running = rival.start(plan, environment)) {
            String status = Files.readString(Path.of("/proc/" + running.pid() + "/status"));
            assertTrue(status.contains("Cpus_allowed_list:\t" + plan.processorList() + "\n"));
        }
    }

    @Test
    void multiThreadedRivalReportsTimeoutsAtItsEnd() throws Exception {
        RivalSettings settings =
                RivalSettings.DEFAULT.withThreads(2).withKeepAlive(Duration.ofMillis(30));
        RunningRival running = OwnRival.MULTI_THREADED.start(plan(settings), environment);
        try (running) {
            awaitClosing(running);
        }
        // The connection of the start's own check may have been idle for too long, too.
        assertTrue(running.closedByTimeout().orElse(0) >= 1, running.closedByTimeout().toString());
    }

    private static void awaitClosing(RunningRival running) throws IOException {
        try (Caller caller = Caller.connect(running.port())) {
            assertTrue(caller.isClosedByServer());
        }
    }

    @Test
    void rivalThatReportsNoTimeoutsHasNoCount() throws Exception {
        RunningRival running = OwnRival.TANDEM.start(plan(RivalSettings.DEFAULT), environment);
        try (running) {
            running.needsLife();
        }
        assertEquals(OptionalLong.empty(), running.closedByTimeout());
    }

    // ---- Failures.

    @Test
    void unknownRivalIsReportedWithTheKnownOnes() {
        var failure = assertThrows(LabException.class, () -> Rivals.named("iis"));
        assertTrue(failure.line().startsWith("unknown rival 'iis'; there are tandem, "));
    }

    @Test
    void portInUseIsReported() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            var plan =
                    new RivalPlan(
                            port,
                            0,
                            workFolder.root(),
                            workFolder.folder(),
                            List.of(),
                            RivalSettings.DEFAULT);
            var failure =
                    assertThrows(
                            LabException.class,
                            () -> OwnRival.EVENT_DRIVEN.start(plan, environment));
            assertTrue(
                    failure.line().startsWith("cannot start event-driven at port " + port),
                    failure.line());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nginx", "lighttpd", "httpd-worker", "httpd-event"})
    void missingProgramIsReportedWithARemedy(String name) throws Exception {
        Environment bare = withTools(tools());
        RivalPlan plan = plan(RivalSettings.DEFAULT);
        var failure = assertThrows(LabException.class, () -> Rivals.named(name).start(plan, bare));
        assertTrue(failure.line().contains("apt-get install"), failure.line());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tomcat",
                "tomcat-virtual",
                "tomcat-blocking",
                "jetty",
                "jetty-virtual",
                "undertow",
                "helidon"
            })
    void rivalThatIsNotBuiltIsReportedWithARemedy(String name) throws Exception {
        for (Rival rival : Rivals.all(new BuiltRivals(workFolder.folder()))) {
            if (rival.name().equals(name)) {
                var failure =
                        assertThrows(LabException.class, () -> rival.version(environment.tools()));
                assertTrue(failure.line().endsWith(": tandem lab rivals --install yes"));
            }
        }
    }

    @Test
    void rivalThatDiesAtStartIsReportedWithItsOutput() throws Exception {
        Environment odd = withTools(tools().with("nginx", "#!/bin/sh\necho no space\nexit 3\n"));
        RivalPlan plan = plan(RivalSettings.DEFAULT);
        var failure = assertThrows(LabException.class, () -> new NginxRival().start(plan, odd));
        assertEquals("nginx ended with status 3: no space", failure.line());
    }

    @Test
    void rivalThatDiesLaterIsDetected() throws Exception {
        try (RunningRival running =
                OwnRival.TANDEM.start(plan(RivalSettings.DEFAULT), environment)) {
            assertTrue(ProcessHandle.of(running.pid()).orElseThrow().destroyForcibly());
            Patience.until("found dead", () -> isDead(running));
        }
    }

    private static boolean isDead(RunningRival running) {
        try {
            running.needsLife();
            return false;
        } catch (LabException e) {
            return e.line().startsWith("tandem ended with status ");
        }
    }

    // ---- The list.

    @Test
    void listHasInstalledAndMissingRivals() throws Exception {
        var out = new ByteArrayOutputStream();
        var bare = new BuiltRivals(workFolder.folder());
        var print = new PrintStream(out, true, StandardCharsets.UTF_8);
        Rivals.list(tools().box(), Rivals.all(bare), print);
        String text = out.toString(StandardCharsets.UTF_8);
        assertEquals(Rivals.names().size(), text.lines().count(), text);
        assertTrue(text.contains("tandem           this Tandem, on JDK "), text);
        assertTrue(text.contains("nginx            needs nginx: apt-get install nginx"), text);
    }

    @Test
    void missingRivalIsLeftOutAndReported() throws Exception {
        var missing = new ArrayList<String>();
        List<Rival> here = Rivals.here(List.of("event-driven", "nginx"), tools().box(), missing);
        assertEquals(List.of(OwnRival.EVENT_DRIVEN), here);
        assertEquals(List.of("nginx: needs nginx: apt-get install nginx"), missing);
    }

    // ---- Building.

    @Test
    void failedBuildNamesTheFirstErrorAndTheLog() throws Exception {
        String script = "#!/bin/sh\necho '[INFO] a'\necho '[ERROR] no network'\nexit 1\n";
        var failure = assertThrows(LabException.class, () -> install(script));
        assertTrue(
                failure.line().startsWith("the rivals could not be built: no network; see "),
                failure.line());
    }

    @Test
    void buildGetsItsFolderAndThisJdk() throws Exception {
        install("#!/bin/sh\necho $JAVA_HOME $@\n");
        String log = Files.readString(workFolder.folder().resolve(".tandem/rivals/build.log"));
        assertTrue(log.startsWith(System.getProperty("java.home") + " "), log);
        assertTrue(
                log.contains("-Drivals.folder=" + workFolder.folder().resolve(".tandem/rivals")));
    }

    @Test
    void rivalsWithoutSourcesAreNotBuilt() throws Exception {
        var bare = new BuiltRivals(workFolder.folder());
        Toolbox box = tools().with("mvn", "#!/bin/sh\nexit 0\n").box();
        var failure = assertThrows(LabException.class, () -> bare.install(box, environment.out()));
        assertTrue(failure.line().contains("run it from Tandem's own folder"), failure.line());
        assertFalse(Files.exists(workFolder.folder().resolve(".tandem")));
    }

    private void install(String script) throws Exception {
        Path sources = Files.createDirectories(workFolder.folder().resolve("lab/rivals"));
        Files.writeString(sources.resolve("pom.xml"), "");
        Toolbox box = tools().with("mvn", script).box();
        new BuiltRivals(workFolder.folder()).install(box, environment.out());
    }
}
