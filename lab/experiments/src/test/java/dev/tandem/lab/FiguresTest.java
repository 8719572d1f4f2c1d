package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FiguresTest {
    @Test
    void medianOfAnOddCountIsTheMiddleOne() {
        assertEquals(3, new Figures(9, 1, 3).median());
    }

    @Test
    void medianOfAnEvenCountIsBetween() {
        assertEquals(2.5, new Figures(9, 1, 3, 2).median());
    }

    @Test
    void meanOfNoValuesIsNaN() {
        assertEquals("–", new Figures().show(1));
    }

    @Test
    void oneTakeHasNoSpread() {
        assertEquals("1,234.5", new Figures(1234.5).show(1));
    }

    @Test
    void severalTakesShowTheirConfidenceAndTheirSpread() {
        assertEquals("2.3 ± 3.8 (1.0–4.0)", new Figures(4, 1, 2).show(1));
    }

    @Test
    void confidenceIsThatOfStudentsT() {
        // The sample deviation of 1 to 5 is the square root of 2.5, and t of 4 degrees 2.7764.
        assertEquals(2.7764 * Math.sqrt(2.5 / 5), new Figures(5, 3, 1, 4, 2).confidence(), 1e-9);
        assertEquals(0, new Figures(7, 7, 7).confidence());
        assertEquals(Double.NaN, new Figures(7).confidence());
    }

    @Test
    void quantilesAreThoseOfTheTables() {
        assertEquals(12.706, Figures.student(1), 1e-3);
        assertEquals(2.228, Figures.student(10), 1e-3);
        assertEquals(2.201, Figures.student(11), 3e-3);
        assertEquals(2.042, Figures.student(30), 1e-3);
        assertEquals(1.960, Figures.student(100_000), 1e-3);
    }
}
