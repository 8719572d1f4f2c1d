package dev.tandem.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Combines a thread's states. Events give the start and end of its waits. The time between them is
/// a gap: the thread was running or runnable, or the kernel blocked it for a reason that the JVM
/// does not see (a file sent, a page read in). The kernel's counts give the length of each for
/// every few milliseconds, and each gap gets its part: first ready, since a woken thread waits for
/// a processor, then running, then blocked. So the sums are exact, and the moments within such a
/// window are an estimate.
final class Timeline {
    /// A tenth: clocks that are read one after the other differ by less.
    private static final double NOISE = 0.1;

    private final ThreadFacts facts;
    private final long from;
    private final long to;
    private final List<Trace.Stretch> stretches = new ArrayList<>();
    private final List<Gap> gaps = new ArrayList<>();

    /// The first gap that is not over yet, of the current window.
    private int gap;

    private record Gap(long from, long to) {
        long within(long begin, long end) {
            return Math.max(0, Math.min(to, end) - Math.max(from, begin));
        }
    }

    private Timeline(ThreadFacts facts, long nanos) {
        this.facts = facts;
        this.from = Math.max(0, facts.started);
        this.to = Math.min(nanos, facts.ended);
    }

    /// @param nanos the length of the trace
    static List<Trace.Stretch> of(ThreadFacts facts, long nanos) {
        var timeline = new Timeline(facts, nanos);
        timeline.layWaits();
        timeline.fillGaps();
        return timeline.joined();
    }

    private void layWaits() {
        facts.waits.sort(Comparator.comparingLong(Trace.Stretch::from));
        long at = from;
        for (Trace.Stretch wait : facts.waits) {
            long begin = Math.max(wait.from(), at);
            long end = Math.min(wait.to(), to);
            if (begin < end) {
                addGap(at, begin);
                stretches.add(new Trace.Stretch(begin, end, wait.state()));
                at = end;
            }
        }
        addGap(at, to);
    }

    private void addGap(long begin, long end) {
        if (begin < end) {
            gaps.add(new Gap(begin, end));
        }
    }

    private void fillGaps() {
        long known = from;
        for (int i = 1; i < facts.cpuSamples.size(); i++) {
            ThreadFacts.CpuSample first = facts.cpuSamples.get(i - 1);
            ThreadFacts.CpuSample second = facts.cpuSamples.get(i);
            fillUncounted(known, Math.max(known, first.at()));
            fillWindow(first, second);
            known = Math.max(known, second.at());
        }
        fillUncounted(known, to);
    }

    /// Fills the time without the kernel's counts: before its first wait and after its last, a
    /// thread has its sampled state; between them it ran.
    private void fillUncounted(long begin, long end) {
        for (Gap gap : gaps) {
            boolean isFirst = gap.from == from && facts.first == State.IDLE;
            boolean isLast = gap.to == to && facts.last == State.IDLE;
            boolean isAtRest = (isFirst || isLast) && facts.blockedState(gap.from) == State.IDLE;
            add(
                    Math.max(gap.from, begin),
                    Math.min(gap.to, end),
                    isAtRest ? State.IDLE : State.RUNNING);
        }
    }

    private void fillWindow(ThreadFacts.CpuSample first, ThreadFacts.CpuSample second) {
        long begin = first.at();
        long end = second.at();
        while (gap < gaps.size() && gaps.get(gap).to <= begin) {
            gap++;
        }
        List<Gap> within = gaps.stream().skip(gap).takeWhile(next -> next.from < end).toList();
        long open = within.stream().mapToLong(next -> next.within(begin, end)).sum();
        if (open == 0) {
            return;
        }
        double running = Math.max(0, second.running() - first.running());
        double ready = Math.max(0, second.ready() - first.ready());
        double all = Math.max(open, running + ready);
        double readyPart = ready / all;
        double heldPart = 1 - readyPart - running / all;
        if (heldPart < NOISE) {
            heldPart = 0;
        }
        for (Gap next : within) {
            fill(Math.max(next.from, begin), Math.min(next.to, end), readyPart, heldPart);
        }
    }

    private void fill(long begin, long end, double readyPart, double heldPart) {
        if (begin >= end) {
            return;
        }
        long runs = begin + (long) ((end - begin) * readyPart);
        long held = end - (long) ((end - begin) * heldPart);
        add(begin, runs, State.READY);
        add(runs, held, State.RUNNING);
        add(held, end, facts.blockedState(held));
    }

    private void add(long begin, long end, State state) {
        if (begin < end) {
            stretches.add(new Trace.Stretch(begin, end, state));
        }
    }

    private List<Trace.Stretch> joined() {
        stretches.sort(Comparator.comparingLong(Trace.Stretch::from));
        var joined = new ArrayList<Trace.Stretch>();
        for (Trace.Stretch next : stretches) {
            Trace.Stretch last = joined.isEmpty() ? null : joined.getLast();
            if (last != null && last.state() == next.state() && last.to() == next.from()) {
                joined.removeLast();
                joined.add(new Trace.Stretch(last.from(), next.to(), next.state()));
            } else {
                joined.add(next);
            }
        }
        return List.copyOf(joined);
    }
}
