package dev.tandem.pagecache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageStoreTest {
    private static final int FRAME = 65_536;

    private record Kept(int place, byte[] bytes) {}

    private static PageStore store(String kind, Frames frames) {
        Function<Frames, PageStore> of = kind.equals("run") ? RunStore::new : SlabStore::new;
        return of.apply(frames);
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "piece"})
    void storeIsAMapUnderRandomOperations(String kind) {
        for (long seed = 0; seed < 8; seed++) {
            play(kind, new Random(seed), 1 + (int) seed * 16);
        }
    }

    private static void play(String kind, Random random, int frameCount) {
        var frames = new Frames(FRAME, (long) frameCount * FRAME);
        PageStore store = store(kind, frames);
        List<Kept> model = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment room = arena.allocate(FRAME);
            for (int step = 0; step < 1_500; step++) {
                if (random.nextInt(5) < 3) {
                    put(store, frames, model, Contents.of(step, length(random), 100));
                } else if (!model.isEmpty()) {
                    Kept kept = model.remove(random.nextInt(model.size()));
                    check(store, kept, room);
                    store.free(kept.place(), kept.bytes().length);
                }
            }
            for (Kept kept : model) {
                check(store, kept, room);
                store.free(kept.place(), kept.bytes().length);
            }
        }
        while (frames.releaseBlock()) {
            // each block is released
        }
        assertTrue(kind.equals("piece") || frames.openBlocks() == 0, "all frames came back");
    }

    private static int length(Random random) {
        return 1 + random.nextInt(random.nextBoolean() ? 600 : 60_000);
    }

    private static void put(PageStore store, Frames frames, List<Kept> model, byte[] bytes) {
        MemorySegment segment = MemorySegment.ofArray(bytes);
        int location = store.put(segment, bytes.length);
        int frame = 0;
        while (location == PageStore.NONE && frame >= 0) {
            frame = frames.allocate();
            if (frame >= 0) {
                store.addFrame(frame);
                location = store.put(segment, bytes.length);
            }
        }
        if (location == PageStore.NONE) {
            assertEquals(0, frames.available(), "rejected although there was space");
        } else {
            model.add(new Kept(location, bytes));
        }
    }

    private static void check(PageStore store, Kept kept, MemorySegment room) {
        int length = kept.bytes().length;
        MemorySegment whole = store.view(kept.place(), length);
        if (whole != null) {
            assertArrayEquals(kept.bytes(), whole.toArray(ValueLayout.JAVA_BYTE));
        }
        store.copyTo(kept.place(), length, room);
        assertArrayEquals(kept.bytes(), room.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
        assertTrue(store.isInFrame(kept.place(), length, _ -> true));
        assertTrue(!store.isInFrame(kept.place(), length, _ -> false));
    }

    @Test
    void stringIsContiguousIfARunIsLongEnough() {
        var frames = new Frames(FRAME, 2 * FRAME);
        var store = new RunStore(frames);
        store.addFrame(frames.allocate());
        byte[] bytes = Contents.of(1, FRAME / 4, 100);
        int first = store.put(MemorySegment.ofArray(bytes), bytes.length);
        int second = store.put(MemorySegment.ofArray(bytes), bytes.length);
        int third = store.put(MemorySegment.ofArray(bytes), bytes.length);
        store.free(second, bytes.length);
        assertNotNull(store.view(third, bytes.length));
        assertEquals(second, store.put(MemorySegment.ofArray(bytes), bytes.length), "the gap");
        byte[] long1 = Contents.of(2, FRAME / 8 * 3, 100);
        store.free(first, bytes.length);
        int split = store.put(MemorySegment.ofArray(long1), long1.length);
        assertNull(store.view(split, long1.length));
        check(store, new Kept(split, long1), Arena.ofAuto().allocate(FRAME));
    }

    @Test
    void nothingIsLostWithoutSpace() {
        var frames = new Frames(FRAME, FRAME);
        var store = new RunStore(frames);
        store.addFrame(frames.allocate());
        byte[] most = Contents.of(1, 60_000, 100);
        int location = store.put(MemorySegment.ofArray(most), most.length);
        assertEquals(PageStore.NONE, store.put(MemorySegment.ofArray(most), most.length));
        store.free(location, most.length);
        assertEquals(0, store.frameCount());
        assertEquals(1, frames.available());
    }

    @Test
    void piecesAreThoseOfBeltransThesis() {
        assertEquals(2_048 + 512 + 256, SlabStore.rounded(2_788));
        for (int length = 1; length < FRAME / 2; length++) {
            int rounded = SlabStore.rounded(length);
            assertTrue(rounded >= length && Integer.bitCount(rounded) <= 7 && rounded % 32 == 0);
        }
    }
}
