package dev.tandem.lab.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.lab.Form;
import dev.tandem.lab.Setting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CatalogueTest {

    /// Of the five papers, those that are no drawings of architectures.
    private static List<String> published() {
        var ids = new ArrayList<String>();
        add(ids, "icpads-", 1, 6);
        add(ids, "hpcc-", 1, 7);
        add(ids, "server2012-", 3, 5);
        add(ids, "thesis-3.", 1, 23);
        add(ids, "thesis-4.", 14, 19);
        add(ids, "thesis-5.", 4, 12);
        add(ids, "thesis-5.", 14, 15);
        add(ids, "dsn-", 8, 10);
        ids.addAll(List.of("thesis-table-3.1", "thesis-table-3.2", "dsn-table-3", "dsn-table-4"));
        return ids;
    }

    private static void add(List<String> ids, String prefix, int first, int last) {
        IntStream.rangeClosed(first, last).forEach(i -> ids.add(prefix + i));
    }

    @Test
    void everyFigureIsThereOnce() {
        List<String> ids =
                Catalogue.all().stream().flatMap(figure -> figure.ids().stream()).toList();
        assertEquals(new TreeSet<>(published()), new TreeSet<>(ids));
        assertEquals(published().size(), ids.size());
    }

    @Test
    void everyRunIsAnExperimentWithSettingsThatItHas() {
        for (PaperFigure figure : Catalogue.all()) {
            for (Shown run : figure.runs()) {
                assertTrue(!run.charts().isEmpty(), figure.id());
            }
            for (Job job : figure.jobs()) {
                Set<String> settings =
                        job.run().settings().stream()
                                .map(Setting::name)
                                .collect(Collectors.toSet());
                assertTrue(settings.containsAll(job.options().keySet()), job.toString());
                assertTrue(job.seconds(Form.QUICK) > 0, job.toString());
            }
        }
    }

    @Test
    void jobsOfOneNameAreOneJob() {
        var names = new TreeSet<String>();
        var jobs = new HashSet<Job>();
        for (PaperFigure figure : Catalogue.all()) {
            for (Job job : figure.jobs()) {
                assertTrue(!jobs.add(job) || names.add(job.name()), job.name());
            }
        }
    }

    @Test
    void everyFigureSaysWhatThePaperShowedAndWhyOursDiffers() {
        for (PaperFigure figure : Catalogue.all()) {
            assertTrue(figure.showed().endsWith("."), figure.id());
            assertTrue(!figure.theirs().isBlank(), figure.id());
            assertTrue(!figure.runs().isEmpty() || !figure.why().isBlank(), figure.id());
            assertTrue(
                    !figure.checks().isEmpty() || !figure.why().isBlank(),
                    figure.id() + " is not judged, and does not say why");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', thesis-4.18, thesis-4.18",
        "'', thesis-3.4, thesis-3.1",
        "dsn, '', dsn-8 dsn-9 dsn-table-3 dsn-table-4",
        "server2012, icpads-1, icpads-1 server2012-3 server2012-4 server2012-5"
    })
    void figuresAreChosenByPaperAndByName(String papers, String figures, String chosen) {
        List<PaperFigure> found = Catalogue.chosen(papers, figures);
        assertEquals(chosen, found.stream().map(PaperFigure::id).collect(Collectors.joining(" ")));
    }

    @ParameterizedTest
    @CsvSource({"thesiss, ''", "'', thesis-9.9"})
    void unknownNameIsRejected(String papers, String figures) {
        var e =
                assertThrows(
                        IllegalArgumentException.class, () -> Catalogue.chosen(papers, figures));
        assertTrue(String.valueOf(e.getMessage()).contains("--list"), e.getMessage());
    }
}
