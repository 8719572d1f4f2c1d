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

/// Accounts for the memory that holds files, and decides which file is evicted when it is full.
/// Guarded by its own lock, which callers hold.
///
/// Uses the CLOCK algorithm: a hand moves around; a file that was requested since the last pass
/// stays, another is evicted. So a hit needs no lock, only a flag.
///
/// Memory of a removed file is freed by the garbage collector after the last response that uses it;
/// until then it is retired, and counted here. Retired memory may be as large as the capacity. If
/// there is more, files are neither loaded nor evicted until a collection.
final class ClockEviction {

    /// Number of recently requested paths to remember; a power of two.
    private static final int RECENT_PATHS = 4_096;

    /// What a character of a path takes at most.
    private static final int CHARACTER_BYTES = 2;

    /// Decreases if the process has less memory.
    private long capacity;

    /// In the order of the hand.
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

    /// Returns whether a file is worth loading: there is space, or it was requested before, not
    /// long ago. So a crawler that requests every file once evicts none, and retires no memory.
    boolean admits(String tail, int size) {
        freeCollected();
        long charge = charge(tail, size);
        if (charge > capacity || retiredBytes > capacity) {
            return false;
        }
        return heldBytes + charge <= capacity || wasRequestedRecently(tail);
    }

    /// Adds a file whose path is absent, and evicts others for it if necessary.
    ///
    /// @param evicted receives the path of each evicted file
    /// @return false if there is not enough space
    boolean put(String tail, InMemoryFile file, Consumer<String> evicted) {
        long charge = charge(tail, file.bytes().capacity());
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

    /// Removes a file that is present.
    void remove(String tail) {
        InMemoryFile file = ring.remove(tail);
        if (file == null) {
            throw new IllegalStateException("not present: " + tail);
        }
        retire(tail, file);
    }

    /// Halves the capacity, because the process cannot allocate more memory outside of the heap.
    /// Each failed allocation costs half a second, in which the JDK collects garbage and tries
    /// again.
    void shrink() {
        capacity /= 2;
    }

    /// Returns the memory held, in bytes, counted as in [FolderOptions#cacheBytes()].
    long heldBytes() {
        return heldBytes;
    }

    /// Returns the memory removed but not yet collected, in bytes.
    long retiredBytes() {
        freeCollected();
        return retiredBytes;
    }

    /// Advances the hand by one file.
    private void advance(Consumer<String> evicted) {
        Iterator<Map.Entry<String, InMemoryFile>> hand = ring.entrySet().iterator();
        Map.Entry<String, InMemoryFile> entry = hand.next();
        String tail = entry.getKey();
        InMemoryFile file = entry.getValue();
        hand.remove();
        if (file.testAndClearUsed()) {
            ring.put(tail, file);
        } else if (retiredBytes + file.bytes().capacity() > capacity) {
            ring.put(tail, file); // if evicted, its memory would only be retired
        } else {
            evicted.accept(tail);
            retire(tail, file);
        }
    }

    private void retire(String tail, InMemoryFile file) {
        int size = file.bytes().capacity();
        heldBytes -= charge(tail, size);
        retiredBytes += size;
        retired.add(new Retired(file.bytes(), collected));
    }

    private void freeCollected() {
        for (Reference<?> r = collected.poll(); r != null; r = collected.poll()) {
            retired.remove(r);
            retiredBytes -= ((Retired) r).size;
        }
    }

    /// Returns whether the path was requested before, and its entry not overwritten since.
    private boolean wasRequestedRecently(String tail) {
        int hash = tail.hashCode();
        int at = (hash ^ hash >>> 16) & RECENT_PATHS - 1;
        boolean was = recentHashes[at] == hash;
        recentHashes[at] = hash;
        return was;
    }

    private static long charge(String tail, int size) {
        return (long) size + FolderOptions.ENTRY_BYTES + CHARACTER_BYTES * tail.length();
    }

    /// Enqueued when the buffer's memory is freed, or about to be.
    private static final class Retired extends PhantomReference<ByteBuffer> {
        private final int size;

        Retired(ByteBuffer bytes, ReferenceQueue<ByteBuffer> queue) {
            super(bytes, queue);
            this.size = bytes.capacity();
        }
    }
}
