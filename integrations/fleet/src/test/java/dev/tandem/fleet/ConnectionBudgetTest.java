package dev.tandem.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionBudgetTest {
    private static final long SECOND = 1_000_000_000;
    private static final Duration SETTLE = Duration.ofSeconds(10);

    private final ConnectionBudget budget = new ConnectionBudget(30, SETTLE);

    @Test
    void instanceThatStartsHasOneConnectionUntilAllHaveCountedIt() {
        assertEquals(1, budget.counted(3, 0));
        assertEquals(1, budget.counted(3, 9 * SECOND));
        assertEquals(9, budget.counted(3, 10 * SECOND));
    }

    @Test
    void smallerShareTakesEffectAtOnceAndALargerOneLater() {
        budget.counted(3, 0);
        assertEquals(9, budget.counted(3, 10 * SECOND));
        assertEquals(5, budget.counted(5, 11 * SECOND));
        assertEquals(5, budget.counted(3, 12 * SECOND));
        assertEquals(5, budget.counted(3, 21 * SECOND));
        assertEquals(9, budget.counted(3, 22 * SECOND));
    }

    @Test
    void countThatFailsChangesNothing() {
        assertEquals(1, budget.counted(0, 0));
        budget.counted(3, 0);
        assertEquals(9, budget.counted(3, 10 * SECOND));
        assertEquals(9, budget.counted(0, 30 * SECOND));
        assertEquals(9, budget.counted(-1, 60 * SECOND));
    }

    @Test
    void moreInstancesThanConnectionsHaveOneEach() {
        budget.counted(100, 0);
        assertEquals(1, budget.counted(100, 10 * SECOND));
    }

    @Test
    void numbersOutOfRangeAreNamed() {
        assertThrows(IllegalArgumentException.class, () -> new ConnectionBudget(1, SETTLE));
        assertThrows(IllegalArgumentException.class, () -> new ConnectionBudget(10, Duration.ZERO));
    }

    /// Instances start and end at random, no more at once than the spare part is for; each counts
    /// every two seconds at its own phase, up to five seconds late.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void sumNeverExceedsTheFleetsConnections(long seed) {
        var random = new Random(seed);
        var counts = new ArrayList<Integer>();
        var budgets = new ArrayList<ConnectionBudget>();
        var shares = new ArrayList<Integer>();
        start(budgets, shares);
        for (int second = 0; second < 600; second++) {
            if (second % 30 == 0) {
                if (random.nextInt(3) < 2 && budgets.size() < 20) {
                    int joining = 1 + random.nextInt(3); // the spare part of 30 is 3
                    for (int i = 0; i < joining; i++) {
                        start(budgets, shares);
                    }
                } else if (budgets.size() > 1) {
                    int index = random.nextInt(budgets.size());
                    budgets.remove(index);
                    shares.remove(index);
                }
            }
            counts.add(budgets.size());
            for (int i = 0; i < budgets.size(); i++) {
                if ((second + i) % 2 == 0) {
                    int seen = counts.get(Math.max(0, second - random.nextInt(6)));
                    shares.set(i, budgets.get(i).counted(seen, second * SECOND));
                }
            }
            int sum = shares.stream().mapToInt(Integer::intValue).sum();
            assertTrue(sum <= 30, "second " + second + ": " + sum + " of " + shares);
        }
    }

    private static void start(List<ConnectionBudget> budgets, List<Integer> shares) {
        budgets.add(new ConnectionBudget(30, SETTLE));
        shares.add(1);
    }
}
