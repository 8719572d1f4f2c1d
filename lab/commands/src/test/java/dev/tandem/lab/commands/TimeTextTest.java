package dev.tandem.lab.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTextTest {
    @ParameterizedTest
    @CsvSource({"500ms, PT0.5S", "15s, PT15S", "2m, PT2M", "0s, PT0S"})
    void timesAreParsed(String text, Duration time) {
        assertEquals(time, TimeText.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "15", "s", "1.5s", "-1s", "+1s", "1 s", "1h", "1234567890s"})
    void invalidTimesAreRejected(String text) {
        assertNull(TimeText.parse(text));
    }
}
