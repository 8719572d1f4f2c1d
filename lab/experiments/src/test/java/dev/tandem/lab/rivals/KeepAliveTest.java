package dev.tandem.lab.rivals;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeepAliveTest {
    @ParameterizedTest
    @CsvSource({"1, 10_000", "33, 10_000", "34, 5_000", "66, 5_000", "67, 2_000", "100, 2_000"})
    void coyoteShortensAsThreadsRunOut(int busy, String millis) {
        var keepAlive = KeepAlive.of(Duration.ofSeconds(10), true);
        long expected = Duration.ofMillis(Long.parseLong(millis.replace("_", ""))).toNanos();
        assertEquals(expected, keepAlive.limitNanos(busy, 100));
    }

    @ParameterizedTest
    @CsvSource({"1", "100"})
    void timeOutWithoutTheRuleIsConstant(int busy) {
        var keepAlive = KeepAlive.of(Duration.ofSeconds(10), false);
        assertEquals(Duration.ofSeconds(10).toNanos(), keepAlive.limitNanos(busy, 100));
    }

    @Test
    void singleBusyThreadIsAllThreads() {
        assertEquals(
                Duration.ofSeconds(1).toNanos(),
                KeepAlive.of(Duration.ofSeconds(5), true).limitNanos(1, 1));
    }

    @ParameterizedTest
    @CsvSource({"PT0S", "PT-1S", "PT24H0.001S"})
    void timeOutOfRangeIsRejected(Duration timeout) {
        var exception =
                assertThrows(IllegalArgumentException.class, () -> KeepAlive.of(timeout, false));
        assertTrue(String.valueOf(exception.getMessage()).contains("was " + timeout));
    }
}
