package dev.tandem.lab.shops;

import dev.tandem.load.LoadReport;
import dev.tandem.load.Session;
import dev.tandem.load.Workload;
import dev.tandem.workloads.SessionSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// The emulated browsers of TPC-W on our bookstore (`docs/bookstore.md`). Four of five are
/// customers of the population; the others register when they buy. They choose books from the
/// pages, and fetch the pages' pictures. Immutable.
///
/// Each browser needs cookies, so a [dev.tandem.load.Client] must keep them.
///
/// @param model over the interactions of TPC-W
/// @param customers number of customers in the store
/// @param items number of items in the store
/// @param pace how many times faster than real ones these clients think; over 0
/// @param withPictures whether they fetch the pictures of each page
public record BookstoreClients(
        SessionSource model, int customers, int items, double pace, boolean withPictures)
        implements Workload {
    /// Web interaction response times: time limits in seconds for nine of ten responses, by TPC-W
    /// 1.8.
    static final Map<String, Integer> WIRT =
            Map.ofEntries(
                    Map.entry("Admin Confirm", 20),
                    Map.entry("Admin Request", 3),
                    Map.entry("Best Sellers", 5),
                    Map.entry("Buy Confirm", 5),
                    Map.entry("Buy Request", 3),
                    Map.entry("Customer Registration", 3),
                    Map.entry("Home", 3),
                    Map.entry("New Products", 5),
                    Map.entry("Order Display", 3),
                    Map.entry("Order Inquiry", 3),
                    Map.entry("Product Detail", 3),
                    Map.entry("Search Request", 3),
                    Map.entry("Search Results", 10),
                    Map.entry("Shopping Cart", 3));

    private static final int PERCENT = 90;

    @Override
    public String name() {
        return "bookstore, " + model.name();
    }

    @Override
    public Session begin(long number, RandomGenerator random) {
        return new BookstoreSession(this, number, random);
    }

    /// TPC-W's interactions, by their names in alphabetical order.
    public static List<String> pages() {
        return WIRT.keySet().stream().sorted().toList();
    }

    /// Time limit for nine of ten responses of that interaction, by TPC-W 1.8.
    public static int limitSeconds(String page) {
        return WIRT.getOrDefault(page, Integer.MAX_VALUE);
    }

    /// The interactions whose 90th percentile is over TPC-W's limit, a line each. Without pictures,
    /// which the papers' times include.
    public static List<String> tooSlow(LoadReport report) {
        var all = new TreeMap<>(WIRT);
        return all.entrySet().stream()
                .filter(limit -> report.pages().containsKey(limit.getKey()))
                .filter(limit -> seconds(report, limit.getKey()) > limit.getValue())
                .map(
                        limit ->
                                "%s: %.1f s, at most %d"
                                        .formatted(
                                                limit.getKey(),
                                                seconds(report, limit.getKey()),
                                                limit.getValue()))
                .toList();
    }

    private static double seconds(LoadReport report, String page) {
        return report.page(page).measured().millis(PERCENT) / 1_000;
    }
}
