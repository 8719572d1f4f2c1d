package dev.tandem.lab;

import dev.tandem.lab.chart.Chart;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What an experiment has found so far. Filled by one thread; not changed once it is kept.
final class Findings {
    private final String title;
    private final String question;
    private final List<Headline> headline = new ArrayList<>();
    private final List<Chart> charts = new ArrayList<>();
    private final Map<String, Table> tables = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();
    private final Map<String, @Nullable Object> data = new LinkedHashMap<>();
    private final List<String> doubts = new ArrayList<>();
    private String verdict = "";

    /// @param title of the report, in a few words
    /// @param question the question and the method, in a sentence or two for the report's reader
    Findings(String title, String question) {
        this.title = title;
        this.question = question;
    }

    /// Adds figures for which the experiment was designed.
    Findings headline(Collection<Headline> lines) {
        headline.addAll(lines);
        return this;
    }

    /// Adds one such figure.
    Findings headline(Headline line) {
        headline.add(line);
        return this;
    }

    Findings chart(Chart chart) {
        charts.add(chart);
        return this;
    }

    Findings table(String name, Table table) {
        tables.put(name, table);
        return this;
    }

    /// Adds what a reader must know to believe the figures, a sentence each.
    Findings notes(Collection<String> sentences) {
        notes.addAll(sentences);
        return this;
    }

    Findings note(String sentence) {
        notes.add(sentence);
        return this;
    }

    /// Adds data to `result.json`: every single measurement.
    ///
    /// @param value as [Json] accepts it
    Findings data(String name, @Nullable Object value) {
        data.put(name, value);
        return this;
    }

    /// Adds several data to `result.json`.
    Findings data(Map<String, @Nullable Object> values) {
        data.putAll(values);
        return this;
    }

    /// Sets the sentence that says which contender is ahead; empty for the goals' own sentence.
    Findings verdict(String sentence) {
        verdict = sentence;
        return this;
    }

    /// Adds what makes figures doubtful, for the top of the report.
    Findings doubt(Optional<String> sentence) {
        sentence.ifPresent(doubts::add);
        return this;
    }

    /// Returns the result in a sentence or two: which contender is ahead, where there are several,
    /// and which goals are reached. Empty if there is neither.
    String verdict() {
        String goals = Headline.goals(headline);
        return verdict.isEmpty() || goals.isEmpty() ? verdict + goals : verdict + " " + goals;
    }

    List<String> doubts() {
        return Collections.unmodifiableList(doubts);
    }

    String title() {
        return title;
    }

    String question() {
        return question;
    }

    List<Headline> headline() {
        return Collections.unmodifiableList(headline);
    }

    List<Chart> charts() {
        return Collections.unmodifiableList(charts);
    }

    Map<String, Table> tables() {
        return Collections.unmodifiableMap(tables);
    }

    List<String> notes() {
        return Collections.unmodifiableList(notes);
    }

    Map<String, @Nullable Object> data() {
        return Collections.unmodifiableMap(data);
    }
}
