package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.tandem.http.h2.Priority;
import org.junit.jupiter.api.Test;

/// RFC 9218, section 7.1.
class EarlyPrioritiesTest {
    private final EarlyPriorities early = new EarlyPriorities();

    @Test
    void lastSignalOfAStreamCounts() {
        early.put(5, Priority.parse("u=1"));
        early.put(5, Priority.parse("u=2"));
        assertEquals(Priority.parse("u=2"), early.take(5));
        assertNull(early.take(5));
    }

    @Test
    void signalsOfSkippedStreamsAreDropped() {
        early.put(3, Priority.parse("u=1"));
        early.put(7, Priority.parse("u=2"));
        assertNull(early.take(5));
        assertNull(early.take(3));
        assertEquals(Priority.parse("u=2"), early.take(7));
    }

    @Test
    void oldestOfTooManySignalsIsDropped() {
        for (int i = 0; i <= EarlyPriorities.MOST; i++) {
            early.put(2 * i + 1, Priority.parse("u=1"));
        }
        assertNull(early.take(1));
        assertEquals(Priority.parse("u=1"), early.take(3));
    }
}
