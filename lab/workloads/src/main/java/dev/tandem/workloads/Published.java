package dev.tandem.workloads;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The workloads of the literature that are graphs of pages. `docs/workloads.md` gives the sources
/// of their numbers, and where published ones contradict each other.
public final class Published {
    /// RUBiS ends a session after a thousand moves, whatever its graph says.
    private static final SessionEnd RUBIS_END = new SessionEnd(1_000, null);

    /// RUBiS and TPC-W: seven seconds on average, at most seventy.
    private static final Distribution THINK = new Truncated(new Exponential(7), 70);

    /// TPC-W's users stay a quarter of an hour on average, at most an hour. The limit of pages only
    /// guards against sessions without end: an hour has about five hundred.
    private static final SessionEnd TPCW_END =
            new SessionEnd(100_000, new Truncated(new Exponential(900), 3_600));

    /// SPECweb's graphs end by themselves.
    private static final SessionEnd SPECWEB_END = new SessionEnd(100_000, null);

    /// Banking and Ecommerce: whole steps of two seconds, ten on average, at most 150.
    private static final Distribution SHOPPING_THINK = new Truncated(new Geometric(2, 10), 150);

    private Published() {}

    /// RUBiS with bids, purchases, comments and sales: its default table.
    public static SiteModel rubisBidding() {
        return rubis("bidding");
    }

    /// RUBiS without writes.
    public static SiteModel rubisBrowsing() {
        return rubis("browsing");
    }

    /// TPC-W where 95 of 100 interactions are browsing.
    public static SiteModel tpcwBrowsing() {
        return tpcw("browsing");
    }

    /// TPC-W where 80 of 100 interactions are browsing.
    public static SiteModel tpcwShopping() {
        return tpcw("shopping");
    }

    /// TPC-W where half of the interactions are browsing.
    public static SiteModel tpcwOrdering() {
        return tpcw("ordering");
    }

    /// SPECweb2005 Banking.
    public static SiteModel specwebBanking() {
        return specweb("banking", "login", SHOPPING_THINK);
    }

    /// SPECweb2005 Ecommerce, with rows that lead to the published mix.
    public static SiteModel specwebEcommerce() {
        return specweb("ecommerce", "index", SHOPPING_THINK);
    }

    /// SPECweb2005 Ecommerce, with the published rows, which do not lead to the published mix.
    public static SiteModel specwebEcommerceAsGiven() {
        var fitted = specwebEcommerce();
        return new SiteModel(
                fitted.name() + "-as-given",
                graph("specweb_ecommerce_as_given", "index", PageGraph.Remainder.END),
                fitted.think(),
                fitted.pages(),
                fitted.end(),
                fitted.mix());
    }

    /// SPECweb2005 Support.
    public static SiteModel specwebSupport() {
        return specweb("support", "home", new Truncated(new Geometric(1, 5), 75));
    }

    /// All workloads whose graph leads to their mix.
    public static List<SiteModel> all() {
        return List.of(
                rubisBidding(),
                rubisBrowsing(),
                tpcwBrowsing(),
                tpcwShopping(),
                tpcwOrdering(),
                specwebBanking(),
                specwebEcommerce(),
                specwebSupport());
    }

    private static SiteModel rubis(String which) {
        String name = "rubis_" + which;
        var graph = graph(name, "Home", PageGraph.Remainder.STAY);
        return new SiteModel(name.replace('_', '-'), graph, THINK, Map.of(), RUBIS_END, mix(name));
    }

    private static SiteModel tpcw(String which) {
        String name = "tpcw_" + which;
        var graph = graph(name, "Home", PageGraph.Remainder.STAY);
        return new SiteModel(name.replace('_', '-'), graph, THINK, Map.of(), TPCW_END, mix(name));
    }

    private static SiteModel specweb(String which, String start, Distribution think) {
        String name = "specweb_" + which;
        var graph = graph(name, start, PageGraph.Remainder.END);
        return new SiteModel(
                name.replace('_', '-'), graph, think, pages(name), SPECWEB_END, mix(name));
    }

    private static PageGraph graph(String name, String start, PageGraph.Remainder rest) {
        return PageGraph.read(start, rest, lines(name + "_graph.csv"));
    }

    private static Map<String, Double> mix(String name) {
        var mix = new LinkedHashMap<String, Double>();
        for (String line : lines(name + "_mix.csv")) {
            String[] columns = line.split(",");
            mix.put(columns[0], Double.valueOf(columns[1]));
        }
        return mix;
    }

    private static Map<String, PageModel> pages(String name) {
        var pages = new LinkedHashMap<String, PageModel>();
        for (String line : lines(name + "_pages.csv")) {
            String[] columns = line.split(",");
            var embedded = new ArrayList<Fetch>();
            for (int i = 3; i < columns.length; i += 3) {
                long bytes = Long.parseLong(columns[i + 1]);
                double unchanged = Double.parseDouble(columns[i + 2]);
                embedded.add(new Fetch(columns[i], bytes, Duration.ZERO, unchanged));
            }
            boolean isThoughtAbout = columns[2].equals("1");
            pages.put(
                    columns[0],
                    new PageModel(Integer.parseInt(columns[1]), isThoughtAbout, embedded));
        }
        return pages;
    }

    /// Returns the resource's lines without comments.
    private static List<String> lines(String resource) {
        try (InputStream in = Published.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the jar lacks " + resource);
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.lines().filter(line -> !line.startsWith("#")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
