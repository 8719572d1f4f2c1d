package dev.tandem.http.h2;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The dynamic table of an encoder (RFC 7541, sections 2.3.2 and 4), found by name and value. A
/// ring of entries, each in a chain of those with the same hash. Grows with its content. Confined
/// to its encoder.
final class EncoderTable {
    private static final int EXPECTED = 4;

    /// A larger entry would displace most of the table, and is not added.
    private static final int SHARE_MAX = 2;

    private static final @Nullable Entry[] NOTHING = {};

    /// The entries by number, and the newest entry of each chain; of equal length, a power of two,
    /// or 0.
    private @Nullable Entry[] ring = NOTHING;

    private @Nullable Entry[] chains = NOTHING;

    /// The number of the next entry.
    private int next;

    private int count;
    private int size;
    private int sizeMax;

    private static final class Entry {
        final String name;
        final String value;
        final int hash;
        final int number;
        @Nullable Entry older;

        Entry(String name, String value, int hash, int number) {
            this.name = name;
            this.value = value;
            this.hash = hash;
            this.number = number;
        }

        int size() {
            return name.length() + value.length() + HeaderField.OVERHEAD;
        }
    }

    EncoderTable(int sizeMax) {
        this.sizeMax = sizeMax;
    }

    int sizeMax() {
        return sizeMax;
    }

    int count() {
        return count;
    }

    int size() {
        return size;
    }

    /// Changes the maximum size, and evicts what exceeds it.
    void resize(int bytes) {
        sizeMax = bytes;
        evict(bytes);
    }

    /// Returns the index of an entry in the address space of both tables (RFC 7541, section 2.3.3),
    /// or 0.
    int index(String name, String value) {
        if (count == 0) {
            return 0;
        }
        int hash = hash(name, value);
        Entry entry = chains[hash & chains.length - 1];
        while (entry != null) {
            if (entry.hash == hash && entry.value.equals(value) && entry.name.equals(name)) {
                return StaticTable.SIZE + next - entry.number;
            }
            entry = entry.older;
        }
        return 0;
    }

    /// Returns the index of the newest entry with that name, or 0. Scans: it is only needed for
    /// uncommon names with another value than before.
    int nameIndex(String name) {
        for (int number = next - 1; number >= next - count; number--) {
            Entry entry = ring[number & ring.length - 1];
            if (entry != null && entry.name.equals(name)) {
                return StaticTable.SIZE + next - number;
            }
        }
        return 0;
    }

    /// Adds an entry, unless it is too large.
    ///
    /// @return whether it was added, so that the peer must add it, too
    boolean add(String name, String value) {
        var entry = new Entry(name, value, hash(name, value), next);
        if (entry.size() > sizeMax / SHARE_MAX) {
            return false;
        }
        evict(sizeMax - entry.size());
        if (count == ring.length) {
            grow();
        }
        next++;
        count++;
        size += entry.size();
        put(entry);
        return true;
    }

    private void put(Entry entry) {
        ring[entry.number & ring.length - 1] = entry;
        int chain = entry.hash & chains.length - 1;
        entry.older = chains[chain];
        chains[chain] = entry;
    }

    private void grow() {
        @Nullable Entry[] old = ring;
        int length = Math.max(EXPECTED, 2 * old.length);
        ring = new @Nullable Entry[length];
        chains = new @Nullable Entry[length];
        for (int number = next - count; number < next; number++) {
            Entry entry = old[number & old.length - 1];
            if (entry != null) {
                put(entry);
            }
        }
    }

    private void evict(int most) {
        while (count > 0 && size > most) {
            int place = next - count & ring.length - 1;
            Entry oldest = ring[place];
            ring[place] = null;
            count--;
            if (oldest != null) {
                size -= oldest.size();
                unchain(oldest);
            }
        }
        if (count == 0) {
            ring = NOTHING;
            chains = NOTHING;
        }
    }

    /// Removes the last entry of its chain.
    private void unchain(Entry oldest) {
        int chain = oldest.hash & chains.length - 1;
        Entry entry = chains[chain];
        if (entry == oldest) {
            chains[chain] = null;
            return;
        }
        while (entry != null && entry.older != oldest) {
            entry = entry.older;
        }
        if (entry != null) {
            entry.older = null;
        }
    }

    private static int hash(String name, String value) {
        int hash = name.hashCode() * 31 + value.hashCode();
        return hash ^ hash >>> 15;
    }

    /// Returns the names and values, the newest first, for tests.
    @Override
    public String toString() {
        var texts = new String[count];
        Arrays.setAll(
                texts,
                i -> {
                    Entry entry = ring[next - 1 - i & ring.length - 1];
                    return entry == null ? "" : entry.name + ": " + entry.value;
                });
        return String.join("\n", texts);
    }
}
