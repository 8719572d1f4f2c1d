package dev.tandem.cache;

/// Says whether the cache stands aside, since nearly all that is asked for is of files that do not
/// shrink. Those are the kernel's then: its cache may have all memory that nobody else has, where
/// ours leaves some free and takes some for itself, and what it holds is sent without a copy
/// (decision 0028). Guarded by the cache's lock.
final class Aside {
    /// It is decided anew after so many files were asked for; what was before counts half.
    static final int WINDOW = 256;

    /// Some 6 % of what is asked for, kept at two fifths of its size, are worth as much memory as
    /// the cache costs in a small container. It comes back at twice that, so that chance does not
    /// move it.
    private static final double ASIDE_FROM = 15 / 16.0;

    private static final double BACK_BELOW = 7 / 8.0;

    /// 1 MiB: of a large file often only a part is asked for.
    private static final long WEIGHT_MAX = 1 << 20;

    private long asked;
    private long rigid;
    private int count;
    private boolean isAside;

    /// A file is asked for.
    ///
    /// @param bytes its size
    /// @param isRigid whether it is known not to shrink
    void count(long bytes, boolean isRigid) {
        long weight = Math.min(bytes, WEIGHT_MAX);
        asked += weight;
        rigid += isRigid ? weight : 0;
        count++;
        if (count == WINDOW) {
            isAside = asked > 0 && rigid >= (isAside ? BACK_BELOW : ASIDE_FROM) * asked;
            asked /= 2;
            rigid /= 2;
            count = 0;
        }
    }

    boolean isAside() {
        return isAside;
    }
}
