package dev.tandem.lab;

import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Series;
import dev.tandem.lab.chart.States;
import dev.tandem.trace.State;
import dev.tandem.trace.StateColumns;
import dev.tandem.trace.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Activity of the threads of a server: states over time, and the share of each. [PhaseCharts] are
/// of any server.
///
/// @param trace the recording's contents
/// @param of what was recorded, in words
record TraceCharts(Trace trace, String of) {
    private static final State[] STATES = State.values();

    List<Chart> all() {
        return List.of(overTime(), shares());
    }

    private States overTime() {
        StateColumns columns = StateColumns.of(trace);
        int left = columns.omitted();
        String rest = left == 0 ? "" : " " + left + " that did less are left out.";
        return new States(
                new Caption(
                        "States over time: " + of,
                        "Each column has the state that took most of it, of each thread." + rest),
                Axis.linear("time", "s"),
                Arrays.stream(STATES).map(State::label).toList(),
                columns.rows().stream().map(TraceCharts::row).toList());
    }

    private static States.Row row(StateColumns.Row row) {
        return new States.Row(
                row.name(),
                row.spans().stream()
                        .map(s -> new States.Span(s.from(), s.to(), s.state().ordinal()))
                        .toList());
    }

    private Bars shares() {
        var series = new ArrayList<Series>();
        for (State state : STATES) {
            series.add(
                    Series.ofBars(
                            state.label(),
                            100 * trace.share(state, true),
                            100 * trace.share(state, false)));
        }
        return Bars.stacked(
                new Caption(
                        "Share of states: " + of,
                        "Of the time of all loop threads, and of all workers."),
                List.of("loops", "workers"),
                Axis.linear("share of time", "%"),
                series);
    }
}
