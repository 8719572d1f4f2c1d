package dev.tandem.testkit.interleave;

import java.util.Arrays;

/// The decisions of one interleaving, and from them those of the next, depth first. Confined to the
/// active
/// thread.
final class Choices {
    /// An interleaving is not what it was before: the scenario depends on more than the order of
    /// steps. Once that is the case for each class that is initialized on the way.
    static final class Divergence extends Error {
        private static final long serialVersionUID = 1;

        Divergence(String message) {
            super(message);
        }
    }

    private int[] taken = new int[64];
    private int[] counts = new int[64];
    private int length;
    private int depth;

    /// Returns the next decision.
    ///
    /// @param count how many there are to choose from; at least 1
    int next(int count) {
        if (count == 1) {
            return 0;
        }
        if (depth == length) {
            if (length == taken.length) {
                taken = Arrays.copyOf(taken, 2 * length);
                counts = Arrays.copyOf(counts, 2 * length);
            }
            taken[length] = 0;
            counts[length] = count;
            length++;
        } else if (counts[depth] != count) {
            throw new Divergence(count + " choices, were " + counts[depth]);
        }
        return taken[depth++];
    }

    /// Begins the same interleaving again.
    void rewind() {
        depth = 0;
    }

    /// Advances to the next interleaving.
    ///
    /// @return false if there is none
    boolean advance() {
        depth = 0;
        while (length > 0 && taken[length - 1] + 1 == counts[length - 1]) {
            length--;
        }
        if (length > 0) {
            taken[length - 1]++;
        }
        return length > 0;
    }
}
