package dev.tandem.pagecache;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Stores byte strings in at most seven pieces whose sizes are powers of two, from slabs of 32
/// bytes up: the storage of Beltran's thesis, section 5.3 (2,788 bytes are 2,048 + 512 + 256). The
/// cache does not use it (decision 0018); kept for measurements, and tested in the same way.
final class SlabStore implements PageStore {
    private static final int SMALLEST = 32;
    private static final int PIECES_MAX = 7;

    /// By size: 32, 64, 128 … half a frame.
    private final List<Cells> slabs = new ArrayList<>();

    /// By location: the pieces, largest first.
    private final List<int[]> pieces = new ArrayList<>();

    private final List<Integer> freeLocations = new ArrayList<>();
    private final Frames frames;
    private final List<Integer> spare = new ArrayList<>();

    SlabStore(Frames frames) {
        this.frames = frames;
        for (int size = SMALLEST; size < frames.frameBytes(); size *= 2) {
            slabs.add(new Cells(frames, size));
        }
    }

    /// Rounds `length` up, so that it has at most seven bits set, none of them below 32.
    static int rounded(int length) {
        int rounded = (length + SMALLEST - 1) & -SMALLEST;
        while (Integer.bitCount(rounded) > PIECES_MAX) {
            rounded += Integer.lowestOneBit(rounded);
        }
        return rounded;
    }

    @Override
    public int put(MemorySegment bytes, int length) {
        int rounded = rounded(length);
        if (rounded >= frames.frameBytes()) {
            throw new IllegalArgumentException("a page that did not become smaller: " + length);
        }
        if (slabsWanted(rounded) > spare.size()) {
            return NONE;
        }
        var taken = new int[Integer.bitCount(rounded)];
        int from = 0;
        int count = 0;
        for (int bits = rounded; bits != 0; bits -= Integer.highestOneBit(bits)) {
            int size = Integer.highestOneBit(bits);
            Cells slab = slab(size);
            int cell = allocate(slab);
            taken[count++] = cell;
            int piece = Math.min(size, length - from);
            MemorySegment.copy(bytes, from, slab.block(cell), slab.offset(cell), piece);
            from += piece;
        }
        return addLocation(taken);
    }

    /// Returns the number of sizes without a free piece.
    private int slabsWanted(int rounded) {
        int wanted = 0;
        for (int bits = rounded; bits != 0; bits -= Integer.highestOneBit(bits)) {
            wanted += slab(Integer.highestOneBit(bits)).freeCount() == 0 ? 1 : 0;
        }
        return wanted;
    }

    private int allocate(Cells slab) {
        int cell = slab.allocate();
        if (cell < 0) {
            slab.addFrame(spare.removeLast());
            cell = slab.allocate();
        }
        return cell;
    }

    private int addLocation(int[] taken) {
        if (freeLocations.isEmpty()) {
            pieces.add(taken);
            return pieces.size() - 1;
        }
        int location = freeLocations.removeLast();
        pieces.set(location, taken);
        return location;
    }

    private void freePieces(int[] taken, int rounded) {
        int bits = rounded;
        for (int cell : taken) {
            slab(Integer.highestOneBit(bits)).free(cell);
            bits -= Integer.highestOneBit(bits);
        }
    }

    @Override
    public @Nullable MemorySegment view(int location, int length) {
        int[] taken = pieces.get(location);
        Cells slab = slab(Integer.highestOneBit(rounded(length)));
        return taken.length == 1
                ? slab.block(taken[0]).asSlice(slab.offset(taken[0]), length)
                : null;
    }

    @Override
    public void copyTo(int location, int length, MemorySegment to) {
        int bits = rounded(length);
        int from = 0;
        for (int cell : pieces.get(location)) {
            int size = Integer.highestOneBit(bits);
            bits -= size;
            Cells slab = slab(size);
            int piece = Math.min(size, length - from);
            MemorySegment.copy(slab.block(cell), slab.offset(cell), to, from, piece);
            from += piece;
        }
    }

    @Override
    public void free(int location, int length) {
        int[] taken = pieces.get(location);
        freePieces(taken, rounded(length));
        pieces.set(location, new int[0]);
        freeLocations.add(location);
    }

    @Override
    public void addFrame(int frame) {
        spare.add(frame);
    }

    @Override
    public boolean isInFrame(int location, int length, IntPredicate isFrame) {
        int bits = rounded(length);
        for (int cell : pieces.get(location)) {
            int size = Integer.highestOneBit(bits);
            bits -= size;
            if (isFrame.test(slab(size).frameOf(cell))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public int storedBytes(int length) {
        return rounded(length);
    }

    @Override
    public int frameCount() {
        return spare.size() + slabs.stream().mapToInt(Cells::frameCount).sum();
    }

    private Cells slab(int size) {
        return slabs.get(Integer.numberOfTrailingZeros(size / SMALLEST));
    }
}
