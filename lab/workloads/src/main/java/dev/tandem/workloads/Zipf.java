package dev.tandem.workloads;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/// Zipf's distribution: of the ranks 1 to `count`, rank r has a share in proportion to `1 / r ^
/// alpha`.
public final class Zipf implements Distribution {
    /// The maximum number of ranks: eight bytes are kept for each.
    public static final int COUNT_MAX = 10_000_000;

    private final double alpha;

    /// The share of ranks 1 to i + 1.
    private final double[] upTo;

    /// @param count of ranks, 1 to [#COUNT_MAX]
    /// @param alpha at least 0, which makes all ranks equal
    public Zipf(int count, double alpha) {
        if (count < 1 || count > COUNT_MAX) {
            throw new IllegalArgumentException("count must be 1.." + COUNT_MAX + ", was " + count);
        }
        if (!(alpha >= 0) || Double.isInfinite(alpha)) {
            throw new IllegalArgumentException("alpha must be at least 0, was " + alpha);
        }
        this.alpha = alpha;
        this.upTo = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += StrictMath.pow(i + 1, -alpha);
            upTo[i] = sum;
        }
        for (int i = 0; i < count; i++) {
            upTo[i] /= sum;
        }
    }

    /// The number of ranks.
    public int count() {
        return upTo.length;
    }

    public double alpha() {
        return alpha;
    }

    /// Returns the share of one rank.
    ///
    /// @param rank 1 to [#count()]
    public double share(int rank) {
        return upTo[rank - 1] - (rank == 1 ? 0 : upTo[rank - 2]);
    }

    /// Divides `total` among the ranks, each within one of its share; never more for a later rank.
    /// The remainder after rounding down goes to the ranks that lost most by it.
    ///
    /// @param total at least 0
    /// @return rank 1 first
    public long[] divided(long total) {
        long[] parts = new long[count()];
        double[] lost = new double[count()];
        long left = total;
        for (int i = 0; i < parts.length; i++) {
            double exact = total * share(i + 1);
            parts[i] = (long) exact;
            lost[i] = exact - parts[i];
            left -= parts[i];
        }
        IntStream.range(0, parts.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -lost[i]))
                .limit(left)
                .forEach(i -> parts[i]++);
        return parts;
    }

    @Override
    public double cdf(double x) {
        return x < 1 ? 0 : upTo[(int) Math.min(x, upTo.length) - 1];
    }

    /// Returns a rank.
    @Override
    public double quantile(double p) {
        int found = Arrays.binarySearch(upTo, Checks.share("p", p));
        int index = found >= 0 ? found : -found - 1;
        return Math.min(index, upTo.length - 1) + 1;
    }

    @Override
    public double mean() {
        double sum = 0;
        for (int rank = 1; rank <= count(); rank++) {
            sum += rank * share(rank);
        }
        return sum;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Zipf zipf && zipf.alpha == alpha && zipf.count() == count();
    }

    @Override
    public int hashCode() {
        return Double.hashCode(alpha) * 31 + count();
    }

    @Override
    public String toString() {
        return "Zipf[count=" + count() + ", alpha=" + alpha + "]";
    }
}
