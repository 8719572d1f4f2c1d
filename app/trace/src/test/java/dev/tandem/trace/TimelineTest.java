package dev.tandem.trace;

import static dev.tandem.trace.State.BLOCKED_IO;
import static dev.tandem.trace.State.BLOCKED_SYNCH;
import static dev.tandem.trace.State.IDLE;
import static dev.tandem.trace.State.READY;
import static dev.tandem.trace.State.RUNNING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// How a thread's states are combined from the recorded data.
class TimelineTest {
    private final ThreadFacts facts = new ThreadFacts("tandem-worker-1");

    private void wait(long from, long to, State state) {
        facts.waits.add(new Trace.Stretch(from, to, state));
    }

    private void request(long from, long to) {
        facts.requests.put(from, new Trace.Request(from, to, to, 0, "GET /", "HTTP/1.1", 0, 200));
    }

    private void use(long at, long running, long ready) {
        facts.cpuSamples.add(new ThreadFacts.CpuSample(at, running, ready));
    }

    private static Trace.Stretch is(long from, long to, State state) {
        return new Trace.Stretch(from, to, state);
    }

    private List<Trace.Stretch> states() {
        return Timeline.of(facts, 1000);
    }

    @Test
    void threadRunsBetweenItsWaits() {
        wait(100, 200, IDLE);
        wait(600, 700, BLOCKED_SYNCH);
        assertEquals(
                List.of(
                        is(0, 100, RUNNING),
                        is(100, 200, IDLE),
                        is(200, 600, RUNNING),
                        is(600, 700, BLOCKED_SYNCH),
                        is(700, 1000, RUNNING)),
                states());
    }

    @Test
    void waitsAreCutAtTheEndsOfTheTraceAndOfOthers() {
        wait(-50, 200, IDLE);
        wait(150, 300, BLOCKED_IO);
        wait(900, 1100, IDLE);
        assertEquals(
                List.of(
                        is(0, 200, IDLE),
                        is(200, 300, BLOCKED_IO),
                        is(300, 900, RUNNING),
                        is(900, 1000, IDLE)),
                states());
    }

    @Test
    void kernelCountsGiveTheReadyTime() {
        wait(0, 500, IDLE);
        use(0, 0, 0);
        use(1000, 300, 200);
        assertEquals(
                List.of(is(0, 500, IDLE), is(500, 700, READY), is(700, 1000, RUNNING)), states());
    }

    @Test
    void uncountedTimeInARequestIsBlocked() {
        request(400, 1000);
        wait(0, 400, IDLE);
        use(0, 0, 0);
        use(1000, 100, 0);
        assertEquals(
                List.of(is(0, 400, IDLE), is(400, 500, RUNNING), is(500, 1000, BLOCKED_IO)),
                states());
    }

    @Test
    void threadWithoutEventsIsIdle() {
        use(0, 70, 7);
        use(1000, 70, 7);
        assertEquals(List.of(is(0, 1000, IDLE)), states());
    }

    @Test
    void waitWithoutEventsHasTheSampledState() {
        facts.first = BLOCKED_SYNCH;
        facts.last = BLOCKED_SYNCH;
        use(0, 70, 7);
        use(1000, 70, 7);
        assertEquals(List.of(is(0, 1000, BLOCKED_SYNCH)), states());
    }

    @Test
    void unfinishedRequestAfterAnIdleTimeIsShown() {
        facts.first = IDLE;
        facts.last = BLOCKED_SYNCH;
        wait(100, 400, IDLE);
        use(0, 0, 0);
        use(400, 0, 0);
        use(1000, 0, 0);
        assertEquals(List.of(is(0, 400, IDLE), is(400, 1000, BLOCKED_SYNCH)), states());
    }

    @Test
    void threadWithoutKernelCountsIsIdleWhereSampledIdle() {
        facts.first = IDLE;
        facts.last = IDLE;
        assertEquals(List.of(is(0, 1000, IDLE)), states());
    }

    @Test
    void threadHasStatesFromItsStartToItsEnd() {
        facts.started = 100;
        facts.ended = 300;
        assertEquals(List.of(is(100, 300, RUNNING)), states());
    }

    @Test
    void stretchesHaveNoOverlapAndNoGapForRandomRecordings() {
        for (int seed = 0; seed < 200; seed++) {
            List<Trace.Stretch> states = Timeline.of(random(new Random(seed)), 1000);
            long at = 0;
            for (Trace.Stretch s : states) {
                assertEquals(at, s.from(), "seed " + seed + ": " + states);
                assertTrue(s.to() > s.from(), "seed " + seed + ": " + states);
                at = s.to();
            }
            assertEquals(1000, at, "seed " + seed + ": " + states);
        }
    }

    private static ThreadFacts random(Random random) {
        var facts = new ThreadFacts("tandem-worker-1");
        State[] states = State.values();
        for (int i = random.nextInt(8); i > 0; i--) {
            long from = random.nextInt(1200) - 100;
            State state = states[random.nextInt(states.length)];
            facts.waits.add(new Trace.Stretch(from, from + random.nextInt(200), state));
        }
        long running = 0;
        for (int at = random.nextInt(100); at < 1100; at += 50 + random.nextInt(100)) {
            facts.cpuSamples.add(new ThreadFacts.CpuSample(at, running, running / 2));
            running += random.nextInt(100);
        }
        facts.first = random.nextBoolean() ? null : states[random.nextInt(states.length)];
        return facts;
    }
}
