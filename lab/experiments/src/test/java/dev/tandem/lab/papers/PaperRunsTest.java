package dev.tandem.lab.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.lab.Experiment;
import dev.tandem.lab.Form;
import dev.tandem.lab.Json;
import dev.tandem.lab.LabException;
import dev.tandem.lab.Order;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.ChartJson;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs of a laboratory that measures nothing, and their page.
class PaperRunsTest {
    private static final List<PaperFigure> STATIC = alone("icpads-1,icpads-3");
    private static final List<PaperFigure> TWO = alone("icpads-1,dsn-8");

    /// With their first runs only.
    private static List<PaperFigure> alone(String figures) {
        return Catalogue.chosen("", figures).stream()
                .map(
                        f ->
                                new PaperFigure(
                                        f.paper(),
                                        f.ids(),
                                        f.title(),
                                        f.showed(),
                                        f.theirs(),
                                        f.runs().subList(0, 1),
                                        f.why(),
                                        List.of()))
                .toList();
    }

    private final Path folder;
    private final Path page;
    private final Bare laboratory = new Bare();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    PaperRunsTest(@TempDir Path folder) {
        this.folder = folder.resolve("raw");
        this.page = folder.resolve("docs/papers.md");
    }

    /// Writes a result for each run.
    private static final class Bare implements PaperRuns.Laboratory {
        private final List<String> began = new ArrayList<>();
        private final Map<String, String> facts = new LinkedHashMap<>();
        private long freeBytes = Long.MAX_VALUE;
        private double ours = 100;
        private int repetitions = 1;
        private Map<String, String> settings = Map.of();
        private List<String> doubts = List.of();
        private String gap = "";
        private boolean isInterrupted;

        Bare() {
            facts.putAll(Map.of("commit", "0123456789", "processors", "2 x EPYC"));
            facts.putAll(Map.of("memory", "1 MiB", "kernel", "Linux", "jdk", "25"));
        }

        @Override
        public Map<String, String> identity() {
            return new LinkedHashMap<>(facts);
        }

