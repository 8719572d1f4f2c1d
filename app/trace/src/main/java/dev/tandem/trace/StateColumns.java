package dev.tandem.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;

/// The states of a trace's threads as a picture shows them: the time in columns, each with the
/// state that took most of it, and the most active threads as rows.
///
/// @param rows in the trace's order
/// @param omitted number of threads that did less, and have no row
public record StateColumns(List<Row> rows, int omitted) {
    /// 240: a column is as wide as a few pixels.
    public static final int COLUMNS = 240;

    /// Maximum rows, as many as fit a window: the most active threads.
    public static final int ROWS_MAX = 32;

    private static final int STATES = State.values().length;

    /// One thread.
    ///
    /// @param name without `tandem-`
    /// @param spans in order; between them the thread did not exist
    public record Row(String name, List<Span> spans) {}

    /// A time in one state.
    ///
    /// @param from seconds since the trace began
    /// @param to behind `from`
    public record Span(double from, double to, State state) {}

    public static StateColumns of(Trace trace) {
        var most =
                new HashSet<>(
                        trace.threads().stream()
                                .filter(thread -> busyNanos(thread) > 0)
                                .sorted(
                                        Comparator.comparingLong(StateColumns::busyNanos)
                                                .reversed())
                                .limit(ROWS_MAX)
                                .map(Trace.Thread::name)
                                .toList());
        List<Row> rows =
                trace.threads().stream()
                        .filter(thread -> most.contains(thread.name()))
                        .map(thread -> row(thread, trace.nanos()))
                        .toList();
        return new StateColumns(rows, trace.threads().size() - rows.size());
    }

    private static long busyNanos(Trace.Thread thread) {
        return thread.stretches().stream()
                .filter(stretch -> stretch.state() != State.IDLE)
                .mapToLong(stretch -> stretch.to() - stretch.from())
                .sum();
    }

    private static Row row(Trace.Thread thread, long nanos) {
        double width = Math.max(1, nanos) / (double) COLUMNS;
        var spent = new double[COLUMNS][STATES];
        for (Trace.Stretch stretch : thread.stretches()) {
            spend(stretch, width, spent);
        }
        var spans = new ArrayList<Span>();
        for (int column = 0; column < COLUMNS; column++) {
            int state = most(spent[column]);
            if (state >= 0) {
                double from = column * width / 1e9;
                add(spans, new Span(from, (column + 1) * width / 1e9, State.values()[state]));
            }
        }
        return new Row(thread.name().replaceFirst("^tandem-", ""), List.copyOf(spans));
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
    private static void add(List<Span> spans, Span span) {
        Span last = spans.isEmpty() ? span : spans.getLast();
        if (last.state() == span.state() && last.to() == span.from()) {
            spans.removeLast();
            spans.add(new Span(last.from(), span.to(), span.state()));
        } else {
            spans.add(span);
        }
    }
}
