package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    private static final Setting REPETITIONS = new Setting("repetitions", "N", "5", "how often");
    private static final Setting OUT = new Setting("out", "DIR", "", "where");

    private static Settings with(String value) {
        return new Settings(_ -> value);
    }

    @Test
    void numberInRangeIsAccepted() {
        assertEquals(99, with("99").number(REPETITIONS, 1, 99));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "100", "+5", "-5", "", "5 ", "1e3", "99999999999"})
    void invalidNumberIsRejectedByName(String value) {
        var exception =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> with(value).number(REPETITIONS, 1, 99));
        assertEquals("--repetitions must be 1..99, was '" + value + "'", exception.getMessage());
    }

    @Test
    void decimalsAreSortedWithoutDuplicates() {
        assertEquals(List.of(0.25, 1.0, 2.0), with("1, 0.25,2,1.0").decimals(REPETITIONS, 0, 2));
        assertEquals(0.5, with("0.5").decimal(REPETITIONS, 0, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "+1", "1e3", "NaN", "Infinity", "0x1p3", "1.", ".5", "2.1"})
    void invalidDecimalIsRejectedByName(String value) {
        var exception =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> with(value).decimal(REPETITIONS, 0, 2));
        assertEquals("--repetitions must be 0..2, was '" + value + "'", exception.getMessage());
    }

    @Test
    void wordsAreWithoutDuplicates() {
        assertEquals(List.of("b", "a"), with("b, a,b").words(REPETITIONS, List.of("a", "b")));
    }

    @Test
    void unknownWordIsRejectedWithTheKnownOnes() {
        var exception =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> with("a,x").words(REPETITIONS, List.of("a", "b")));
        assertEquals("--repetitions must be some of a,b, was 'x'", exception.getMessage());
    }

    @Test
    void flagIsGivenOrNot() {
        Setting flag = Setting.flag("http2", "over HTTP/2");
        assertTrue(flag.isFlag());
        assertFalse(REPETITIONS.isFlag());
        assertFalse(with(flag.fallback(Form.FULL)).isGiven(flag));
        Settings settings = with("yes");
        assertTrue(settings.isGiven(flag));
        var order = new Order(Form.QUICK, Map.of("http2", "yes"), Order.SEED, Path.of("x"), false);
        assertEquals("tandem lab run speed --quick --http2", settings.asTyped("speed", order));
    }

    @Test
    void commandForTheReportLeavesPathsOut() {
        var settings = new Settings(name -> name.equals("out") ? "/home/someone/x" : "7");
        settings.number(REPETITIONS, 1, 9);
        settings.path(OUT);
        var chosen = Map.of("repetitions", "7", "out", "/home/someone/x");
        var order = new Order(Form.QUICK, chosen, 5, Path.of("x"), false);
        assertEquals(
                "tandem lab run speed --quick --repetitions 7 --seed 5",
                settings.asTyped("speed", order));
    }

    /// Experiments share parts that read the same setting with a default of their own.
    @Test
    void settingThatTwoPartsReadIsTypedOnce() {
        Settings settings = with("7");
        settings.number(REPETITIONS, 1, 9);
        settings.number(new Setting("repetitions", "N", "1", "1", "another default"), 1, 9);
        var chosen = Map.of("repetitions", "7");
        var order = new Order(Form.QUICK, chosen, Order.SEED, Path.of("x"), false);
        assertEquals(
                "tandem lab run speed --quick --repetitions 7", settings.asTyped("speed", order));
        assertEquals(Map.of("repetitions", "7"), settings.used());
    }
}
