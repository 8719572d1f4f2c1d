package dev.tandem.lab.shops;

import dev.tandem.workloads.Zipf;
import java.util.random.RandomGenerator;

/// What clients know of the files of the sets (`docs/specweb.md`): their sizes, and how often
/// support's are requested.
final class SpecwebFiles {
    /// Modification time of all of them, in milliseconds.
    static final long CHANGED_MILLIS = 1_700_000_000_000L;

    /// Number of cheques of a customer of the bank.
    static final int CHECKS = 10;

    /// Support's classes: shares of the requests.
    private static final double[] OF_CLASSES = {0.1366, 0.1261, 0.2840, 0.2232, 0.1250, 0.1051};

    /// The first size of each, and the step of sizes, in bytes.
    private static final long[][] SIZES = {
        {104_858, 104_858},
        {629_146, 125_829},
        {1_048_576, 492_831},
        {4_194_304, 1_352_663},
        {9_992_929, 0},
        {37_748_736, 0}
    };

    /// Shares of the requests for each file of a class.
    private static final double[][] SHARES = {
        {0.273, 0.091, 0.165, 0.186, 0.285},
        {0.579, 0.178, 0.243},
        {0.275, 0.170, 0.170, 0.385},
        {0.667, 0.333},
        {1},
        {1}
    };

    /// One of support's files.
    ///
    /// @param path below `downloads/`
    record Download(String path, long bytes) {}

    private final Zipf directories;

    SpecwebFiles(SpecwebClients.Set set) {
        directories = new Zipf(set.directories(), set.alpha());
    }

    /// The picture of a cheque's front or back.
    static long checkBytes(boolean isFront, int number) {
        return isFront ? 10_757 + 511L * number : 5_458 + 334L * number;
    }

    Download draw(RandomGenerator random) {
        int directory = (int) directories.quantile(random.nextDouble()) - 1;
        int its = drawn(OF_CLASSES, random);
        int k = drawn(SHARES[its], random);
        int number = k;
        for (int i = 0; i < its; i++) {
            number += SHARES[i].length;
        }
        long bytes = SIZES[its][0] + k * SIZES[its][1];
        return new Download(directory + "/" + number + ".txt", bytes);
    }

    private static int drawn(double[] shares, RandomGenerator random) {
        double left = random.nextDouble();
        int at = 0;
        while (at < shares.length - 1 && left >= shares[at]) {
            left -= shares[at];
            at++;
        }
        return at;
    }
}
