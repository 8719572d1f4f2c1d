package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class PageLogTest {
    private final PageLog log = new PageLog();

    private void page(String name, long completed, boolean isRight) {
        log.request(name, 0).completed(200, isRight, completed);
    }

    @Test
    void rightPagesAreCountedByTheTimeOfTheirCompletion() {
        page("quick", 99, true);
        page("quick", 100, true);
        page("quick", 149, true);
        page("lengthy", 149, true);
        page("quick", 150, false);
        page("quick", 199, true);
        page("quick", 200, true);
        log.request("quick", 0);
        assertArrayEquals(
                new int[] {2, 1}, log.completedEach(page -> page.equals("quick"), 100, 200, 2));
    }

    @Test
    void pagesInProgressAreCountedAtEachMoment() {
        page("a", 50, true);
        log.request("a", 60);
        assertEquals(List.of(1, 1), log.inProgress(_ -> true, 0, 120, 2));
    }
}
