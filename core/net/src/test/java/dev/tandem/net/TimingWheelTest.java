package dev.tandem.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.net.TimingWheel.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimingWheelTest {
    private static final long TICK = TimingWheel.TICK_NANOS;
    private static final long ORIGIN = 123_456_789_000L;

    /// More than the number of slots.
    private static final long FAR = 3000 * TICK;

    private final TimingWheel wheel = new TimingWheel(ORIGIN);
    private final List<String> fired = new ArrayList<>();

    private Deadline deadline(String name) {
        return new Deadline(() -> fired.add(name));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, TICK - 1, TICK, TICK + 1, 1000 * TICK, 1024 * TICK, FAR, 86400 * FAR})
    void deadlineFiresAtMostOneTickLateAndNeverEarly(long after) {
        wheel.schedule(deadline("a"), ORIGIN + after);
        wheel.advance(ORIGIN + after - 1);
        assertEquals(List.of(), fired);
        wheel.advance(ORIGIN + after + TICK);
        assertEquals(List.of("a"), fired);
    }

    @Test
    void deadlineFiresOnce() {
        wheel.schedule(deadline("a"), ORIGIN + TICK);
        for (int i = 0; i < 5000; i++) {
            wheel.advance(ORIGIN + i * TICK);
        }
        assertEquals(List.of("a"), fired);
        assertEquals(0, wheel.count());
    }

    @Test
    void pastDeadlineFiresWithNextTick() {
        wheel.advance(ORIGIN + 10 * TICK);
        wheel.schedule(deadline("a"), ORIGIN - FAR);
        wheel.advance(ORIGIN + 10 * TICK);
        assertEquals(List.of(), fired);
        wheel.advance(ORIGIN + 11 * TICK);
        assertEquals(List.of("a"), fired);
    }

    @Test
    void cancelledDeadlineDoesNotFire() {
        Deadline a = deadline("a");
        wheel.schedule(a, ORIGIN + TICK);
        wheel.cancel(a);
        wheel.advance(ORIGIN + FAR);
        assertEquals(List.of(), fired);
        assertEquals(0, wheel.count());
    }

    @Test
    void secondCancelHasNoEffect() {
        Deadline a = deadline("a");
        wheel.schedule(a, ORIGIN + TICK);
        wheel.schedule(deadline("b"), ORIGIN + TICK);
        wheel.cancel(a);
        wheel.cancel(a);
        assertEquals(1, wheel.count());
        wheel.advance(ORIGIN + TICK);
        assertEquals(List.of("b"), fired);
    }

    @Test
    void movedDeadlineFiresAtNewTimeOnly() {
        Deadline a = deadline("a");
        wheel.schedule(a, ORIGIN + TICK);
        wheel.schedule(a, ORIGIN + 5 * TICK);
        assertEquals(1, wheel.count());
        wheel.advance(ORIGIN + 4 * TICK);
        assertEquals(List.of(), fired);
        wheel.advance(ORIGIN + 5 * TICK);
        assertEquals(List.of("a"), fired);
    }

    @Test
    void deadlineOfLaterRevolutionWaits() {
        wheel.schedule(deadline("late"), ORIGIN + (1024 + 7) * TICK);
        wheel.schedule(deadline("early"), ORIGIN + 7 * TICK);
        wheel.advance(ORIGIN + 7 * TICK);
        assertEquals(List.of("early"), fired);
        wheel.advance(ORIGIN + (1024 + 7) * TICK);
        assertEquals(List.of("early", "late"), fired);
    }

    @Test
    void actionMayCancelOtherDeadline() {
        Deadline b = deadline("b");
        wheel.schedule(b, ORIGIN + TICK);
        wheel.schedule(new Deadline(() -> wheel.cancel(b)), ORIGIN + TICK);
        wheel.advance(ORIGIN + TICK);
        assertEquals(List.of(), fired);
        assertEquals(0, wheel.count());
    }

    @Test
    void actionMayScheduleDeadlines() {
        Deadline b = deadline("b");
        wheel.schedule(new Deadline(() -> wheel.schedule(b, ORIGIN + TICK)), ORIGIN + TICK);
        wheel.advance(ORIGIN + 3 * TICK);
        assertEquals(List.of(), fired);
        wheel.advance(ORIGIN + 4 * TICK);
        assertEquals(List.of("b"), fired);
    }

    @Test
    void actionMayMoveOneThatIsDueToo() {
        Deadline b = deadline("b");
        wheel.schedule(b, ORIGIN + TICK);
        wheel.schedule(new Deadline(() -> wheel.schedule(b, ORIGIN + 5 * TICK)), ORIGIN + TICK);
        wheel.advance(ORIGIN + TICK);
        assertEquals(List.of(), fired);
        assertEquals(1, wheel.count());
        wheel.advance(ORIGIN + 5 * TICK);
        assertEquals(List.of("b"), fired);
    }

    @Test
    void failingActionDoesNotStopOthers() {
        for (int i = 1; i <= 3; i++) {
            wheel.schedule(deadline("before"), ORIGIN + i * TICK);
            wheel.schedule(
                    new Deadline(
                            () -> {
                                throw new IllegalStateException("on purpose");
                            }),
                    ORIGIN + i * TICK);
            wheel.schedule(deadline("after"), ORIGIN + i * TICK);
        }
        assertThrows(IllegalStateException.class, () -> wheel.advance(ORIGIN + 3 * TICK));
        assertEquals(6, fired.size());
        assertEquals(0, wheel.count());
        wheel.advance(ORIGIN + 4 * TICK);
    }

    @Test
    void sleepWithoutDeadlineIsMinusOne() {
        assertEquals(-1, wheel.sleepNanos(ORIGIN));
    }

    @Test
    void sleepIsPositiveAndNeverTooLong() {
        wheel.schedule(deadline("a"), ORIGIN + 10 * TICK + 1);
        assertTrue(wheel.sleepNanos(ORIGIN) <= 11 * TICK);
        assertEquals(1, wheel.sleepNanos(ORIGIN + FAR));
    }

    /// Compares with a list of due deadlines, in seeded random order.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void wheelBehavesLikeReferenceList(long seed) {
        var random = new Random(seed);
        var model = new Model(random.nextInt(1, 60));
        long now = ORIGIN;
        for (int step = 0; step < 20_000; step++) {
            int which = random.nextInt(model.due.length);
            switch (random.nextInt(4)) {
                case 0, 1 -> model.schedule(which, now + distance(random), now);
                case 2 -> model.cancel(which);
                default -> {
                    now += distance(random) / 4;
                    model.advance(now);
                }
            }
        }
        model.advance(now + 10 * FAR);
        assertEquals(0, wheel.count());
    }

    private static long distance(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong(TICK * 2);
            case 1 -> random.nextLong(TICK * 50);
            case 2 -> random.nextLong(TICK * 1100);
            default -> random.nextLong(FAR);
        };
    }

    private final class Model {
        /// The latest time at which each fires; -1 if it is not set.
        private final long[] due;

        private final boolean[] hasFired;
        private final Deadline[] deadlines;

        Model(int size) {
            due = new long[size];
            hasFired = new boolean[size];
            deadlines = new Deadline[size];
            for (int i = 0; i < size; i++) {
                int which = i;
                due[i] = -1;
                deadlines[i] = new Deadline(() -> fire(which));
            }
        }

        private void fire(int which) {
            assertFalse(hasFired[which], "fired twice");
            assertTrue(due[which] >= 0, "fired, but was not set");
            hasFired[which] = true;
        }

        void schedule(int which, long at, long now) {
            wheel.schedule(deadlines[which], at);
            due[which] = Math.max(at, now);
            hasFired[which] = false;
        }

        void cancel(int which) {
            wheel.cancel(deadlines[which]);
            due[which] = -1;
        }

        void advance(long now) {
            long sleep = wheel.sleepNanos(now);
            wheel.advance(now);
            for (int i = 0; i < due.length; i++) {
                check(i, now);
                if (due[i] >= 0) {
                    assertTrue(sleep >= 0 || hasFired[i], "a deadline and no reason to wake");
                    due[i] = hasFired[i] ? -1 : due[i];
                }
                hasFired[i] = false;
            }
        }

        private void check(int which, long now) {
            if (hasFired[which]) {
                assertTrue(due[which] <= now, "early by " + (due[which] - now));
            } else if (due[which] >= 0) {
                assertTrue(now - due[which] < 2 * TICK, "late by " + (now - due[which]));
            }
        }
    }
}
