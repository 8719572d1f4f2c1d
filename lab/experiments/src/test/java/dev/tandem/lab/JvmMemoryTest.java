package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JvmMemoryTest {
    private static final String HISTOGRAM =
            """
             num     #instances         #bytes  class name (module)
            -------------------------------------------------------
               1:         12345        1234567  [B (java.base@25)
               2:            10           2400  dev.tandem.net.Connection
               3:             1             16  [B (java.base@25)
            Total         12356        1236983
            """;

    @Test
    void heapIsTheTotal() throws LabException {
        assertEquals(1_236_983, JvmMemory.total(HISTOGRAM));
    }

    @Test
    void classesOfOneNameAreAdded() {
        assertEquals(
                Map.of("[B", 1_234_583L, "dev.tandem.net.Connection", 2_400L),
                JvmMemory.classes(HISTOGRAM));
    }

    @Test
    void invalidHistogramIsRejected() {
        var failure =
                assertThrows(LabException.class, () -> JvmMemory.total("42: No such process\n"));
        assertEquals(
                "jcmd does not print the heap's content: 42: No such process",
                failure.getMessage());
    }

    @Test
    void nativeMemoryIsThatAllocatedByJavaCode() {
        String tracked =
                """
                -                  Internal (reserved=500, committed=500)
                -                     Other (reserved=205312, committed=204800)
                                            (malloc=205312 #12)
                """;
        assertEquals(Map.of("Internal", 500L, "Other", 204_800L), JvmMemory.areas(tracked));
        assertEquals(204_800, tracked(JvmMemory.areas(tracked)).nativeBytes());
    }

    @Test
    void uncountedMemoryIsUnknown() {
        Map<String, Long> areas = JvmMemory.areas("Native memory tracking is not enabled");
        assertEquals(JvmMemory.UNKNOWN, tracked(areas).nativeBytes());
    }

    private static JvmMemory tracked(Map<String, Long> areas) {
        return new JvmMemory(0, Map.of(), areas, 0, 0, 0);
    }

    @Test
    void growthNamesTheAreasThatGrew() {
        JvmMemory before = tracked(Map.of("Code", 10L, "Java Heap", 20L));
        JvmMemory after = tracked(Map.of("Code", 17L, "Java Heap", 20L));
        assertEquals(List.of(Map.entry("Code", 7L)), after.areaGrowth(before));
    }

    @Test
    void growthNamesTheClassesThatGrewMost() {
        var before = new JvmMemory(0, Map.of("a", 10L, "b", 10L, "c", 10L), Map.of(), 0, 0, 0);
        var after =
                new JvmMemory(0, Map.of("a", 11L, "b", 5L, "c", 30L, "d", 4L), Map.of(), 0, 0, 0);
        assertEquals(List.of(Map.entry("c", 20L), Map.entry("d", 4L)), after.growth(before, 2));
    }
}
