package dev.tandem.lab.papers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// All figures and tables that are repeated, or are to be.
final class Catalogue {
    private Catalogue() {}

    /// In the order of the papers.
    static List<PaperFigure> all() {
        var all = new ArrayList<PaperFigure>();
        all.addAll(SessionFigures.all());
        all.addAll(ThesisFigures.all());
        all.addAll(TemplateFigures.all());
        return all;
    }

    /// Returns those of some papers or figures.
    ///
    /// @param papers names such as `thesis`, separated by commas; empty for all
    /// @param figures names such as `thesis-4.18`, the same
    /// @throws IllegalArgumentException if there is no such paper or figure; names it
    static List<PaperFigure> chosen(String papers, String figures) {
        List<String> known = Stream.of(Paper.values()).map(Paper::id).toList();
        List<String> ofPapers = words("--paper", papers, known);
        List<String> ids = all().stream().flatMap(figure -> figure.ids().stream()).toList();
        List<String> named = words("--figure", figures, ids);
        return all().stream()
                .filter(
                        figure ->
                                ofPapers.isEmpty() && named.isEmpty()
                                        || ofPapers.contains(figure.paper().id())
                                        || figure.ids().stream().anyMatch(named::contains))
                .toList();
    }

    private static List<String> words(String option, String text, List<String> known) {
        List<String> words =
                Stream.of(text.split(","))
                        .map(word -> word.strip().toLowerCase(Locale.ROOT))
                        .filter(word -> !word.isEmpty())
                        .toList();
        for (String word : words) {
            if (!known.contains(word)) {
                throw new IllegalArgumentException(
                        option + " has no '" + word + "'; tandem lab run papers --list shows all");
            }
        }
        return words;
    }
}
