package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.tandem.lab.Headline.Goal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeadlineTest {
    @ParameterizedTest
    @CsvSource({
        "true, 1.1, yes",
        "true, 1.11, no",
        "false, 1.1, yes",
        "false, 1.09, no",
        "true, NaN, not measured"
    })
    void verdictComparesWithTheBound(boolean isAtMost, double value, String verdict) {
        assertEquals(verdict, new Headline("a", value, "", new Goal(isAtMost, 1.1)).verdict());
    }

    @Test
    void figureWithoutAGoalHasNoVerdict() {
        assertEquals("no goal", new Headline("a", 1, "", null).verdict());
    }

    @Test
    void unmeasuredFigureIsNeitherReachedNorMissed() {
        assertNull(new Headline("a", Double.NaN, "", Goal.atMost(1)).asMap().get("reached"));
    }

    @Test
    void goalIsShownWithItsDirection() {
        assertEquals(">= 1.00", Goal.atLeast(1).toString());
        assertEquals("<= 1,024", Goal.atMost(1_024).toString());
    }
}
