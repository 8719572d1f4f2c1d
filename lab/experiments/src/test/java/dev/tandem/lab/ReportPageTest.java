package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.HeatMap;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class ReportPageTest {
    /// Ends attributes, elements, comments and style sheets, has characters that XML cannot
    /// represent, and changes the direction of the following text.
    private static final String HOSTILE =
            "\"'><script>alert(1)</script></style>--><img src=x"
                    + " onerror=alert(1)>&amp;]]>\u0000\u202e";

    private static final String SHOWN =
            HOSTILE.replace('\u0000', '\ufffd').replace('\u202e', '\ufffd');

    private static Document page(Report report) throws IOException {
        return Xml.parse(ReportPage.of(report));
    }

    private static Report hostile() {
        var caption = new Caption(HOSTILE, HOSTILE);
        var axis = new Axis(HOSTILE, HOSTILE, false);
        var series = List.of(new Series(HOSTILE, List.of(new Point(0, 1, 1, 1))));
        var names = List.of(HOSTILE);
        var findings =
                new Findings(HOSTILE, HOSTILE)
                        .headline(new Headline(HOSTILE, 1, HOSTILE, Headline.Goal.atMost(1)))
                        .chart(Lines.of(caption, axis, axis, series))
                        .chart(Bars.of(caption, names, axis, series))
                        .chart(
                                new HeatMap(
                                        caption,
                                        HOSTILE,
                                        HOSTILE,
                                        names,
                                        names,
                                        axis,
                                        List.of(List.of(1.0))))
                        .table(HOSTILE, new Table(HOSTILE, HOSTILE).row(HOSTILE, HOSTILE))
                        .note(HOSTILE);
        var facts = Map.of(HOSTILE, HOSTILE, "date", HOSTILE);
        var origin =
                new Origin(HOSTILE, Form.FULL, HOSTILE, facts, 1, facts, facts, List.of(HOSTILE));
        return new Report(findings, origin, HOSTILE);
    }

    @Test
    void hostileTextIsEscapedEverywhere() throws IOException {
        Document page = page(hostile());
        assertEquals(List.of(), Xml.all(page, "script"));
        assertEquals(List.of(), Xml.all(page, "img"));
        assertEquals(List.of(SHOWN), Xml.texts(page, "h1"));
        assertTrue(Xml.texts(page, "h2").contains(SHOWN));
        assertTrue(Xml.texts(page, "code").contains(SHOWN));
    }

    @Test
    void hostileNamesDoNotBecomePaths() {
        assertEquals(
                List.of(
                        "script-alert-1-script-style-img-src-x-onerror-alert-1-amp.csv",
                        "script-alert-1-script-style-img-src-x-onerror-alert-1-amp-2.csv",
                        "script-alert-1-script-style-img-src-x-onerror-alert-1-amp-3.csv"),
                List.copyOf(hostile().files().keySet()));
    }

    @Test
    void pageHasNoExternalResources() throws IOException {
        String text = ReportPage.of(SampleReport.report(1));
        String own = text.replaceAll("http://www.w3.org/(1999/xhtml|2000/svg)", "");
        assertFalse(
                own.matches("(?s).*(https?:|//[a-z]|url\\(|@import|src=|href=).*"), "a reference");
        Document page = Xml.parse(text);
        assertEquals(List.of(), Xml.all(page, "script"));
        assertEquals(List.of(), Xml.all(page, "link"));
        List<String> policies =
                Xml.all(page, "meta").stream().map(meta -> meta.getAttribute("content")).toList();
        assertTrue(policies.contains("default-src 'none'; style-src 'unsafe-inline'"));
    }

    @Test
    void pageHasEverythingInOrder() throws IOException {
        assertEquals(
                List.of(
                        "Disturbed",
                        "Goals",
                        "Replies by clients",
                        "Response times",
                        "CPU per request",
                        "Where the time goes",
                        "Throughput by configuration",
                        "Replies in each second",
                        "Replies",
                        "Notes",
                        "Taken with"),
                Xml.texts(page(SampleReport.report(1)), "h2"));
    }

    @Test
    void everyChartHasBothSizesASentenceAndItsData() throws IOException {
        Document page = page(SampleReport.report(1));
        List<Element> figures = Xml.all(page, "figure");
        assertEquals(6, figures.size());
        for (Element figure : figures) {
            assertEquals(2, figure.getElementsByTagName("svg").getLength());
            assertEquals(1, figure.getElementsByTagName("details").getLength());
            assertTrue(figure.getElementsByTagName("p").item(0).getTextContent().endsWith("."));
            assertTrue(figure.getElementsByTagName("tr").getLength() > 5);
        }
    }

    @Test
    void verdictIsInWordsAndNotInColourAlone() throws IOException {
        List<String> verdicts =
                Xml.all(page(SampleReport.report(1)), "span").stream()
                        .filter(span -> span.getAttribute("class").startsWith("verdict"))
                        .map(Element::getTextContent)
                        .toList();
        assertEquals(List.of("✓ reached", "✗ not reached", "no goal", "not measured"), verdicts);
    }

    @Test
    void partialReportSaysSoFirst() throws IOException {
        Report whole = SampleReport.report(1);
        Document page = page(new Report(whole.findings(), whole.origin(), "tandem ended"));
        assertEquals("Partial", Xml.texts(page, "h2").getFirst());
    }

    @Test
    void everyClassOfADrawingHasAStyle() throws IOException {
        String text = ReportPage.of(SampleReport.report(1));
        String sheet = text.substring(text.indexOf("<style>"), text.indexOf("</style>"));
        var missing = new TreeSet<String>();
        for (Element svg : Xml.all(Xml.parse(text), "svg")) {
            var inner = svg.getElementsByTagName("*");
            for (int i = 0; i < inner.getLength(); i++) {
                String names = ((Element) inner.item(i)).getAttribute("class");
                missing.addAll(List.of(names.split(" ")));
            }
        }
        missing.removeIf(name -> name.isEmpty() || sheet.contains("." + name));
        assertEquals(Set.of("tick"), missing);
    }
}
