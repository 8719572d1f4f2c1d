package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class UtilizationTest {
    private static final long BEAT = 100_000_000;
    private static final long SECOND = 10 * BEAT;

    private final UtilizationMeter meter = new UtilizationMeter();
    private long now = -5 * SECOND; // the origin of a monotonic clock says nothing
    private long processorNanos;
    private long handshakeNanos;

    @Test
    void serverWithoutWorkUsesNothing() {
        assertEquals(Utilization.NONE, meter.at(now));
        run(50, 0, 0, 0);
        assertEquals(0, meter.at(now).value());
    }

    @Test
    void valueIsThatOfTheBusiestResource() {
        run(100, 0.5, 0.25, 0);
        assertEquals(0.5, meter.at(now).value(), 0.02);
        assertEquals(0.25, meter.at(now).processors(), 0.02);
    }

    @Test
    void requestsThatWaitCountBeyondOne() {
        run(100, 2.5, 1, 0);
        assertEquals(2.5, meter.at(now).value(), 0.05);
    }

    @Test
    void halfOfAProcessorIsUsedUpByHalfAsMuch() {
        for (int i = 0; i < 100; i++) {
            processorNanos += BEAT / 4;
            beat(0, 0.5, 1);
        }
        assertEquals(0.5, meter.at(now).processors(), 0.02);
    }

    @Test
    void handshakesAreMeasuredByTheirBudget() {
        for (int i = 0; i < 100; i++) {
            handshakeNanos += BEAT / 8; // of 2 processors a sixteenth
            beat(0, 2, 0.125);
        }
        assertEquals(0.5, meter.at(now).handshakes(), 0.02);
    }

    @Test
    void loadFadesWhileTheHeartbeatSleeps() {
        run(100, 1, 1, 0);
        double before = meter.at(now).value();
        assertEquals(before, meter.at(now + SECOND / 2).value());
        assertTrue(meter.at(now + 10 * SECOND).value() < 0.01);
    }

    @Test
    void processorTimeOfAnIdleHourIsNoLoadOfTheNextSecond() {
        run(10, 0.1, 0.1, 0);
        now += 3600 * SECOND;
        processorNanos += 600 * SECOND;
        run(10, 0.1, 0.1, 0);
        assertTrue(meter.at(now).processors() < 0.11, meter.at(now).toString());
    }

    @Test
    void clockThatStandsStillOrGoesBackChangesNothingMuch() {
        run(100, 1, 1, 0);
        now -= SECOND;
        beat(0, 2, 1);
        assertTrue(meter.at(now).value() > 0.9);
        assertTrue(meter.at(now).value() < 1.1);
    }

    @Test
    void unknownProcessorTimeCountsAsNone() {
        processorNanos = -1;
        for (int i = 0; i < 50; i++) {
            beat(0.3, 2, 1);
        }
        assertEquals(0, meter.at(now).processors());
        assertEquals(0.3, meter.at(now).value(), 0.05);
    }

    @Test
    void withoutAProcessorThereIsNoSample() {
        assertThrows(
                IllegalArgumentException.class,
                () -> new UtilizationMeter.Sample(0, 0, 0, 0, 0, 1));
    }

    @Test
    void explanationNamesEachPart() {
        var explained = new Utilization(0.5, 1.25, 0.1, 0.2).explain();
        assertEquals("1.25", explained.value());
        assertTrue(explained.why().contains("workers 0.50"), explained.why());
    }

    private void run(int beats, double workers, double processors, double databases) {
        for (int i = 0; i < beats; i++) {
            processorNanos += (long) (2 * processors * BEAT);
            meter.sample(
                    new UtilizationMeter.Sample(workers, databases, processorNanos, 2, 0, 1), now);
            now += BEAT;
        }
        now -= BEAT;
    }

    private void beat(double workers, double processors, double share) {
        now += BEAT;
        meter.sample(
                new UtilizationMeter.Sample(
                        workers, 0, processorNanos, processors, handshakeNanos, share),
                now);
    }
}
