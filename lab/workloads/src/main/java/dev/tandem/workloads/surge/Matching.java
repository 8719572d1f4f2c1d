package dev.tandem.workloads.surge;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/// Assigns sizes to popular files so that the sizes of requested files follow a distribution, while
/// those of all files follow theirs.
///
/// The files, sorted by size, are halved, and each half halved again down to one file. At each
/// halving, ranks are dealt in order of popularity to the half that needs more requests for each
/// file it has left; a rank that is too heavy for that half goes to the one that needs more in
/// total. The need of the lower half is computed from all files below it, so that errors do not add
/// up. The largest remaining error is about the share of the most popular file, which has one size
/// and cannot be divided.
final class Matching {
    private final long[] requests;
    private final long[] sizes;
    private final DoubleUnaryOperator wanted;
    private final double total;
    private final int[] places;

    private Matching(long[] requests, long[] sizes, DoubleUnaryOperator wanted) {
        this.requests = requests;
        this.sizes = sizes;
        this.wanted = wanted;
        this.total = Arrays.stream(requests).sum();
        this.places = new int[requests.length];
    }

    /// @param requests of each rank, the most first
    /// @param sizes of as many files, the smallest first
    /// @param wanted the share of requests that should be for files of at most a size
    /// @return for each rank, the index of its size
    static int[] match(long[] requests, long[] sizes, DoubleUnaryOperator wanted) {
        var matching = new Matching(requests, sizes, wanted);
        int[] ranks = new int[requests.length];
        Arrays.setAll(ranks, i -> i);
        matching.deal(ranks, 0, 0);
        return matching.places;
    }

    /// @param ranks the most popular first
    /// @param from the first place for them; there is one for each
    /// @param before the number of requests for the places below
    private void deal(int[] ranks, int from, double before) {
        if (ranks.length == 1) {
            places[ranks[0]] = from;
            return;
        }
        int middle = from + ranks.length / 2;
        double sum = Arrays.stream(ranks).mapToDouble(rank -> requests[rank]).sum();
        double lowNeeds = wantedBelow(middle) - before;
        var low = new Half(ranks.length / 2, lowNeeds);
        var high = new Half(ranks.length - ranks.length / 2, sum - lowNeeds);
        for (int rank : ranks) {
            var half = isForLow(requests[rank], low, high) ? low : high;
            half.take(rank, requests[rank]);
        }
        deal(low.ranks, from, before);
        deal(high.ranks, middle, before + low.sum);
    }

    /// Returns how many requests should be for the places below one. A size's share lies between
    /// those of its neighbours.
    private double wantedBelow(int place) {
        double below = wanted.applyAsDouble(sizes[place - 1]);
        double at = wanted.applyAsDouble(sizes[place]);
        return total * (below + at) / 2;
    }

    private static boolean isForLow(double weight, Half low, Half high) {
        if (low.free() == 0 || high.free() == 0) {
            return high.free() == 0;
        }
        boolean isLowFirst = low.needs / low.free() >= high.needs / high.free();
        boolean isTooHeavy = weight > (isLowFirst ? low.needs : high.needs);
        return isTooHeavy ? low.needs >= high.needs : isLowFirst;
    }

    /// The lower or the upper half of some places.
    private static final class Half {
        private final int[] ranks;
        private int taken;
        private double needs;
        private double sum;

        Half(int size, double needs) {
            this.ranks = new int[size];
            this.needs = needs;
        }

        int free() {
            return ranks.length - taken;
        }

        void take(int rank, double weight) {
            ranks[taken++] = rank;
            needs -= weight;
            sum += weight;
        }
    }
}
