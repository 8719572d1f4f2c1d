package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class EventOptionsTest {
    private static final EventOptions SOME = EventOptions.DEFAULT;

    private static void rejected(Executable change) {
        assertThrows(IllegalArgumentException.class, change);
    }

    @Test
    void limitsAreChecked() {
        assertDoesNotThrow(() -> SOME.withReplayEventsMax(0).withReplayEventsMax(1_000_000));
        rejected(() -> SOME.withReplayEventsMax(-1));
        rejected(() -> SOME.withReplayEventsMax(1_000_001));
        assertDoesNotThrow(() -> SOME.withReplayBytesMax(0));
        rejected(() -> SOME.withReplayBytesMax(-1));
        assertDoesNotThrow(() -> SOME.withUnsentMax(1024));
        rejected(() -> SOME.withUnsentMax(1023));
        assertDoesNotThrow(() -> SOME.withSubscribersMax(1));
        rejected(() -> SOME.withSubscribersMax(0));
    }

    @Test
    void timesAreChecked() {
        assertDoesNotThrow(() -> SOME.withHeartbeat(Duration.ZERO));
        assertDoesNotThrow(() -> SOME.withHeartbeat(Duration.ofSeconds(1)));
        rejected(() -> SOME.withHeartbeat(Duration.ofMillis(999)));
        rejected(() -> SOME.withHeartbeat(Duration.ofMinutes(61)));
        assertDoesNotThrow(() -> SOME.withRetry(Duration.ofMillis(1)));
        rejected(() -> SOME.withRetry(Duration.ZERO));
        rejected(() -> SOME.withRetry(Duration.ofMinutes(61)));
    }
}
