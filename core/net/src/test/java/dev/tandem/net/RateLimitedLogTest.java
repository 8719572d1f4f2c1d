package dev.tandem.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.testkit.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RateLimitedLogTest {
    private final FakeClock clock = new FakeClock(Long.MAX_VALUE - 1); // it may wrap
    private final List<String> lines = new ArrayList<>();
    private final RateLimitedLog log = new RateLimitedLog(clock::nanos, lines::add);

    @Test
    void firstMessageIsLoggedImmediately() {
        log.log("a");
        assertEquals(List.of("a"), lines);
    }

    @Test
    void failingLogDoesNotThrow() {
        var failing =
                new RateLimitedLog(
                        clock::nanos,
                        _ -> {
                            throw new NoClassDefFoundError("on purpose");
                        });
        failing.log("a");
        assertEquals(List.of(), lines);
    }

    @Test
    void suppressedMessagesAreCounted() {
        log.log("a");
        log.log("b");
        clock.advance(Duration.ofMillis(4_999));
        log.log("c");
        assertEquals(List.of("a"), lines);
        clock.advance(Duration.ofMillis(1));
        log.log("d");
        clock.advance(Duration.ofSeconds(5));
        log.log("e");
        assertEquals(List.of("a", "d (and 2 more since the last message)", "e"), lines);
    }
}
