package dev.tandem.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrialsTest {
    private static final int PAGE = 65_536;

    private static Trials of(long pages) {
        return new Trials(pages * PAGE, PAGE);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "2, 2",
        "7, 7",
        "8, 8",
        "9, 9",
        "1000, 876",
    })
    void triesAPageOfEachEighth_orAll(int pages, int triesUntilKnown) {
        Trials trials = of(pages);
        int tries = 0;
        while (!trials.isRigid()) {
            trials.add(tries, PAGE, 0);
            tries++;
        }
        assertEquals(triesUntilKnown, tries, "in the file's order");
    }

    @Test
    void eightPagesDoOfTheLargestFile() {
        Trials trials = of(Integer.MAX_VALUE);
        for (long i = 1; i <= 8; i++) {
            assertFalse(trials.isRigid());
            trials.add((int) (i * Integer.MAX_VALUE / 8 - 1), PAGE, 0);
        }
        assertTrue(trials.isRigid());
    }

    /// Its own page may be too small to be tried.
    @Test
    void whatIsBehindTheLastWholePageNeedNotBeTried() {
        var trials = new Trials(2 * PAGE + 100, PAGE);
        trials.add(0, PAGE, 0);
        assertFalse(trials.isRigid());
        trials.add(2, 100, 0);
        assertTrue(trials.isRigid(), "but is as good as the last");
        var small = new Trials(1_000, PAGE);
        assertFalse(small.isRigid());
        small.add(0, 1_000, 0);
        assertTrue(small.isRigid());
    }

    @ParameterizedTest
    @CsvSource({
        "0, true",
        "4095, true",
        "4096, false",
        "60000, false",
    })
    void whatSavesASixteenthShrinks(int saved, boolean isRigid) {
        Trials trials = of(4);
        for (int i = 0; i < 4; i++) {
            trials.add(i, PAGE, saved);
        }
        assertEquals(isRigid, trials.isRigid());
    }

    /// One page of seventeen that vanishes, then two of eighteen.
    @Test
    void aFewPagesThatShrinkMakeNoDifference() {
        Trials trials = of(17);
        for (int i = 0; i < 17; i++) {
            trials.add(i, PAGE, i == 3 ? PAGE : 0);
        }
        assertTrue(trials.isRigid());
        trials.add(4, PAGE, PAGE);
        assertFalse(trials.isRigid());
    }

    @Test
    void wantsAPageOfEachStretch_untilOneShrinks() {
        Trials trials = of(16);
        assertTrue(trials.isOpen() && trials.wants(0) && trials.wants(15));
        trials.add(0, PAGE, 0);
        assertFalse(trials.wants(1), "it is of the same eighth");
        assertTrue(trials.isOpen() && trials.wants(2));
        trials.add(2, PAGE, PAGE / 2);
        assertFalse(trials.isOpen() || trials.wants(15));
    }

    @Test
    void nothingIsKnownOfAnEmptyFile() {
        assertFalse(of(0).isRigid());
    }
}
