package dev.tandem.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What happens when the instances of a fleet cannot be counted.
@Timeout(60)
class DatabaseBudgetTest {
    /// Such as for lack of memory for a moment: connections would stay as they are until the
    /// restart.
    @Test
    void errorDoesNotEndTheCounting() {
        var counts = new AtomicInteger();
        try (var log = LogCapture.of("dev.tandem.fleet");
                DatabaseBudget budget =
                        DatabaseBudget.open(
                                10,
                                () -> {
                                    if (counts.incrementAndGet() == 2) {
                                        throw new OutOfMemoryError("at the moment");
                                    }
                                    return 1;
                                },
                                _ -> {})) {
            Patience.until("a count after the error", () -> counts.get() > 2);
            assertEquals(1, log.messages(line -> line.contains("at the moment")).size());
            assertEquals(1, budget.share());
        }
    }
}
