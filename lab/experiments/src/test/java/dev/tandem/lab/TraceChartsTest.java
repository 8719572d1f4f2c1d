package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.States;
import dev.tandem.trace.State;
import dev.tandem.trace.Trace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceChartsTest {
    private static final long SECOND = 1_000_000_000;

    private static Trace.Thread thread(String name, Trace.Stretch... stretches) {
        return new Trace.Thread(name, List.of(stretches), List.of());
    }

    private static Trace.Stretch stretch(double from, double to, State state) {
        return new Trace.Stretch((long) (from * SECOND), (long) (to * SECOND), state);
    }

    private static States drawn(Trace trace) {
        return assertInstanceOf(States.class, new TraceCharts(trace, "x").all().getFirst());
    }

    @Test
    void columnHasItsLongestState() {
        var trace =
                new Trace(
                        Instant.EPOCH,
                        240 * SECOND,
                        List.of(
                                thread(
                                        "tandem-worker-1",
                                        stretch(2, 3.3, State.IDLE),
                                        stretch(3.3, 5, State.RUNNING),
                                        stretch(5, 5.4, State.BLOCKED_IO),
                                        stretch(5.4, 6, State.READY))));
        States.Row row = drawn(trace).rows().getFirst();
        assertEquals("worker-1", row.name());
        assertEquals(
                List.of(
                        new States.Span(2, 3, State.IDLE.ordinal()),
                        new States.Span(3, 5, State.RUNNING.ordinal()),
                        new States.Span(5, 6, State.READY.ordinal())),
                row.spans());
    }

    @Test
    void idleThreadsAreLeftOutAndTheBusiestKeepTheirOrder() {
        var threads = new ArrayList<Trace.Thread>();
        threads.add(thread("tandem-loop-1", stretch(0, 1, State.IDLE)));
        for (int i = 1; i <= 40; i++) {
            threads.add(thread("tandem-worker-" + i, stretch(0, i * 0.01, State.RUNNING)));
        }
        States states = drawn(new Trace(Instant.EPOCH, SECOND, threads));
        assertEquals(32, states.rows().size());
        assertEquals("worker-9", states.rows().getFirst().name());
        assertEquals("worker-40", states.rows().getLast().name());
        assertTrue(states.caption().shows().contains("9 that did less"));
    }

    @Test
    void sharesAreOfLoopsAndOfWorkers() {
        var trace =
                new Trace(
                        Instant.EPOCH,
                        SECOND,
                        List.of(
                                thread("tandem-loop-1-a", stretch(0, 1, State.IDLE)),
                                thread(
                                        "tandem-worker-1",
                                        stretch(0, 0.25, State.RUNNING),
                                        stretch(0.25, 1, State.BLOCKED_SYNCH))));
        Bars bars = assertInstanceOf(Bars.class, new TraceCharts(trace, "x").all().getLast());
        double[] ofWorkers = new double[State.values().length];
        for (State state : State.values()) {
            ofWorkers[state.ordinal()] = bars.series().get(state.ordinal()).points().get(1).y();
        }
        assertEquals(25, ofWorkers[State.RUNNING.ordinal()], 1e-9);
        assertEquals(75, ofWorkers[State.BLOCKED_SYNCH.ordinal()], 1e-9);
        assertEquals(100, bars.series().getFirst().points().getFirst().y(), 1e-9);
    }

    @Test
    void emptyTraceIsDrawn() {
        States states = drawn(new Trace(Instant.EPOCH, 0, List.of()));
        assertEquals(List.of(), states.rows());
    }
}
