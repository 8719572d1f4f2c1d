package dev.tandem.files;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Counts the memory that files are held in, and says which file goes when it is full. Guarded by
/// its own lock, which its callers hold.
///
/// The order is that of CLOCK: a hand goes round; a file that was asked for since it came by last
/// stays, another goes. So a hit costs no lock, only a flag.
///
/// Memory that was taken out is freed by the collector, when the last answer that uses it is
/// gone; until then it is retired, and counted here. There may be as much of it as may be held.
/// When there is more, files are neither read into memory nor evicted for others, until a
/// collection.
final class ClockEviction {

    /// How many of the paths last asked for are remembered; a power of two.
    private static final int RECENT_PATHS = 4_096;

    /// Falls when the process turns out to have less.
    private long capacity;

    /// In the order in which the hand comes by.
    private final LinkedHashMap<String, InMemoryFile> ring = new LinkedHashMap<>();

    private final int[] recentHashes = new int[RECENT_PATHS];
    private final Set<Reference<?>> retired = new HashSet<>();
    private final ReferenceQueue<ByteBuffer> collected = new ReferenceQueue<>();
    private long heldBytes;
    private long retiredBytes;

    /// @param capacity in bytes
    ClockEviction(long capacity) {
        this.capacity = capacity;
    }

    /// Whether a file is worth reading: there is room, or it was asked for not long ago, too. A
    /// crawler that asks for every file once so evicts none, and retires no memory.
    boolean admits(String tail, int size) {
        freeCollected();
        if (charge(size) > capacity || retiredBytes > capacity) {
            return false;
        }
        return heldBytes + charge(size) <= capacity || wasRequestedRecently(tail);
    }

    /// Puts a file in, whose path is not there, and evicts what has to go for it.
    ///
    /// @param evicted told the path of each file evicted
    /// @return false if there is no room, and none could be made
    boolean put(String tail, InMemoryFile file, Consumer<String> evicted) {
        long charge = charge(file.bytes().capacity());
        // Two rounds of the hand: the first may only clear flags.
        for (int i = 2 * ring.size(); i > 0 && heldBytes + charge > capacity; i--) {
            advance(evicted);
        }
        if (heldBytes + charge > capacity) {
            return false;
        }
        ring.put(tail, file);
        heldBytes += charge;
        return true;
    }

    /// Takes out a file that is there.
    void remove(String tail) {
        InMemoryFile file = ring.remove(tail);
        if (file == null) {
            throw new IllegalStateException("not on the shelf: " + tail);
        }
        retire(file);
    }

    /// Halves what may be held, since the process has no memory outside of the heap for more.
    /// Each attempt to have more costs half a second, in which the JDK collects and tries again.
    void shrink() {
        capacity /= 2;
    }

    /// What is held, in bytes, with [FolderOptions#ENTRY_BYTES] for each file.
    long heldBytes() {
        return heldBytes;
    }

    /// What was taken out and is not collected yet, in bytes.
    long retiredBytes() {
        freeCollected();
        return retiredBytes;
    }

    /// The hand comes by one file.
    private void advance(Consumer<String> evicted) {
        Iterator<Map.Entry<String, InMemoryFile>> hand = ring.entrySet().iterator();
        Map.Entry<String, InMemoryFile> entry = hand.next();
        String tail = entry.getKey();
        InMemoryFile file = entry.getValue();
        hand.remove();
        if (file.testAndClearUsed()) {
            ring.put(tail, file);
        } else if (retiredBytes + file.bytes().capacity() > capacity) {
            ring.put(tail, file); // evicted, its memory would only count elsewhere
        } else {
            evicted.accept(tail);
            retire(file);
        }
    }

    private void retire(InMemoryFile file) {
        int size = file.bytes().capacity();
        heldBytes -= charge(size);
        retiredBytes += size;
        retired.add(new Retired(file.bytes(), collected));
    }

    private void freeCollected() {
        for (Reference<?> r = collected.poll(); r != null; r = collected.poll()) {
            retired.remove(r);
            retiredBytes -= ((Retired) r).size;
        }
    }

    /// Whether the path was here before, and not so long ago that another took its place.
    private boolean wasRequestedRecently(String tail) {
        int hash = tail.hashCode();
        int at = (hash ^ hash >>> 16) & RECENT_PATHS - 1;
        boolean was = recentHashes[at] == hash;
        recentHashes[at] = hash;
        return was;
    }

    private static long charge(int size) {
        return (long) size + FolderOptions.ENTRY_BYTES;
    }

    /// Comes out of the queue when the buffer's memory is freed, or about to be.
    private static final class Retired extends PhantomReference<ByteBuffer> {
        private final int size;

        Retired(ByteBuffer bytes, ReferenceQueue<ByteBuffer> queue) {
            super(bytes, queue);
            this.size = bytes.capacity();
        }
    }
}
