package dev.tandem.lab;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.workloads.Published;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NioExperimentTest {
    private static final Setting CONTENDERS = new Setting("contenders", "NAMES", "", "");

    private static final RivalSettings PLAIN = RivalSettings.DEFAULT;
    private static final TargetCommand NOTHING = new TargetCommand(List.of());

    private static List<NioContender> here(String names, List<String> missing) throws Exception {
        return NioContender.here(CONTENDERS, names, new Toolbox(List.of()), missing);
    }

    // ---- Contenders.

    @Test
    void contenderHasTheThreadsOfItsName() throws Exception {
        List<NioContender> here =
                here("tandem,event-driven-4,multi-threaded-2000", new ArrayList<>());
        assertEquals(
                List.of("tandem 50", "event-driven-4 4", "multi-threaded-2000 2000"),
                here.stream().map(its -> its.name() + " " + its.threads()).toList());
    }

    @Test
    void eventDrivenServerIsStartedWithItsThreads() throws Exception {
        Rival rival = here("event-driven-8", new ArrayList<>()).getFirst().rival();
        var plan = new RivalPlan(1, 0, Path.of("x"), Path.of("x"), List.of(0), PLAIN);
        List<String> command =
                rival.command(plan, new Environment(new Toolbox(List.of()), NOTHING, System.out));
        assertEquals("8", command.get(command.indexOf("--loops") + 1));
    }

    @Test
    void missingServerIsReportedOnce() throws Exception {
        var missing = new ArrayList<String>();
        assertEquals(List.of(), here("httpd-worker-500,httpd-worker-6000", missing));
        assertEquals(1, missing.size(), missing.toString());
        assertTrue(missing.getFirst().startsWith("httpd-worker: needs httpd"), missing.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nginx", "tandem-", "tandem-0", "tandem-16385", "tandem,,tandem"})
    void wrongContenderIsRejectedByName(String names) {
        var e = assertThrows(IllegalArgumentException.class, () -> here(names, new ArrayList<>()));
        assertTrue(String.valueOf(e.getMessage()).startsWith("--contenders "), e.getMessage());
    }

    @Test
    void serversWithAThreadPerConnectionCloseIdleOnes() throws Exception {
        var site = new SurgeSite(Path.of("x"), workload(), 6, 20);
        List<NioContender> here = here("multi-threaded-500,tandem-8", new ArrayList<>());
        RivalSettings threaded = here.getFirst().settings(site, 15);
        assertEquals(Duration.ofMillis(750), threaded.keepAlive());
        assertEquals(500, threaded.threads());
        assertEquals(PLAIN.withThreads(8), here.getLast().settings(site, 15));
    }

    private static ModelWorkload workload() {
        return ModelWorkload.of(Published.rubisBidding(), 1);
    }

    // ---- Conditions.

    @Test
    void slowClientsReplaceLinks() {
        assertEquals(
                List.of(NioCondition.ONE, NioCondition.SLOW),
                NioCondition.withoutLinks(List.of(NioCondition.ONE, NioCondition.LINK_200)));
    }

    @Test
    void everyLoadIsMeasuredUnderEveryCondition() {
        List<Scenario> scenarios =
                NioExperiment.scenarios(
                        List.of("a", "b"),
                        List.of(NioCondition.ONE, NioCondition.LINK_100),
                        List.of(600.0, 1_200.0));
        assertEquals(8, scenarios.size());
        assertEquals(Scenario.of("a, one processor", "clients", 600), scenarios.getFirst());
        assertEquals(Scenario.of("b, 100 Mbit/s", "clients", 1_200), scenarios.getLast());
    }

    // ---- A run.

    /// A real run, with real servers and the real generator, as short as possible.
    @Test
    void clientsAreServedUnderEveryCondition(@TempDir Path out) throws Exception {
        String links = LimitedLink.problem().isEmpty() ? ",100mbit" : "";
        var chosen =
                Map.ofEntries(
                        Map.entry("contenders", "tandem,event-driven-2"),
                        Map.entry("conditions", "one,slow" + links),
                        Map.entry("clients", "20"),
                        Map.entry("files", "500"),
                        Map.entry("repetitions", "1"),
                        Map.entry("secs", "0.5"),
                        Map.entry("ramp", "0.1"),
                        Map.entry("warm", "0"));
        var print = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        var environment = new Environment(Toolbox.ofProcess(), TargetMain.command(), print);
        var order = new Order(Form.QUICK, chosen, Order.SEED, out, false);
        NioExperiment.EXPERIMENT.run(order, environment, false);
        Map<?, ?> result = map(JsonReader.read(Files.readString(out.resolve("result.json"))));
        assertEquals(true, result.get("complete"), String.valueOf(result.get("partialBecause")));
        List<?> measurements =
                (List<?>) requireNonNull(map(result.get("data")).get("measurements"));
        assertEquals(links.isEmpty() ? 4 : 6, measurements.size(), measurements.toString());
        for (Object measurement : measurements) {
            assertEquals(0, number(measurement, AppliedLoad.REJECTED), measurement.toString());
            assertTrue(number(measurement, AppliedLoad.CONNECTIONS) >= 20, measurement.toString());
            assertTrue(number(measurement, AppliedLoad.CONNECTIONS) <= 40, measurement.toString());
        }
    }

    private static double number(Object measurement, String figure) {
        return (Double) requireNonNull(map(measurement).get(figure));
    }

    private static Map<?, ?> map(@Nullable Object json) {
        return (Map<?, ?>) requireNonNull(json);
    }

    // ---- Findings.

    private final Samples samples = new Samples();

    private void add(String name, double clients, double replies, double megabytes) {
        var figures = new LinkedHashMap<String, Double>();
        figures.put(AppliedLoad.REPLIES, replies);
        figures.put(AppliedLoad.MEGABYTES, megabytes);
        Scenario scenario = Scenario.of(name, NioExperiment.CLIENTS, clients);
        samples.add(scenario, 1, false, new Reading(figures, 0.5));
    }

    @Test
    void throughputIsComparedWithTheBestServerWithThreads() {
        add("tandem, one processor", 600, 9, 1);
        add("tandem, one processor", 6_000, 12, 1);
        add("httpd-worker-500, one processor", 6_000, 2, 1);
        add("httpd-worker-6000, one processor", 6_000, 6, 1);
        var contenders = List.of("tandem", "httpd-worker-500", "httpd-worker-6000");
        var findings = new NioFindings(contenders, List.of(NioCondition.ONE), "");
        List<Headline> lines = findings.headlines(samples);
        assertEquals(1, lines.size());
        assertEquals(2, lines.getFirst().value());
    }

    @Test
    void contentIsComparedWithTheLinksBandwidth() {
        add("event-driven-1, 200 Mbit/s", 600, 9, 20);
        add("event-driven-1, 200 Mbit/s", 6_000, 9, 24);
        var findings =
                new NioFindings(List.of("event-driven-1"), List.of(NioCondition.LINK_200), "");
        List<Headline> lines = findings.headlines(samples);
        assertEquals(1, lines.size());
        assertEquals(0.96, lines.getFirst().value(), 1e-9);
    }

    @Test
    void linkHasAChartOfItsTransferRate() {
        add("event-driven-1, 100 Mbit/s", 600, 9, 12);
        var findings =
                new NioFindings(List.of("event-driven-1"), List.of(NioCondition.LINK_100), "");
        List<String> titles =
                findings.of(samples).charts().stream().map(c -> c.caption().title()).toList();
        assertEquals(
                List.of(
                        "Throughput, 100 Mbit/s",
                        "Response time, 100 Mbit/s",
                        "Connection time, 100 Mbit/s",
                        "Time-outs, 100 Mbit/s",
                        "Resets, 100 Mbit/s",
                        "Closed early, 100 Mbit/s",
                        "Transfer rate, 100 Mbit/s"),
                titles);
    }
}
