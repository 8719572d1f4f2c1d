package dev.tandem.lab.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.lab.RunResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TermTest {
    private static RunResult.Row row(double load, int repetition, Map<String, Double> figures) {
        return new RunResult.Row("tandem", Map.of("clients", load), repetition, figures);
    }

    private static RunResult result(RunResult.Row... rows) {
        return new RunResult(
                "",
                "full",
                Map.of(),
                null,
                Map.of(),
                List.of(),
                List.of(),
                Map.of(),
                List.of(rows),
                List.of());
    }

    @Test
    void medianIsThatOfOneLoad() {
        RunResult result =
                result(
                        row(10, 1, Map.of("replies/s", 100.0)),
                        row(20, 1, Map.of("replies/s", 300.0)),
                        row(20, 2, Map.of("replies/s", 200.0)),
                        row(20, 3, Map.of("replies/s", 240.0)));
        assertEquals(240, Term.highest("replies/s", "tandem").of(result));
        assertEquals(100, Term.lowest("replies/s", "tandem").of(result));
    }

    @Test
    void figureIsDividedInEachRepetition() {
        RunResult result =
                result(
                        row(10, 1, Map.of("processors", 0.5, "replies/s", 100.0)),
                        row(10, 2, Map.of("processors", 0.5, "replies/s", 200.0)));
        Term cost = Term.highest("processors", "tandem").per("replies/s");
        assertEquals(Map.of(1, 0.005, 2, 0.0025), cost.byRepetition(result));
    }

    @Test
    void figureIsNotDividedByWhatWasNotMeasured() {
        RunResult result =
                result(
                        row(10, 1, Map.of("processors", 0.5)),
                        row(10, 2, Map.of("processors", 0.5, "replies/s", 0.0)));
        Term cost = Term.highest("processors", "tandem").per("replies/s");
        assertEquals(Map.of(), cost.byRepetition(result));
        assertEquals(Double.NaN, cost.of(result));
    }
}
