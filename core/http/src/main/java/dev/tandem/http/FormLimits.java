package dev.tandem.http;

/// Limits of a form. A form that exceeds one is rejected with 413, except that `partMemoryMaxBytes`
/// only moves parts to disk.
///
/// Derived from [#DEFAULT] by the `with` methods.
///
/// @param urlencodedMaxBytes the body of a URL-encoded form, all of which is kept in memory; 0 to 1
///     GiB
/// @param partsMax the fields and files of a form of either type; 1 to 100,000
/// @param partHeadMaxBytes the header section of one part, with its line terminators; 64 bytes to
///     16 KiB. Those of all parts, which are kept in memory, have at most 16 times as much, or 512
///     bytes for each of `partsMax` if that is more; each line counts as 32 bytes more
/// @param partMaxBytes the content of one part; at least 0
/// @param totalMaxBytes the body of a multipart form; at least 0
/// @param partMemoryMaxBytes the content of a part up to this size is kept in memory, larger
///     content in a temporary file; 0 to 16 MiB. All parts together keep at most 16 times as much
///     in memory; subsequent ones are written to files too
public record FormLimits(
        int urlencodedMaxBytes,
        int partsMax,
        int partHeadMaxBytes,
        long partMaxBytes,
        long totalMaxBytes,
        int partMemoryMaxBytes)
        implements FormLimitsWith {

    /// The maximum of [#partHeadMaxBytes()], in bytes: the parser's buffer must hold a complete
    /// head.
    static final int PART_HEAD_LIMIT = 16 << 10;

    /// Some three times the head of a file with a long name.
    private static final long HEAD_MEAN = 512;

    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;

    /// URL-encoded forms of 1 MiB; 1,000 parts with heads of 8 KiB and 32 MiB each, 64 MiB
    /// together, 64 KiB of each in memory.
    public static final FormLimits DEFAULT =
            new FormLimits(MIB, 1_000, 8 * KIB, 32L * MIB, 64L * MIB, 64 * KIB);

    /// @throws IllegalArgumentException if a limit is out of range; names the limit and its value
    public FormLimits {
        Bounds.check("urlencodedMaxBytes", urlencodedMaxBytes, 0, 1 << 30);
        Bounds.check("partsMax", partsMax, 1, 100_000);
        Bounds.check("partHeadMaxBytes", partHeadMaxBytes, 64, PART_HEAD_LIMIT);
        Bounds.check("partMaxBytes", partMaxBytes, 0, Long.MAX_VALUE);
        Bounds.check("totalMaxBytes", totalMaxBytes, 0, Long.MAX_VALUE);
        Bounds.check("partMemoryMaxBytes", partMemoryMaxBytes, 0, 16 * MIB);
    }

    /// Returns how much the heads of all parts together may count.
    long headsMaxBytes() {
        return Math.max(16L * partHeadMaxBytes, HEAD_MEAN * partsMax);
    }

    /// Returns the memory for the content of all parts together, in bytes.
    int memoryMaxBytes() {
        return 16 * partMemoryMaxBytes;
    }
}
