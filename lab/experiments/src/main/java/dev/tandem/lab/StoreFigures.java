package dev.tandem.lab;

import dev.tandem.lab.shops.BookstoreVisitors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// What a take in the bookstore came to, as figures by name.
final class StoreFigures {
    static final String PAGES = "pages/s";
    static final String IN_TIME = "pages/s in TPC-W's time";
    static final String QUICK = "quick pages/s";
    static final String LENGTHY = "lengthy pages/s";
    static final String QUICK_MEAN = "quick ms";
    static final String QUICK_P99 = "quick p99 ms";
    static final String LENGTHY_MEAN = "lengthy ms";
    static final String REFUSED = "refused/s";
    static final String FAILED = "failed/s";
    static final String HELD = "connections held while rendering";
    static final String SERVER = "server's processors";
    static final String COST = "server's ms a page";
    static final String GENERATOR = "generator's share";

    /// Those of the paper's lengthy pages, which read or sort much.
    private static final List<String> LENGTHY_PAGES =
            List.of("Admin Confirm", "Best Sellers", "New Products", "Search Results");

    private static final double TAIL = 0.99;
    private static final double WIRT_SHARE = 0.9;

    private StoreFigures() {}

    static boolean isLengthy(String page) {
        return LENGTHY_PAGES.contains(page);
    }

    static boolean isQuick(String page) {
        return !isLengthy(page);
    }

    /// Pages of that name in a second.
    static String rate(String page) {
        return page + "/s";
    }

    /// The mean response time of that page.
    static String mean(String page) {
        return page + " ms";
    }

    /// The 90th percentile, which TPC-W limits.
    static String p90(String page) {
        return page + " p90 s";
    }

    static Map<String, Double> of(StoreLoad.Take take) {
        List<PageLog.Asked> all = take.log().answered(take.from(), take.to());
        List<PageLog.Asked> right = all.stream().filter(PageLog.Asked::isRight).toList();
        double seconds = take.seconds();
        long inTime =
                right.stream()
                        .filter(a -> a.seconds() <= BookstoreVisitors.limitSeconds(a.page()))
                        .count();
        long refused = all.stream().filter(PageLog.Asked::isRefused).count();
        double[] quick = seconds(right, StoreFigures::isQuick);
        double[] lengthy = seconds(right, StoreFigures::isLengthy);
        var figures = new LinkedHashMap<String, Double>();
        figures.put(PAGES, right.size() / seconds);
        figures.put(IN_TIME, inTime / seconds);
        figures.put(QUICK, quick.length / seconds);
        figures.put(LENGTHY, lengthy.length / seconds);
        figures.put(QUICK_MEAN, 1e3 * mean(quick));
        figures.put(QUICK_P99, 1e3 * quantile(quick, TAIL));
        figures.put(LENGTHY_MEAN, 1e3 * mean(lengthy));
        figures.put(REFUSED, refused / seconds);
        figures.put(FAILED, (all.size() - right.size() - refused) / seconds);
        figures.put(HELD, (double) take.held());
        figures.put(SERVER, take.processors());
        figures.put(COST, 1e3 * take.processors() * seconds / right.size());
        figures.put(GENERATOR, take.generatorShare());
        for (String page : BookstoreVisitors.pages()) {
            double[] times = seconds(right, page::equals);
            figures.put(rate(page), times.length / seconds);
            figures.put(mean(page), 1e3 * mean(times));
            figures.put(p90(page), quantile(times, WIRT_SHARE));
        }
        return figures;
    }

    /// Rising.
    private static double[] seconds(List<PageLog.Asked> pages, Predicate<String> of) {
        return pages.stream()
                .filter(one -> of.test(one.page()))
                .mapToDouble(PageLog.Asked::seconds)
                .sorted()
                .toArray();
    }

    private static double mean(double[] times) {
        return java.util.Arrays.stream(times).average().orElse(Double.NaN);
    }

    private static double quantile(double[] rising, double share) {
        if (rising.length == 0) {
            return Double.NaN;
        }
        int rank = (int) Math.ceil(share * rising.length);
        return rising[Math.clamp(rank - 1, 0, rising.length - 1)];
    }
}
