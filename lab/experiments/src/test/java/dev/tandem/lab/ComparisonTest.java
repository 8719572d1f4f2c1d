package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

class ComparisonTest {
    private final Path folder;

    ComparisonTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private List<Path> two() throws LabException {
        Path old = folder.resolve("old");
        Path young = folder.resolve("young");
        SampleReport.report(1).write(old);
        SampleReport.report(1.1).write(young);
        return List.of(old, young);
    }

    @Test
    void figuresAreSideBySideWithTheirRatio() throws LabException, IOException {
        Path page = folder.resolve("a/b/page.html");
        Comparison.of(two()).write(page);
        Document document = Xml.parse(Files.readString(page));
        String row =
                Xml.texts(document, "tr").stream()
                        .filter(text -> text.startsWith("throughput at twice"))
                        .findFirst()
                        .orElseThrow()
                        .replaceAll("\\s+", " ");
        assertEquals(
                "throughput at twice saturation (replies/s) 9,830 ✓ reached 10,813 ✓ reached 1.10"
                        + " ≥ 9,000 ",
                row);
    }

    @Test
    void chartsAreOverlaidWhereTheyFit() throws LabException {
        List<Chart> charts = Comparison.of(two()).charts();
        var first = (Lines) charts.getFirst();
        assertEquals(8, first.series().size());
        assertEquals("tandem, young", first.series().get(1).name());
        var bars = (Bars) charts.get(2);
        assertEquals(
                List.of("tandem, old", "tandem, young", "nginx, old", "nginx, young"),
                bars.series().stream().map(Series::name).toList());
        assertTrue(
                charts.stream()
                        .map(chart -> chart.caption().title())
                        .toList()
                        .containsAll(
                                List.of(
                                        "Throughput by configuration: old",
                                        "Throughput by configuration: young")));
    }

    @Test
    void foldersOfOneNameGetUniqueNames() throws LabException {
        Path a = folder.resolve("a/run");
        Path b = folder.resolve("b/run");
        SampleReport.report(1).write(a);
        SampleReport.report(1).write(b);
        assertEquals(
                List.of("a/run", "b/run"),
                Comparison.of(List.of(a, b)).runs().stream().map(Outcome::name).toList());
    }

    @Test
    void incomparableRunsAreRejectedInOneLine() throws LabException, IOException {
        List<Path> two = two();
        Path none = folder.resolve("none");
        assertEquals("a comparison needs at least two folders of results", exception(none));
        assertEquals(
                "no result.json in " + none + ": name what --out named",
                exception(two.getFirst(), none));
        Files.createDirectories(none);
        Files.writeString(none.resolve("result.json"), "{\n\"a\": }");
        assertTrue(
                exception(two.getFirst(), none).endsWith("no JSON: no value in line 2"),
                exception(two.getFirst(), none));
        Files.writeString(none.resolve("result.json"), "{\"experiment\": \"speed\"}");
        assertEquals(
                "old is of static, none of speed: compare runs of one experiment",
                exception(two.getFirst(), none));
        Files.writeString(none.resolve("result.json"), "{\"experiment\": 3}");
        assertTrue(exception(two.getFirst(), none).contains("is not a result of this version"));
    }

    private static String exception(Path... folders) {
        return assertThrows(LabException.class, () -> Comparison.of(List.of(folders))).line();
    }
}
