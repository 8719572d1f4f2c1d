package dev.tandem.lab;

import dev.tandem.lab.shops.BookstoreClients;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Results of a measurement of the bookstore, as figures by name.
final class StoreFigures {
    static final String PAGES = "pages/s";
    static final String IN_TIME = "pages/s in TPC-W's time";
    static final String QUICK = "quick pages/s";
    static final String LENGTHY = "lengthy pages/s";
    static final String QUICK_MEAN = "quick ms";
    static final String QUICK_P99 = "quick p99 ms";
    static final String LENGTHY_MEAN = "lengthy ms";
    static final String PICTURES = "pictures/s";
    static final String PICTURE_MEAN = "picture ms";
    static final String REJECTED = "rejected/s";
    static final String FAILED = "failed/s";
    static final String HELD = "connections held while rendering";
    static final String SERVER = "server's processors";
    static final String DATABASE = "database's processors";
    static final String COST = "server's ms a page";
    static final String GENERATOR = "generator's share";

    /// The paper's lengthy pages, which read or sort much.
    private static final List<String> LENGTHY_PAGES =
            List.of("Admin Confirm", "Best Sellers", "New Products", "Search Results");

    private static final double TAIL = 0.99;
    private static final double WIRT_SHARE = 0.9;

    private StoreFigures() {}

    static boolean isLengthy(String page) {
        return LENGTHY_PAGES.contains(page);
    }

    static boolean isQuick(String page) {
        return isPage(page) && !isLengthy(page);
    }

    static boolean isPage(String page) {
        return !isPicture(page);
    }

    static boolean isPicture(String page) {
        return page.equals(PageLog.PICTURE);
    }

    /// Pages of that name per second.
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

    static Map<String, Double> of(StoreLoad.Result measurement) {
        List<PageLog.Request> both =
                measurement.log().completed(measurement.from(), measurement.to());
        List<PageLog.Request> all = both.stream().filter(a -> isPage(a.page())).toList();
        double[] pictures =
                seconds(
                        both.stream().filter(PageLog.Request::isRight).toList(),
                        StoreFigures::isPicture);
        List<PageLog.Request> right = all.stream().filter(PageLog.Request::isRight).toList();
        double seconds = measurement.seconds();
        long inTime =
                right.stream()
                        .filter(a -> a.seconds() <= BookstoreClients.limitSeconds(a.page()))
                        .count();
        long rejected = all.stream().filter(PageLog.Request::isRejected).count();
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
        figures.put(PICTURES, pictures.length / seconds);
        figures.put(PICTURE_MEAN, 1e3 * mean(pictures));
        figures.put(REJECTED, rejected / seconds);
        figures.put(FAILED, (all.size() - right.size() - rejected) / seconds);
        figures.put(HELD, (double) measurement.held());
        figures.put(SERVER, measurement.processors());
        figures.put(COST, 1e3 * measurement.processors() * seconds / right.size());
        figures.put(GENERATOR, measurement.generatorShare());
        for (String page : BookstoreClients.pages()) {
            double[] times = seconds(right, page::equals);
            figures.put(rate(page), times.length / seconds);
            figures.put(mean(page), 1e3 * mean(times));
            figures.put(p90(page), quantile(times, WIRT_SHARE));
        }
        return figures;
    }

    /// Ascending.
    private static double[] seconds(List<PageLog.Request> pages, Predicate<String> of) {
        return pages.stream()
                .filter(one -> of.test(one.page()))
                .mapToDouble(PageLog.Request::seconds)
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
