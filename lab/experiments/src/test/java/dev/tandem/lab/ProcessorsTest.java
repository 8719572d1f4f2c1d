package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessorsTest {
    private static final List<Integer> HERE = List.of(0, 1, 2, 3, 8);

    @ParameterizedTest
    @CsvSource({"'', []", "0, [0]", "'2-3, 0', '[0, 2, 3]'", "'8,8', [8]"})
    void numbersAndRangesAreProcessors(String text, String parsed) {
        assertEquals(parsed, Processors.parse(Processors.LOAD, text, HERE).toString());
    }

    @ParameterizedTest
    @CsvSource({"x", "'1,'", "0-", "-1", "+1", "3-5", "9"})
    void wrongListIsRejectedByName(String text) {
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Processors.parse(Processors.LOAD, text, HERE));
        assertEquals("--load-processors", String.valueOf(e.getMessage()).split(" ")[0]);
    }

    @Test
    void loadOnSeveralProcessorsIsPinnedToAll() {
        var pinning = new Pinning(Path.of("taskset"), 0, List.of(2, 3));
        assertEquals(List.of("taskset", "-c", "2,3", "wrk"), pinning.onClient(List.of("wrk")));
        assertEquals("server on processor 0, load on processors 2,3", pinning.toString());
    }
}
