package dev.tandem.workloads.surge;

/// The size and the seed of a Surge. Immutable.
///
/// @param seed the same seed gives the same files and the same stream, on every machine
/// @param files the number of files; 10 to 100,000
/// @param requests the number of requests before the stream begins again; enough for each file to
///     be requested once (17,000 for 2,000 files; a lower value is rejected with the number
///     needed), at most 2,000,000, since it is held in memory with about 150 bytes each
/// @param sessionRequests the mean number of requests per session; 1 to 1,000, and at least as many
///     as a page has on average
/// @param bytesMax the maximum total length of all files, in bytes, at least 1; a larger set is
///     rejected before anything is written
/// @param model the distributions
public record SurgeSettings(
        long seed, int files, int requests, double sessionRequests, long bytesMax, SurgeModel model)
        implements SurgeSettingsWith {

    /// As in the papers: 2,000 files, 20,000 requests, six of them per session. At most 1 GiB of
    /// files; with this seed it is a tenth.
    public static final SurgeSettings DEFAULT =
            new SurgeSettings(1, 2_000, 20_000, 6, 1L << 30, SurgeModel.PAPER);

    /// @throws IllegalArgumentException if a value is out of range; names it
    public SurgeSettings {
        within("files", files, 10, 100_000);
        within("requests", requests, 10, 2_000_000);
        if (!(sessionRequests >= 1 && sessionRequests <= 1_000)) {
            throw new IllegalArgumentException(
                    "sessionRequests must be 1..1000, was " + sessionRequests);
        }
        if (bytesMax < 1) {
            throw new IllegalArgumentException("bytesMax must be at least 1, was " + bytesMax);
        }
    }

    private static void within(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    name + " must be " + min + ".." + max + ", was " + value);
        }
    }
}
