package dev.tandem.http;

/// Bounds on one form. One beyond them is refused with 413, except that `partMemoryMaxBytes` only
/// sends parts to disk.
///
/// Six numbers, since there are six bounds: made from [#DEFAULT] by the `with` methods.
///
/// @param urlencodedMaxBytes an urlencoded form's body, all of which is kept in memory; 0 to 1 GiB
/// @param partsMax fields and files of a form, of either kind; 1 to 100,000
/// @param partHeadMaxBytes one part's header section, with its line ends; 64 bytes to 16 KiB
/// @param partMaxBytes one part's content; at least 0
/// @param totalMaxBytes the body of a multipart form; at least 0
/// @param partMemoryMaxBytes a part's content of up to so many bytes is kept in memory, a larger
///     one in a temporary file; 0 to 16 MiB. All parts together keep at most 16 times as much in
///     memory: those behind go to files too
public record FormLimits(
        int urlencodedMaxBytes,
        int partsMax,
        int partHeadMaxBytes,
        long partMaxBytes,
        long totalMaxBytes,
        int partMemoryMaxBytes) {

    /// What [#partHeadMaxBytes()] may be at most, in bytes: the parser's buffer must hold a head.
    static final int PART_HEAD_LIMIT = 16 << 10;

    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;

    /// Urlencoded 1 MiB; 1,000 parts with heads of 8 KiB and 32 MiB each, 64 MiB together, 64 KiB
    /// of each in memory.
    public static final FormLimits DEFAULT =
            new FormLimits(MIB, 1_000, 8 * KIB, 32L * MIB, 64L * MIB, 64 * KIB);

    /// @throws IllegalArgumentException if a bound is out of range; names the bound and its value
    public FormLimits {
        check("urlencodedMaxBytes", urlencodedMaxBytes, 0, 1 << 30);
        check("partsMax", partsMax, 1, 100_000);
        check("partHeadMaxBytes", partHeadMaxBytes, 64, PART_HEAD_LIMIT);
        check("partMaxBytes", partMaxBytes, 0, Long.MAX_VALUE);
        check("totalMaxBytes", totalMaxBytes, 0, Long.MAX_VALUE);
        check("partMemoryMaxBytes", partMemoryMaxBytes, 0, 16 * MIB);
    }

    public FormLimits withUrlencodedMaxBytes(int bytes) {
        return new FormLimits(
                bytes, partsMax, partHeadMaxBytes, partMaxBytes, totalMaxBytes, partMemoryMaxBytes);
    }

    public FormLimits withPartsMax(int parts) {
        return new FormLimits(
                urlencodedMaxBytes,
                parts,
                partHeadMaxBytes,
                partMaxBytes,
                totalMaxBytes,
                partMemoryMaxBytes);
    }

    public FormLimits withPartHeadMaxBytes(int bytes) {
        return new FormLimits(
                urlencodedMaxBytes,
                partsMax,
                bytes,
                partMaxBytes,
                totalMaxBytes,
                partMemoryMaxBytes);
    }

    public FormLimits withPartMaxBytes(long bytes) {
        return new FormLimits(
                urlencodedMaxBytes,
                partsMax,
                partHeadMaxBytes,
                bytes,
                totalMaxBytes,
                partMemoryMaxBytes);
    }

    public FormLimits withTotalMaxBytes(long bytes) {
        return new FormLimits(
                urlencodedMaxBytes,
                partsMax,
                partHeadMaxBytes,
                partMaxBytes,
                bytes,
                partMemoryMaxBytes);
    }

    public FormLimits withPartMemoryMaxBytes(int bytes) {
        return new FormLimits(
                urlencodedMaxBytes, partsMax, partHeadMaxBytes, partMaxBytes, totalMaxBytes, bytes);
    }

    /// What all parts together keep in memory, in bytes.
    int memoryMaxBytes() {
        return 16 * partMemoryMaxBytes;
    }

    private static void check(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    name + " must be " + min + ".." + max + ", was " + value);
        }
    }
}
