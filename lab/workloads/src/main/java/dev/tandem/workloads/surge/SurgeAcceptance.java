package dev.tandem.workloads.surge;

import dev.tandem.workloads.Distribution;
import dev.tandem.workloads.Fetch;
import dev.tandem.workloads.Finding;
import dev.tandem.workloads.Fit;
import dev.tandem.workloads.PageView;
import dev.tandem.workloads.Truncated;
import dev.tandem.workloads.Zipf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/// Checks whether a Surge matches its model. Everything but the sizes of files and the parts of
/// pages is computed from the stream of requests alone, as a server would see it.
///
/// For drawn samples, the bound is the distance of Kolmogorov and Smirnov that one seed in a
/// thousand exceeds by chance. If several properties must hold for the same requests (request
/// sizes, stack distances), the bound includes how much each may suffer from the others.
public final class SurgeAcceptance {
    /// The allowed error of request sizes, in addition to half the share of the most popular file.
    private static final double REQUEST_SIZES_SLACK = 0.03;

    /// The allowed error of stack distances, in addition to chance: pages that must come up more
    /// often than by chance are taken one deeper or higher than drawn.
    private static final double DISTANCES_SLACK = 0.02;

    /// The allowed difference of the mean number of requests per session from the setting, in
    /// standard deviations of a mean: one seed in a thousand exceeds it.
    private static final double DEVIATIONS = 3.29;

    private final Surge surge;
    private final SurgeModel model;
    private final List<Fetch> requests;

    private SurgeAcceptance(Surge surge, SurgeModel model) {
        this.surge = surge;
        this.model = model;
        var requests = new ArrayList<Fetch>();
        for (PageView view : surge.views()) {
            requests.add(view.main());
            requests.addAll(view.embedded());
        }
        this.requests = requests;
    }

    /// Checks everything; draws it a second time.
    public static List<Finding> check(Surge surge) {
        return check(surge, surge.settings().model());
    }

    /// Checks against another model than its own, so that tests can show that each check can fail.
    static List<Finding> check(Surge surge, SurgeModel model) {
        var acceptance = new SurgeAcceptance(surge, model);
        return List.of(
                acceptance.fileSizes(),
                acceptance.popularity(),
                acceptance.requestSizes(),
                acceptance.references(),
                acceptance.singles(),
                acceptance.activeOff(),
                acceptance.inactiveOff(),
                acceptance.distances(),
                acceptance.sessionRequests(),
                acceptance.repeats());
    }

    private Finding fileSizes() {
        double[] sizes = surge.files().stream().mapToDouble(SurgeFile::bytes).toArray();
        return drawn("file sizes: KS distance", sizes, model.fileSizes());
    }

    private Finding popularity() {
        var counts =
                requests.stream()
                        .collect(Collectors.groupingBy(Fetch::target, Collectors.counting()));
        long[] sorted = counts.values().stream().mapToLong(Long::longValue).sorted().toArray();
        var zipf = new Zipf(surge.files().size(), model.popularityAlpha());
        double worst = Math.abs(sorted.length - zipf.count());
        for (int rank = 1; rank <= Math.min(sorted.length, zipf.count()); rank++) {
            double wanted = requests.size() * zipf.share(rank);
            worst = Math.max(worst, Math.abs(sorted[sorted.length - rank] - wanted));
        }
        return new Finding("popularity: a rank's requests from Zipf's, at most", worst, 1);
    }

    private Finding requestSizes() {
        double[] sizes = requests.stream().mapToDouble(Fetch::bytes).toArray();
        double most = Arrays.stream(sizes).max().orElseThrow();
        double heaviest = new Zipf(surge.files().size(), model.popularityAlpha()).share(1);
        return new Finding(
                "request sizes: KS distance",
                Fit.distance(sizes, new Truncated(model.requestSizes(), most)::cdf),
                heaviest / 2 + REQUEST_SIZES_SLACK);
    }

    private Finding references() {
        double[] counts =
                surge.pages().stream()
                        .mapToDouble(page -> page.embedded().size())
                        .filter(count -> count > 0)
                        .toArray();
        return new Finding(
                "references: KS distance",
                Fit.distanceOfWhole(counts, count -> model.references().cdf(count + 1)),
                Fit.bound(counts.length));
    }

    private Finding singles() {
        double expected = model.singlesPerPage() / (1 + model.singlesPerPage());
        double[] kinds =
                surge.pages().stream()
                        .mapToDouble(page -> page.embedded().isEmpty() ? 0 : 1)
                        .toArray();
        return new Finding(
                "single pages: KS distance of their share",
                Fit.distanceOfWhole(kinds, kind -> kind < 0 ? 0 : kind < 1 ? expected : 1),
                Fit.bound(kinds.length));
    }

    private Finding activeOff() {
        double[] gaps =
                surge.views().stream()
                        .flatMap(view -> view.embedded().stream())
                        .mapToDouble(fetch -> fetch.gap().toNanos() / 1e9)
                        .toArray();
        return drawn("active off times: KS distance", gaps, model.activeOff());
    }

    private Finding inactiveOff() {
        var thinks = DoubleStream.builder();
        for (int number = 0; number < surge.sessions(); number++) {
            surge.session(number).stream()
                    .skip(1)
                    .forEach(view -> thinks.add(view.think().toNanos() / 1e9));
        }
        return drawn(
                "inactive off times: KS distance", thinks.build().toArray(), model.inactiveOff());
    }

    /// Computed anew from the stream.
    private Finding distances() {
        List<String> pages = surge.views().stream().map(PageView::page).toList();
        double[] distances = StackDistances.of(pages);
        return new Finding(
                "temporal locality: KS distance of stack distances",
                Fit.distanceOfWhole(distances, model.distances()::cdf),
                Fit.bound(distances.length) + DISTANCES_SLACK);
    }

    private Finding sessionRequests() {
        double[] counts = new double[surge.sessions()];
        for (int number = 0; number < counts.length; number++) {
            counts[number] = surge.session(number).stream().mapToInt(PageView::requests).sum();
        }
        double mean = Arrays.stream(counts).average().orElseThrow();
        double variance =
                Arrays.stream(counts).map(count -> (count - mean) * (count - mean)).sum()
                        / counts.length;
        return new Finding(
                "requests a session: mean from the setting",
                Math.abs(mean - surge.settings().sessionRequests()),
                DEVIATIONS * Math.sqrt(variance / counts.length));
    }

    private Finding repeats() {
        var again = Surge.of(surge.settings());
        boolean isSame =
                again.fingerprint().equals(surge.fingerprint())
                        && again.files().equals(surge.files());
        return new Finding("the seed gives another stream (1) or the same (0)", isSame ? 0 : 1, 0);
    }

    private static Finding drawn(String name, double[] sample, Distribution of) {
        return new Finding(name, Fit.distance(sample, of::cdf), Fit.bound(sample.length));
    }
}
