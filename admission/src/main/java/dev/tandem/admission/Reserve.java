package dev.tandem.admission;

/// How many workers lengthy requests leave free for quick ones (t_reserve), from how many were
/// free when quick ones came (t_spare). The two names and their purpose are those of
/// Courtwright, Yue and Wang (DSN 2009); the rule is our own: raised at once if quick requests
/// had to wait, lowered slowly if some of it was never used. Guarded by the admission's lock.
final class Reserve {
    /// Quick requests wait if one in a hundred does.
    private static final double WAITED_MAX = 0.01;

    /// If fewer than one in five hundred do, the reserve may be too large.
    private static final double WAITED_FEW = 0.002;

    private int size;
    private int spareLeast = Integer.MAX_VALUE;
    private int quick;
    private int waited;
    private boolean hasLengthy;

    int size() {
        return size;
    }

    void lengthyBegan() {
        hasLengthy = true;
    }

    /// A quick request began.
    ///
    /// @param spare workers that were free then
    void quickBegan(int spare, boolean hasWaited) {
        quick++;
        if (hasWaited) {
            waited++;
        }
        spareLeast = Math.min(spareLeast, spare);
    }

    /// Ends a second.
    ///
    /// @param workers how many there are
    void second(int workers) {
        int most = workers - lengthyLeast(workers);
        if (!hasLengthy) {
            size /= 2; // there is nobody to keep off
        } else if (waited > WAITED_MAX * quick) {
            size += Math.max(1, workers / 32);
        } else if (waited <= WAITED_FEW * quick) {
            size -= 1 + (quick == 0 ? 0 : spareLeast / 4);
        }
        size = Math.clamp(size, 0, most);
        spareLeast = Integer.MAX_VALUE;
        quick = 0;
        waited = 0;
        hasLengthy = false;
    }

    /// So many workers lengthy requests have before anybody else, so that quick ones cannot
    /// starve them either: a quarter, at least one.
    static int lengthyLeast(int workers) {
        return Math.max(1, workers / 4);
    }
}
