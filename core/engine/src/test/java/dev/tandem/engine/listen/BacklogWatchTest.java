package dev.tandem.engine.listen;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogWatchTest {
    @Test
    void aQuarterOfTheBacklogInOneBeatIsARisk() {
        var watch = new BacklogWatch(4_096);
        var risks = new ArrayList<Boolean>();
        for (long accepted : new long[] {1_023, 2_047, 3_070, 3_070, 10_000, 10_001}) {
            risks.add(watch.isAtRisk(accepted));
        }
        assertEquals(List.of(false, true, false, false, true, false), risks);
    }
}
