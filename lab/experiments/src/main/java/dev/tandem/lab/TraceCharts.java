package dev.tandem.lab;

import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Series;
import dev.tandem.lab.chart.States;
import dev.tandem.trace.State;
import dev.tandem.trace.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;

/// Activity of the threads of a server, as in the pictures of Beltran's thesis (2008): states over
/// time (figure 3.20), and the share of each (figure 3.23).
///
/// @param trace the recording's contents
/// @param of what was recorded, in words
record TraceCharts(Trace trace, String of) {
    /// A column is as wide as a few pixels, and shows the state that took most of it.
    private static final int COLUMNS = 240;

    /// Maximum rows on a page: the most active threads.
    private static final int ROWS_MAX = 32;

    private static final State[] STATES = State.values();

    List<Chart> all() {
        return List.of(overTime(), shares());
    }

    private States overTime() {
        List<Trace.Thread> shown = shown();
        int left = trace.threads().size() - shown.size();
        String rest = left == 0 ? "" : " " + left + " that did less are left out.";
        return new States(
                new Caption(
                        "States over time: " + of,
                        "Each column has the state that took most of it, of each thread." + rest),
                Axis.linear("time", "s"),
                Arrays.stream(STATES).map(State::label).toList(),
                shown.stream().map(this::row).toList());
    }

    /// The most active threads, in the trace's order.
    private List<Trace.Thread> shown() {
        var most =
                new HashSet<>(
                        trace.threads().stream()
                                .filter(thread -> busyNanos(thread) > 0)
                                .sorted(Comparator.comparingLong(TraceCharts::busyNanos).reversed())
                                .limit(ROWS_MAX)
                                .map(Trace.Thread::name)
                                .toList());
        return trace.threads().stream().filter(thread -> most.contains(thread.name())).toList();
    }

    private static long busyNanos(Trace.Thread thread) {
        return thread.stretches().stream()
                .filter(stretch -> stretch.state() != State.IDLE)
                .mapToLong(stretch -> stretch.to() - stretch.from())
                .sum();
    }

    private States.Row row(Trace.Thread thread) {
        double width = Math.max(1, trace.nanos()) / (double) COLUMNS;
        var spent = new double[COLUMNS][STATES.length];
        for (Trace.Stretch stretch : thread.stretches()) {
            spend(stretch, width, spent);
        }
        var spans = new ArrayList<States.Span>();
        for (int column = 0; column < COLUMNS; column++) {
            int state = most(spent[column]);
            if (state >= 0) {
                add(
                        spans,
                        new States.Span(column * width / 1e9, (column + 1) * width / 1e9, state));
            }
        }
        return new States.Row(thread.name().replaceFirst("^tandem-", ""), spans);
    }

    private static void spend(Trace.Stretch stretch, double width, double[][] spent) {
        int first = Math.clamp((long) (stretch.from() / width), 0, COLUMNS - 1);
        int last = Math.clamp((long) (stretch.to() / width), 0, COLUMNS - 1);
        for (int column = first; column <= last; column++) {
            double from = Math.max(stretch.from(), column * width);
            double to = Math.min(stretch.to(), (column + 1) * width);
            spent[column][stretch.state().ordinal()] += Math.max(0, to - from);
        }
    }

    /// -1 if the thread was not there.
    private static int most(double[] spent) {
        int most = -1;
        for (int state = 0; state < spent.length; state++) {
            if (spent[state] > (most < 0 ? 0 : spent[most])) {
                most = state;
            }
        }
        return most;
    }

    /// Merges the span with the one before if the state is the same.
    private static void add(List<States.Span> spans, States.Span span) {
        States.Span last = spans.isEmpty() ? span : spans.getLast();
        if (last.state() == span.state() && last.to() == span.from()) {
            spans.removeLast();
            spans.add(new States.Span(last.from(), span.to(), span.state()));
        } else {
            spans.add(span);
        }
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
