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
    void medianOfNoValuesIsNaN() {
        assertEquals("–", new Figures().show(1));
    }

    @Test
    void oneTakeHasNoSpread() {
        assertEquals("1,234.5", new Figures(1234.5).show(1));
    }

    @Test
    void severalTakesShowTheirSpread() {
        assertEquals("2.0 (1.0–4.0)", new Figures(4, 1, 2).show(1));
    }
}
