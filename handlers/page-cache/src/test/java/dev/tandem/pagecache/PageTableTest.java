package dev.tandem.pagecache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.files.FileState;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageTableTest {
    private static final FileRecord FILE =
            new FileRecord(Path.of("f"), new FileState(1L << 40, 0, null), 65_536);

    /// Adjacent pages, distant ones, and pages at distances that divide the table's size.
    @ParameterizedTest
    @ValueSource(ints = {1, 64, 1_000, 4_096})
    void tableIsAMapSizedByItsPages(int step) {
        var table = new PageTable();
        Map<Integer, Page> model = new HashMap<>();
        var random = new Random(step);
        for (int i = 0; i < 20_000; i++) {
            int most = i % 5_000 < 2_500 ? 500 : 4; // grows, then shrinks
            int index = random.nextInt(600) * step;
            if (model.containsKey(index) || model.size() >= most) {
                int gone = model.containsKey(index) ? index : model.keySet().iterator().next();
                assertSame(model.remove(gone), table.get(gone));
                table.remove(gone);
            } else {
                var page = new Page(FILE, index, 1);
                table.put(page);
                model.put(index, page);
            }
            assertSame(model.get(index), table.get(index));
            assertEquals(model.size(), table.count());
            assertTrue(table.heapBytes() <= 8 * 4 * Math.max(1, model.size()) || i == 0);
        }
        assertEquals(new HashSet<>(model.values()), new HashSet<>(table.all()));
        model.forEach((index, page) -> assertSame(page, table.get(index)));
        model.keySet().forEach(table::remove);
        assertEquals(0, table.heapBytes(), "an empty one takes nothing");
        table.remove(1);
        assertNull(table.get(1));
    }
}
