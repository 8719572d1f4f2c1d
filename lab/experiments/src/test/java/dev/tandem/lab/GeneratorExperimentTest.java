package dev.tandem.lab;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratorExperimentTest {
    private static final String HTTPERF =
            """
            httperf --hog --timeout=5 --client=0/1 --server=127.0.0.1 --port=8080 --uri=/hello
            Maximum connect burst length: 9

            Total: connections 3834 requests 3800 replies 3790 test-duration 2.000 s

            Connection rate: 1917.0 conn/s (0.5 ms/conn, <=1020 concurrent connections)
            Reply rate [replies/s]: min 0.0 avg 0.0 max 0.0 stddev 0.0 (0 samples)
            CPU time [s]: user 0.01 system 0.22 (user 0.2% system 6.8% total 7.0%)

            Errors: total 20166 client-timo 0 socket-timo 0 connrefused 0 connreset 0
            Errors: fd-unavail 20166 addrunavail 0 ftab-full 0 other 0
            """;

    private static final String H2LOAD =
            """
            starting benchmark...
            Main benchmark duration is over for thread #0. Stopping all clients.

            finished in 4.04s, 1341.33 req/s, 210.89KB/s
            requests: 4024 total, 4024 started, 4024 done, 4020 succeeded, 3 failed, 1 errored, 1 timeout
            status codes: 4020 2xx, 0 3xx, 4 4xx, 0 5xx
            """;

    private final Samples samples = new Samples();

    private void add(Scenario scenario, Map<String, Double> figures) {
        samples.add(scenario, 1, false, Reading.of(figures));
    }

    private void open(String contender, double rate, double opened, double replies) {
        var figures = new LinkedHashMap<String, Double>();
        figures.put(AppliedLoad.REPLIES, replies);
        figures.put(AppliedLoad.OPENED, opened);
        figures.put(AppliedLoad.SENT, opened);
        figures.put(AppliedLoad.GENERATOR, opened < rate ? 0.99 : 0.4);
        figures.put(AppliedLoad.SERVER, 0.5);
        add(Scenario.of(contender, GeneratorExperiment.RATE, rate), figures);
    }

    private static Headline named(List<Headline> lines, String part) {
        return lines.stream().filter(l -> l.name().contains(part)).findFirst().orElseThrow();
    }

    // ---- Other generators' reports.

    @Test
    void reportOfHttperfIsRead() throws LabException {
        Map<String, Double> figures = HttperfProgram.parse(HTTPERF);
        assertEquals(1_917, figures.get(AppliedLoad.OPENED));
        assertEquals(1_900, figures.get(AppliedLoad.SENT));
        assertEquals(1_895, figures.get(AppliedLoad.REPLIES));
        assertEquals(10_083, figures.get(AppliedLoad.FAILED));
    }

    @Test
    void reportOfH2loadIsRead() throws LabException {
        assertEquals(new H2load.Load(1_341.33, 4), H2load.parse(H2LOAD));
    }

    @Test
    void programWithoutResponsesIsReportedWithItsLastLine() {
        var failure = assertThrows(LabException.class, () -> H2load.parse("a\nno route\n"));
        assertEquals("h2load received no responses: no route", failure.line());
        String none = HTTPERF.replace("replies 3790", "replies 0");
        assertThrows(LabException.class, () -> HttperfProgram.parse(none));
        assertThrows(LabException.class, () -> HttperfProgram.parse(""));
    }

    // ---- Findings.

    @Test
    void endIsReadAtTheHighestRate() {
        open(GeneratorExperiment.OURS, 100, 100, 100);
        open(GeneratorExperiment.OURS, 300, 150, 140);
        open(GeneratorExperiment.HTTPERF, 300, 80, 70);
        List<Headline> lines = GeneratorFindings.headlines(samples);
        assertEquals(0.99, named(lines, "share of its processor").value());
        assertEquals("yes", named(lines, "share of its processor").verdict());
        assertEquals(0.5, named(lines, "server's processors").value());
        assertEquals(2, named(lines, "times httperf's").value());
    }

    @Test
    void httperfIsComparedAtRatesThatBothSustain() {
        open(GeneratorExperiment.OURS, 100, 100, 100);
        open(GeneratorExperiment.HTTPERF, 100, 99, 98);
        open(GeneratorExperiment.OURS, 200, 200, 200);
        open(GeneratorExperiment.HTTPERF, 200, 200, 180);
        open(GeneratorExperiment.OURS, 300, 300, 300);
        open(GeneratorExperiment.HTTPERF, 300, 80, 70);
        Headline worst = named(GeneratorFindings.headlines(samples), "both sustain");
        assertEquals(0.1, worst.value(), 1e-9);
        assertEquals("no", worst.verdict());
    }

    @Test
    void closedLoopsAreComparedByProtocol() {
        add(Scenario.of(GeneratorExperiment.OURS_HTTP1), Map.of(AppliedLoad.REPLIES, 100.0));
        add(Scenario.of(GeneratorExperiment.WRK_HTTP1), Map.of(AppliedLoad.REPLIES, 103.0));
        add(Scenario.of(GeneratorExperiment.OURS_HTTP2), Map.of(AppliedLoad.REPLIES, 50.0));
        add(Scenario.of(GeneratorExperiment.H2LOAD_HTTP2), Map.of(AppliedLoad.REPLIES, 40.0));
        List<Headline> lines = GeneratorFindings.headlines(samples);
        assertEquals(0.03, named(lines, "wrk's replies/s over HTTP/1.1").value(), 1e-9);
        assertEquals(0.2, named(lines, "h2load's replies/s over HTTP/2").value(), 1e-9);
        assertFalse(named(lines, "h2load's replies/s over HTTP/1.1").isMeasured());
        assertFalse(named(lines, "both sustain").isMeasured());
    }

    @Test
    void courseHasALineForConnectionsRequestsAndReplies() {
        open(GeneratorExperiment.OURS, 100, 100, 90);
        var rows = GeneratorFindings.of(samples).charts().getFirst().data().rows();
        assertEquals(
                List.of(List.of("connections"), List.of("requests"), List.of("replies")),
                rows.stream().map(row -> row.names()).toList());
    }

    // ---- A real run, as short as possible.

    @Test
    void missingProgramsAreGaps(@TempDir Path out) throws Exception {
        var environment =
                new Environment(
                        FakeTools.in(Files.createDirectory(out.resolve("tools"))).box(),
                        TargetMain.command(),
                        new PrintStream(
                                OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
        var chosen =
                Map.of("rates", "20", "repetitions", "1", "secs", "1", "ramp", "0.1", "warm", "0");
        var order = new Order(Form.QUICK, chosen, Order.SEED, out, false);
        var failure =
                assertThrows(
                        LabException.class,
                        () -> GeneratorExperiment.EXPERIMENT.run(order, environment, false));
        assertTrue(failure.line().contains("needs httperf: apt-get install httperf"));
        String json = Files.readString(out.resolve("result.json"));
        Map<?, ?> result = (Map<?, ?>) requireNonNull(JsonReader.read(json));
        Map<?, ?> data = (Map<?, ?>) requireNonNull(result.get("data"));
        List<?> rows = (List<?>) requireNonNull(data.get("measurements"));
        assertEquals(3, rows.size(), json);
        for (Object row : rows) {
            Map<?, ?> figures = (Map<?, ?>) row;
            assertTrue((Double) requireNonNull(figures.get(AppliedLoad.REPLIES)) > 0, json);
            assertTrue((Double) requireNonNull(figures.get(AppliedLoad.SENT)) > 0, json);
        }
    }
}
