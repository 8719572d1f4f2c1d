package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class SaturationTest {
    /// A server of whom a session takes so much.
    private static Saturation.Told server(double rate, double seconds) {
        double served = Math.min(rate, 1 / seconds);
        return new Saturation.Told(served, served * seconds);
    }

    @Test
    void isFoundFromWhatASessionCosts() throws Exception {
        assertEquals(4_000, Saturation.find(rate -> server(rate, 1 / 4_000.0), 100, 1), 1);
    }

    @Test
    void isOfAllProcessors() throws Exception {
        assertEquals(8_000, Saturation.find(rate -> server(rate, 1 / 4_000.0), 100, 2), 1);
    }

    /// Sessions get cheaper from load to load, as a JIT makes them: the last one counts.
    @Test
    void isThatOfTheLastAndWarmestLoad() throws Exception {
        var loads = new ArrayList<Double>();
        double found =
                Saturation.find(
                        rate -> {
                            loads.add(rate);
                            return server(rate, loads.size() < 5 ? 0.004 : 0.001);
                        },
                        100,
                        1);
        assertEquals(1_000, found, 1);
    }

    /// What was not served counts for nothing.
    @Test
    void isNotOverratedWhereTheFirstLoadIsTooMuch() throws Exception {
        assertEquals(50, Saturation.find(rate -> server(rate, 0.02), 100, 1), 0.1);
    }

    @Test
    void growsByStepsWhereTheServerSeemsIdle() throws Exception {
        var loads = new ArrayList<Double>();
        Saturation.find(
                rate -> {
                    loads.add(rate);
                    return new Saturation.Told(rate, 0);
                },
                1,
                1);
        assertTrue(loads.getLast() <= Math.pow(8, 5), loads.toString());
    }

    @Test
    void serverThatDiesEndsIt() {
        assertThrows(
                LabException.class,
                () ->
                        Saturation.find(
                                _ -> {
                                    throw new LabException("tandem ended with status 1");
                                },
                                100,
                                1));
    }
}
