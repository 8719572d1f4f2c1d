package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WarmUpTest {
    private static final int LEAST = WarmUp.SECONDS_MIN;

    private final WarmUp warmUp = new WarmUp();
    private double cpu;
    private long replies;

    WarmUpTest() {
        warmUp.add(0, 0);
    }

    /// One second of load.
    ///
    /// @param micros of CPU time of each response
    private boolean isWarmAfter(int count, double micros) {
        replies += count;
        cpu += count * micros / 1e6;
        warmUp.add(cpu, replies);
        return warmUp.isWarm();
    }

    private int secondsUntilWarm(double first, double factor, double last) {
        double micros = first;
        for (int second = 1; second <= 200; second++) {
            if (isWarmAfter(1_000, micros)) {
                return second;
            }
            micros = Math.max(last, micros * factor);
        }
        return 0;
    }

    @Test
    void serverThatCostsTheSameIsWarmAfterThreeWindows() {
        assertEquals(LEAST, secondsUntilWarm(50, 1, 50));
    }

    /// From 400 µs down to 50, by a tenth each second: that is 20 seconds.
    @Test
    void serverThatGetsFasterIsNotWarm() {
        int seconds = secondsUntilWarm(400, 0.9, 50);
        assertEquals(true, seconds > 20 && seconds <= 20 + LEAST, seconds + " s");
    }

    @ParameterizedTest
    @CsvSource({"50, 52, true", "50, 56, false", "56, 50, false"})
    void laterWindowMayCostAFewPercentMore(double before, double after, boolean isWarm) {
        boolean is = false;
        for (int second = 0; second < LEAST; second++) {
            is = isWarmAfter(1_000, second < LEAST - WarmUp.WINDOW_SECONDS ? before : after);
        }
        assertEquals(isWarm, is);
    }

    @Test
    void serverThatRespondsNoMoreIsNotWarm() {
        for (int second = 0; second < LEAST + WarmUp.WINDOW_SECONDS; second++) {
            assertEquals(false, isWarmAfter(second < LEAST - 1 ? 1_000 : 0, 0.001 * second));
        }
    }
}
