package dev.tandem.workloads;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/// Checks whether users of a [SiteModel] reach the shares of pages that were published for it.
public final class MixAcceptance {
    /// In percentage points: published mixes are rounded, and TPC-W's shopping table is known to
    /// lack that much at the shopping cart.
    private static final double POINTS_MAX = 0.5;

    private static final double PERCENT = 100;

    private MixAcceptance() {}

    /// Runs consecutive sessions until so many pages were viewed and the last session has ended.
    ///
    /// @param pages with 100,000 the shares are off by a tenth of a point or two by chance
    /// @return the largest difference of a page's share, in points
    public static Finding check(SiteModel model, long pages, long seed) {
        var counts = new HashMap<String, Long>();
        var random = new SplittableRandom(seed);
        long seen = 0;
        for (long number = 0; seen < pages; number++) {
            var session = model.begin(number, random);
            while (session.hasNext()) {
                counts.merge(session.next().page(), 1L, Long::sum);
                seen++;
            }
        }
        return new Finding(
                model.name() + ": a page's share from the published one, points, at most",
                worst(model.mix(), counts, seen),
                POINTS_MAX);
    }

    private static double worst(Map<String, Double> mix, Map<String, Long> counts, long seen) {
        double worst = 0;
        for (var published : mix.entrySet()) {
            double share = PERCENT * counts.getOrDefault(published.getKey(), 0L) / seen;
            worst = Math.max(worst, Math.abs(share - published.getValue()));
        }
        return worst;
    }
}
