package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SaturationTest {
    /// A server on which a session costs the given time.
    private static Saturation.Result server(double rate, double seconds) {
        double served = Math.min(rate, 1 / seconds);
        return new Saturation.Result(served, served * seconds, 0.5);
    }

    @Test
    void saturationIsFoundFromTheCostOfASession() throws Exception {
        assertEquals(4_000, Saturation.find(rate -> server(rate, 1 / 4_000.0), 100, 1), 1);
    }

    @Test
    void saturationIsOfAllProcessors() throws Exception {
        assertEquals(8_000, Saturation.find(rate -> server(rate, 1 / 4_000.0), 100, 2), 1);
    }

    /// Sessions get cheaper from load to load, as with a JIT: the last one counts.
    @Test
    void saturationIsThatOfTheLastAndWarmestLoad() throws Exception {
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
        assertEquals(750, loads.getLast(), 1);
    }

    /// Sessions that were not served do not count.
    @Test
    void saturationIsRightThoughTheFirstLoadIsTooHigh() throws Exception {
        assertEquals(50, Saturation.find(rate -> server(rate, 0.02), 100, 1), 0.1);
    }

    @Test
    void loadGrowsByStepsIfTheServerSeemsIdle() throws Exception {
        var loads = new ArrayList<Double>();
        Saturation.find(
                rate -> {
                    loads.add(rate);
                    return new Saturation.Result(rate, 1e-9, 0.5);
                },
                1,
                1);
        assertEquals(List.of(1.0, 4.0, 16.0, 64.0, 256.0, 1024.0), loads);
    }

    /// A saturated generator reveals nothing about the server.
    @Test
    void loadShrinksIfTheGeneratorIsSaturated() throws Exception {
        double found =
                Saturation.find(
                        rate ->
                                rate > 300
                                        ? new Saturation.Result(10, 0.001, 0.99)
                                        : server(rate, 1 / 4_000.0),
                        100,
                        1);
        assertEquals(4_000, found, 1);
    }

    @Test
    void busyMachineIsReported() {
        var failure =
                assertThrows(
                        LabException.class,
                        () -> Saturation.find(_ -> new Saturation.Result(1, 1, 0.99), 100, 1));
        assertTrue(failure.line().contains("--saturation"), failure.line());
    }

    @Test
    void serverThatDiesEndsTheSearch() {
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
