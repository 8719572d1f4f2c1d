package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.Arrays;
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

    @ParameterizedTest
    @CsvSource({"'0,1', '1'", "'0,1,2', '2'", "'0,1,2,3,4', '2'", "'1,3,5', '5'"})
    void databaseHasAProcessorOfItsOwnIfOneIsFree(String here, String expected) {
        List<Integer> all = Arrays.stream(here.split(",")).map(Integer::valueOf).toList();
        var pinning = new Pinning(Path.of("taskset"), all.get(0), List.of(all.get(1)));
        assertEquals(expected, Processors.ofDatabase(pinning, all));
        assertEquals("", Processors.ofDatabase(Pinning.NONE, all));
    }

    @Test
    void databaseSharesAllProcessorsOfALoadThatHasTheRest() {
        var pinning = new Pinning(Path.of("taskset"), 0, List.of(1, 2, 3));
        assertEquals("1,2,3", Processors.ofDatabase(pinning, List.of(0, 1, 2, 3)));
    }
}
