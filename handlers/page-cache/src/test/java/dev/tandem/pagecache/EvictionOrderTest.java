package dev.tandem.pagecache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.files.FileState;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EvictionOrderTest {
    private static final FileRecord FILE =
            new FileRecord(Path.of("f"), new FileState(1 << 30, 0, null), 65_536);

    private static Page page(int index) {
        var page = new Page(FILE, index, 65_536);
        page.pins = 0;
        return page;
    }

    @Test
    void leastRecentlyUsedPageIsEvictedFirst() {
        EvictionOrder order = EvictionOrder.of(Replacement.LRU);
        var model = new ArrayDeque<Page>();
        var random = new Random(1);
        for (int step = 0; step < 5_000; step++) {
            if (random.nextInt(3) == 0 || model.isEmpty()) {
                Page page = page(step);
                order.add(page, false);
                model.addFirst(page);
            } else if (random.nextInt(2) == 0) {
                Page hit = model.stream().skip(random.nextInt(model.size())).findFirst().get();
                order.hit(hit);
                model.remove(hit);
                model.addFirst(hit);
            } else {
                assertSame(model.removeLast(), order.victim());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Replacement.class)
    void pinnedPageIsNotEvicted(Replacement replacement) {
        EvictionOrder order = EvictionOrder.of(replacement);
        var pages = new Page[50];
        for (int i = 0; i < pages.length; i++) {
            pages[i] = page(i);
            pages[i].pins = i % 2;
            order.add(pages[i], i % 3 == 0);
        }
        for (int i = 0; i < 25; i++) {
            Page victim = order.victim();
            assertTrue(victim != null && victim.pins == 0);
        }
        assertNull(order.victim());
        assertEquals(25, order.count());
        order.remove(pages[1]);
        pages[3].pins = 0;
        assertSame(pages[3], order.victim());
    }

    @Test
    void pageEvictedRecentlyStaysIfItsFileIsUsedOften() {
        var rare = new FileRecord(Path.of("r"), new FileState(1 << 30, 0, null), 65_536);
        var liked = new FileRecord(Path.of("l"), new FileState(1 << 30, 0, null), 65_536);
        rare.uses = 1;
        liked.uses = 2;
        EvictionOrder order = EvictionOrder.of(Replacement.SCAN_RESISTANT);
        for (FileRecord file : List.of(liked, rare, liked)) {
            for (int i = 0; i < 10; i++) {
                var page = new Page(file, i, 65_536);
                page.pins = 0;
                order.add(page, true);
            }
        }
        for (int i = 0; i < 8; i++) { // until new pages are only a tenth of all
            Page victim = order.victim();
            assertTrue(victim != null && victim.file == rare);
        }
    }

    /// A trace of Zipf-distributed requests with one sequential scan over everything.
    @Test
    void scanEvictsLessThanWithLru() {
        double recent = hits(Replacement.LRU, 0.8, true);
        double queues = hits(Replacement.SCAN_RESISTANT, 0.8, true);
        assertTrue(queues > 1.15 * recent, queues + " against " + recent);
    }

    @Test
    void hitRateWithoutAScanIsThatOfLruAtLeast() {
        for (double alpha : new double[] {0.4, 1.2}) {
            double recent = hits(Replacement.LRU, alpha, false);
            double queues = hits(Replacement.SCAN_RESISTANT, alpha, false);
            assertTrue(queues > 0.98 * recent, alpha + ": " + queues + " against " + recent);
        }
    }

    static double hits(Replacement replacement, double alpha, boolean withScan) {
        int pages = 10_000;
        int room = 1_000;
        int requests = 60_000;
        double[] sums = sums(alpha, pages);
        EvictionOrder order = EvictionOrder.of(replacement);
        var ghosts = new GhostTable(room);
        Map<Integer, Page> held = new HashMap<>();
        var random = new Random(7);
        int hits = 0;
        int scanned = pages;
        for (int i = 0; i < requests; i++) {
            boolean isScan = withScan && i % 3 == 0;
            int index = isScan ? scanned++ : draw(sums, random);
            Page page = held.get(index);
            if (page != null) {
                order.hit(page);
                hits += isScan ? 0 : 1;
                continue;
            }
            if (held.size() == room) {
                Page victim = order.victim();
                assertNotNull(victim);
                held.remove(victim.index);
                ghosts.add(FILE.hash(victim.index));
            }
            Page added = page(index);
            order.add(added, ghosts.remove(FILE.hash(index)));
            held.put(index, added);
        }
        return hits / (double) requests;
    }

    private static double[] sums(double alpha, int pages) {
        var sums = new double[pages];
        double sum = 0;
        for (int i = 0; i < pages; i++) {
            sum += 1 / Math.pow(i + 1, alpha);
            sums[i] = sum;
        }
        return sums;
    }

    private static int draw(double[] sums, Random random) {
        int at = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
        return at < 0 ? -at - 1 : at;
    }
}
