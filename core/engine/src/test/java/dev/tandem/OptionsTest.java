package dev.tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class OptionsTest {
    private static final Options DEFAULT = Options.DEFAULT;
    private static final long DAY = Duration.ofDays(1).toMillis();

    /// @param with sets it; times are in milliseconds
    private record Bound(String name, long min, long max, LongFunction<Options> with) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final List<Bound> BOUNDS =
            List.of(
                    limit(
                            "connectionsMax",
                            1,
                            Integer.MAX_VALUE,
                            Options.Limits::withConnectionsMax),
                    limit("backlog", 1, 65_535, Options.Limits::withBacklog),
                    limit("eventStreamsMax", 0, 65_536, Options.Limits::withEventStreamsMax),
                    limit("headMax", 1_024, 65_536, OptionsTest::withHeadMax),
                    new Bound(
                            "bodyMax", 0, 1L << 62, n -> DEFAULT.withLimits(l -> l.withBodyMax(n))),
                    time("timeouts.idle", 0, (t, d) -> t.withIdle(d)),
                    time("timeouts.head", 1, (t, d) -> t.withHead(d)),
                    time("timeouts.handshake", 1, (t, d) -> t.withHandshake(d)),
                    time("bodyGrace", 1, (t, d) -> t.withBodyGrace(d)),
                    time("writeStall", 1, (t, d) -> t.withWriteStall(d)),
                    time("linger", 1, (t, d) -> t.withLinger(d)),
                    time("stopGrace", 0, (t, d) -> t.withStopGrace(d)),
                    new Bound(
                            "bodyRateMin",
                            0,
                            1L << 40,
                            n -> DEFAULT.withTimeouts(t -> t.withBodyRateMin(n))),
                    thread("loops", 1, 16_384, Options.Threads::withLoops),
                    thread("workersMax", 1, 65_536, Options.Threads::withWorkersMax),
                    thread("workersMin", 0, 65_536, Options.Threads::withWorkersMin));

    private interface Change<T, V> {
        T with(T record, V value);
    }

    private static Options.Limits withHeadMax(Options.Limits limits, int bytes) {
        return limits.withHeads(h -> h.withRequestLineMax(16).withHeadMax(bytes));
    }

    private static Bound limit(
            String name, long min, long max, Change<Options.Limits, Integer> change) {
        return new Bound(name, min, max, n -> DEFAULT.withLimits(l -> change.with(l, (int) n)));
    }

    private static Bound time(String name, long min, Change<Options.Timeouts, Duration> change) {
        return new Bound(
                name,
                min,
                DAY,
                n -> DEFAULT.withTimeouts(t -> change.with(t, Duration.ofMillis(n))));
    }

    private static Bound thread(
            String name, long min, long max, Change<Options.Threads, Integer> change) {
        return new Bound(name, min, max, n -> DEFAULT.withThreads(t -> change.with(t, (int) n)));
    }

    @ParameterizedTest
    @FieldSource("BOUNDS")
    void minimumAndMaximumAreAccepted(Bound bound) {
        bound.with.apply(bound.min);
        bound.with.apply(bound.max);
    }

    @ParameterizedTest
    @FieldSource("BOUNDS")
    void valuesBeyondAreRejectedByName(Bound bound) {
        assertRejected(bound, bound.min - 1);
        assertRejected(bound, bound.max + 1);
    }

    private static void assertRejected(Bound bound, long value) {
        var error = assertThrows(IllegalArgumentException.class, () -> bound.with.apply(value));
        String message = String.valueOf(error.getMessage());
        assertEquals(
                bound.name + " must be ", message.substring(0, bound.name.length() + 9), message);
    }

    @Test
    void changeOfAGroupKeepsTheOthers() {
        Options changed =
                DEFAULT.withLimits(l -> l.withBodyMax(1)).withSessionCookies(List.of("a"));
        assertEquals(1, changed.limits().bodyMax());
        assertEquals(DEFAULT.limits().backlog(), changed.limits().backlog());
        assertEquals(DEFAULT.timeouts(), changed.timeouts());
        assertEquals(
                DEFAULT,
                changed.withLimits(DEFAULT.limits()).withSessionCookies(DEFAULT.sessionCookies()));
    }
}
