package dev.tandem.lab.chart;

import java.util.ArrayList;
import java.util.List;

/// States of several subjects over time: a row each, whose colour is its state. Immutable.
///
/// @param time axis of the rows; never logarithmic
/// @param states their names; a state is an index here
/// @param rows from the top
public record States(Caption caption, Axis time, List<String> states, List<Row> rows)
        implements Chart {

    /// One subject.
    ///
    /// @param spans one after the other; the state between them is unknown
    public record Row(String name, List<Span> spans) {
        public Row {
            spans = List.copyOf(spans);
        }
    }

    /// A time in one state.
    ///
    /// @param state an index of the states' names
    public record Span(double from, double to, int state) {}

    public States {
        if (time.isLog()) {
            throw new IllegalArgumentException("states have no logarithmic axis");
        }
        states = List.copyOf(states);
        rows = List.copyOf(rows);
        for (Row row : rows) {
            for (Span span : row.spans) {
                if (span.state < 0 || span.state >= states.size()) {
                    throw new IllegalArgumentException("there is no state " + span.state);
                }
            }
        }
    }

    @Override
    public DataTable data() {
        var lines = new ArrayList<DataTable.Row>();
        for (Row row : rows) {
            for (Span span : row.spans) {
                lines.add(
                        new DataTable.Row(
                                List.of(row.name, states.get(span.state)),
                                List.of(span.from, span.to)));
            }
        }
        return new DataTable(List.of("row", "state", "from " + time.label(), "to"), lines);
    }

    @Override
    public int omitted() {
        return (int) rows.stream().flatMap(row -> row.spans.stream()).filter(s -> !fits(s)).count();
    }

    /// Whether it has a position; spans without one are omitted.
    boolean fits(Span span) {
        return time.hasPlaceFor(span.from) && time.hasPlaceFor(span.to) && span.from < span.to;
    }
}