        @Override
        public void run(Experiment experiment, Order order) throws LabException {
            began.add(experiment.name());
            try {
                Files.createDirectories(order.folder());
                Files.writeString(order.folder().resolve("result.json"), Json.of(result(order)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
            if (!gap.isEmpty()) {
                throw new LabException(gap);
            }
        }

        private Map<String, Object> result(Order order) {
            var map = new LinkedHashMap<String, Object>();
            map.put("complete", gap.isEmpty());
            map.put("partialBecause", gap);
            map.put("command", "tandem lab run static --quick");
            map.put("form", order.form().toString());
            map.put("settings", settings);
            map.put("machine", new LinkedHashMap<>(facts));
            map.put("doubts", doubts);
            var chart =
                    Lines.of(
                            new Caption("Throughput", "Of both."),
                            Axis.linear("new sessions", "1/s"),
                            Axis.linear("throughput", "replies/s"),
                            List.of(new Series("tandem", List.of(Point.of(1, ours)))));
            map.put("charts", List.of(ChartJson.of(chart)));
            var rows = new ArrayList<Map<String, Object>>();
            for (int repetition = 1; repetition <= repetitions; repetition++) {
                rows.add(row("tandem", ours + repetition - 1, repetition));
                rows.add(row("multi-threaded", 100, repetition));
            }
            map.put("data", Map.of("measurements", rows));
            return map;
        }

        private static Map<String, Object> row(String contender, double replies, int repetition) {
            var row = new LinkedHashMap<String, Object>();
            row.put("contender", contender);
            row.put("sessions/s", 1.0);
            row.put("repetition", (double) repetition);
            row.put("disturbed", false);
            row.put("replies/s", replies);
            return row;
        }

        @Override
        public long freeBytes(Path where) {
            return freeBytes;
        }
    }

    private List<String> run(List<PaperFigure> figures) throws LabException {
        var plan = new PaperRuns.Plan(Form.QUICK, folder, page, 1, false);
        var print = new PrintStream(out, true, StandardCharsets.UTF_8);
        return new PaperRuns(plan, laboratory, print).run(figures);
    }

    private String text() throws IOException {
        return Files.readString(page);
    }

    private String section(String heading) throws IOException {
        String text = text();
        int from = text.indexOf("### " + heading);
        assertTrue(from >= 0, text);
        int to = text.indexOf("\n#", from);
        return text.substring(from, to < 0 ? text.length() : to);
    }

    @Test
    void figuresOfOneExperimentShareItsRun() throws Exception {
        assertEquals(List.of(), run(STATIC));
        assertEquals(List.of("static"), laboratory.began);
        assertTrue(out.toString(StandardCharsets.UTF_8).contains("1 run to measure, about 3 min"));
        for (String id : List.of("icpads-1", "icpads-3")) {
            String result = Files.readString(folder.resolve(id).resolve("result.json"));
            assertTrue(result.contains("\"commit\": \"0123456789\""), result);
            assertTrue(result.contains("\"repetitions\": 1"), result);
        }
    }

    @Test
    void predicateDecidesAndIsPrintedWithItsValue() throws Exception {
        run(STATIC);
        String section = section("icpads 1:");
        assertTrue(section.contains("**Here:** agrees"), section);
        assertTrue(
                section.contains("of the rival's: 1; agrees if it is 0.90 to 1.10: it does"),
                section);
        assertTrue(section.contains("**Quick form**, 1 repetition"), section);
        laboratory.ours = 570;
        laboratory.facts.put("commit", "9876543210");
        run(STATIC);
        section = section("icpads 1:");
        assertTrue(section.contains("**Here:** **differs**"), section);
        assertTrue(
                section.contains("5.70; agrees if it is 0.90 to 1.10: **it does not**"), section);
    }

    @Test
    void figureWithoutAChartHasSizesOnly() throws Exception {
        run(STATIC);
        assertTrue(section("icpads 1:").contains("**Our axes and sizes:** x: new sessions"));
        String section = section("icpads 3:");
        assertTrue(section.contains("**Our sizes:** **Quick form**"), section);
    }

    @Test
    void reasonOfADifferenceIsAnExperimentOfItsOwn() throws Exception {
        run(STATIC);
        assertTrue(
                section("icpads 1:").contains("**Supposed reason, not measured:**"),
                section("icpads 1:"));
        laboratory.ours = 570;
        run(Catalogue.chosen("", "icpads-1"));
        assertEquals(List.of("static", "static", "tuning"), laboratory.began);
        String section = section("icpads 1:");
        int reason = section.indexOf("**Supposed reason, measured:**");
        assertTrue(reason > section.indexOf("agrees if"), section);
        assertTrue(
                section.substring(reason)
                        .contains("5.70; so if it is 0.90 to 1.10: **it does not**"),
                section);
        assertTrue(section.contains("**Here:** agrees"), section);
        assertTrue(Files.exists(page.resolveSibling("results/papers/static-grid.json")));
        String result = Files.readString(folder.resolve("icpads-1/result.json"));
        assertTrue(result.indexOf("static-grid") > result.indexOf("\"reasons\""), result);
    }

    @Test
    void whatVerdictsNeedIsMeasuredFirst() throws Exception {
        run(Catalogue.chosen("", "icpads-1,dsn-8"));
        assertEquals(List.of("static", "staged", "staged"), laboratory.began.subList(0, 3));
        assertEquals("tuning", laboratory.began.getLast());
        int all = laboratory.began.size();
        laboratory.facts.put("commit", "9876543210");
        var plan = new PaperRuns.Plan(Form.QUICK, folder, page, 1, true);
        var print = new PrintStream(out, true, StandardCharsets.UTF_8);
        new PaperRuns(plan, laboratory, print).run("", "icpads-1,dsn-8");
        assertEquals(
                List.of("static", "staged", "staged"),
                laboratory.began.subList(all, laboratory.began.size()));
    }

    @Test
    void figureOfSeveralRunsIsPartialUntilAllAreComplete() throws Exception {
        PaperFigure one = STATIC.getFirst();
        Job more = new Job("static-peers", "static", Map.of("contenders", "tandem"), 7);
        Check check =
                Check.atLeast(
                        "of the rival's",
                        Term.most("replies/s", "tandem"),
                        Term.most("replies/s", "multi-threaded"),
                        3);
        PaperFigure two = one.and("Beside others", more, "Throughput").agreesIf(check);
        run(List.of(one));
        var plan = new PaperRuns.Plan(Form.QUICK, folder, page, 1, false);
        var print = new PrintStream(out, true, StandardCharsets.UTF_8);
        assertEquals(
                Verdict.PARTIAL, two.verdict(new Store(folder, PaperPage.drawings(page))::best));
        assertEquals(List.of(), new PaperRuns(plan, laboratory, print).run(List.of(two)));
        assertEquals(List.of("static", "static"), laboratory.began);
        assertEquals(
                Verdict.DIFFERS, two.verdict(new Store(folder, PaperPage.drawings(page))::best));
    }

    @Test
    void checkOfSeveralRepetitionsHasItsSpread() throws Exception {
        laboratory.repetitions = 3;
        run(STATIC);
        String section = section("icpads 1:");
        assertTrue(
                section.contains("of the rival's: 1.01 (1 to 1.02 in single repetitions)"),
                section);
    }

    @Test
    void drawingIsNextToThePageAndReadableWithoutColours() throws Exception {
        Path drawings = Files.createDirectories(page.resolveSibling("results/papers"));
        Files.writeString(drawings.resolve("icpads-9-1.svg"), "of a figure that is no more");
        run(STATIC);
        assertTrue(section("icpads 1:").contains("](results/papers/icpads-1-1.svg)"));
        String svg = Files.readString(drawings.resolve("icpads-1-1.svg"));
        assertTrue(svg.startsWith("<svg ") && svg.contains("class=\"sign\""), svg);
        assertTrue(svg.contains("--s0:"), "no style");
        assertFalse(Files.exists(drawings.resolve("icpads-9-1.svg")));
        assertTrue(section("icpads 3:").contains("no chart `Connections closed by time-out`"));
    }

    @Test
    void completeRunOfThisCommitAndMachineIsNotRepeated() throws Exception {
        run(STATIC);
        run(TWO);
        assertEquals(List.of("static", "staged"), laboratory.began);
    }

    @Test
    void runOfAnotherCommitOrMachineIsRepeatedAndTheChangeIsNamed() throws Exception {
        run(TWO);
        laboratory.facts.put("commit", "9876543210");
        laboratory.facts.put("memory", "2 MiB");
        run(STATIC);
        assertEquals(List.of("static", "staged", "static"), laboratory.began);
        String text = text();
        assertTrue(
                text.contains(
                        "The commit changed between parts, so their figures do not compare:"
                                + " 0123456789 (staged-plain); 9876543210 (static)."),
                text);
        assertTrue(text.contains("The memory changed between parts"), text);
    }

    @Test
    void changedTreeIsMeasuredAgain() throws Exception {
        laboratory.facts.put("commit", "0123456789, changed");
        run(STATIC);
        run(STATIC);
        assertEquals(List.of("static", "static"), laboratory.began);
    }

    @Test
    void runWithAKilledContenderIsNamedAndNotPublished() throws Exception {
        laboratory.gap = "not all was measured: tandem at sessions/s 1: tandem has ended";
        assertEquals(List.of("static: " + laboratory.gap), run(STATIC));
        String section = section("icpads 1:");
        assertTrue(section.contains("**Here:** **partial**: " + laboratory.gap + "."), section);
        assertFalse(section.contains(".svg"), section);
        assertFalse(Files.exists(page.resolveSibling("results/papers/static.json")));
        laboratory.gap = "";
        run(STATIC);
        assertEquals(List.of("static", "static"), laboratory.began);
        assertTrue(Files.exists(page.resolveSibling("results/papers/static.json")));
    }

    @Test
    void damagedResultIsNamedAndMeasuredAgain() throws Exception {
        run(STATIC);
        Files.delete(page.resolveSibling("results/papers/static.json"));
        Path file = folder.resolve("quick/static/result.json");
        Files.writeString(file, Files.readString(file).substring(0, 40));
        run(alone("dsn-8"));
        assertTrue(section("icpads 1:").contains("**partial**"), section("icpads 1:"));
        run(STATIC);
        assertEquals(List.of("static", "staged", "static"), laboratory.began);
        assertTrue(section("icpads 1:").contains("**Here:** agrees"));
    }

    @Test
    void fullDiskIsNamedAndNothingBegins() throws Exception {
        laboratory.freeBytes = 1 << 20;
        List<String> problems = run(STATIC);
        assertEquals(1, problems.size());
        assertTrue(problems.getFirst().contains("less than 512 MiB left"), problems.toString());
        assertEquals(List.of(), laboratory.began);
    }

    @Test
    void interruptedRunContinuesWhereItEnded() throws Exception {
        laboratory.isInterrupted = true;
        List<String> problems = run(TWO);
        assertTrue(Thread.interrupted());
        assertEquals(List.of("interrupted: the same command continues"), problems);
        assertTrue(section("dsn 8:").contains("**Here:** not run yet"), section("dsn 8:"));
        laboratory.isInterrupted = false;
        assertEquals(List.of(), run(TWO));
        assertEquals(List.of("static", "staged"), laboratory.began);
    }

    @Test
    void publishedResultRemainsWhereThereIsNoOther() throws Exception {
        run(STATIC);
        var other = new PaperRuns.Plan(Form.QUICK, folder.resolveSibling("new"), page, 1, false);
        var print = new PrintStream(out, true, StandardCharsets.UTF_8);
        new PaperRuns(other, laboratory, print).run(alone("dsn-8"));
        assertTrue(section("icpads 1:").contains("**Here:** agrees"), section("icpads 1:"));
    }

    @Test
    void pageHasTheDoubtsOfTheRun() throws Exception {
        laboratory.doubts = List.of("It was not saturated.", "It was not warm.");
        run(STATIC);
        String section = section("icpads 1:");
        assertTrue(section.contains("; doubtful: It was not saturated; It was not warm."), section);
    }

    /// A default that changes later does not change what a page says of an older run.
    @Test
    void pageHasTheSettingsOfTheRun() throws Exception {
        laboratory.settings = Map.of("secs", "0.123");
        run(STATIC);
        String text = Files.readString(page);
        assertTrue(text.contains("; secs 0.123;"), text);
        assertTrue(text.contains("; ramp 1;"), text);
    }

    @Test
    void everyFigureIsOnThePage() throws Exception {
        run(alone("dsn-8"));
        for (PaperFigure figure : Catalogue.all()) {
            section(figure.paper().id() + " " + figure.numbers() + ": " + figure.title());
        }
        assertTrue(section("thesis 3.20:").contains("**Here:** not run yet."));
    }
}
