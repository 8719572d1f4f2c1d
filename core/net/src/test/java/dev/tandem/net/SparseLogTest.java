package dev.tandem.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.testkit.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SparseLogTest {
    private final FakeClock clock = new FakeClock(Long.MAX_VALUE - 1); // it may wrap
    private final List<String> lines = new ArrayList<>();
    private final SparseLog log = new SparseLog(clock::nanos, lines::add);

    @Test
    void saysTheFirstAtOnce() {
        log.say("a");
        assertEquals(List.of("a"), lines);
    }

    @Test
    void aLogThatFailsIsNoFailureOfItsUser() {
        var failing =
                new SparseLog(
                        clock::nanos,
                        _ -> {
                            throw new NoClassDefFoundError("on purpose");
                        });
        failing.say("a");
        assertEquals(List.of(), lines);
    }

    @Test
    void countsWhatComesTooSoon() {
        log.say("a");
        log.say("b");
        clock.advance(Duration.ofMillis(4_999));
        log.say("c");
        assertEquals(List.of("a"), lines);
        clock.advance(Duration.ofMillis(1));
        log.say("d");
        clock.advance(Duration.ofSeconds(5));
        log.say("e");
        assertEquals(List.of("a", "d (and 2 more since last said)", "e"), lines);
    }
}
