package dev.tandem.lab.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataTableTest {
    @Test
    void cellsAreQuotedByRfc4180() {
        var table =
                new DataTable(
                        List.of("name", "a,b"),
                        List.of(
                                new DataTable.Row(List.of("say \"no\""), List.of(1.5)),
                                new DataTable.Row(List.of("two\nlines"), List.of(Double.NaN))));
        assertEquals("name,\"a,b\"\r\n\"say \"\"no\"\"\",1.5\r\n\"two\nlines\",\r\n", table.csv());
    }

    @ParameterizedTest
    @CsvSource({"1234567.891, 1234567.89", "0.1, 0.1", "0, 0", "1e-7, 0.0000001", "100, 100"})
    void numbersInFilesHaveNoExponentAndNoNoise(double number, String text) {
        assertEquals(text, Numbers.exact(number));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "9830|9,830",
                "7.6|7.600",
                "0.0123|0.01230",
                "0|0",
                "NaN|–",
                "1e9|1,000,000,000"
            })
    void numbersForPeopleHaveFourDigits(double number, String text) {
        assertEquals(text, Numbers.show(number));
    }

    @Test
    void numbersOfAnAxisHaveOneFormat() {
        assertEquals(List.of("0", "5k", "10k"), Numbers.ticks(List.of(0.0, 5_000.0, 10_000.0)));
        assertEquals(List.of("16", "2,048"), Numbers.ticks(List.of(16.0, 2_048.0)));
        assertEquals(List.of("0.5", "1"), Numbers.ticks(List.of(0.5, 1.0)));
    }

    @Test
    void titleBecomesAFileName() {
        assertEquals("p99-caf-x", new Caption("P99: (café) /../x", "").slug());
        assertEquals("chart", new Caption("…", "").slug());
    }
}
