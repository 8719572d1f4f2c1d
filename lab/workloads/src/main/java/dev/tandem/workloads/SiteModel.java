package dev.tandem.workloads;

import java.util.Iterator;
import java.util.Map;
import java.util.random.RandomGenerator;

/// A workload that is a graph of pages: RUBiS, TPC-W and SPECweb2005. Targets are names of pages;
/// what a page is asked for by, and what of earlier answers goes into that, is its site's matter.
///
/// @param graph how pages follow each other
/// @param think how long a visitor thinks before a page, in seconds
/// @param pages what is known of pages; those that are missing are [PageModel#PLAIN]
/// @param mix the share of each page, in percent, that visitors should come to
public record SiteModel(
        String name,
        PageGraph graph,
        Distribution think,
        Map<String, PageModel> pages,
        SessionEnd end,
        Map<String, Double> mix)
        implements Visits {

    /// @throws IllegalArgumentException if a page is not one of the graph
    public SiteModel {
        pages = Map.copyOf(pages);
        mix = Map.copyOf(mix);
        checkPages(graph, pages);
        checkPages(graph, mix);
    }

    /// What is known of a page.
    public PageModel page(String page) {
        return pages.getOrDefault(page, PageModel.PLAIN);
    }

    @Override
    public Iterator<PageView> begin(long number, RandomGenerator random) {
        return new SiteWalk(this, random);
    }

    private static void checkPages(PageGraph graph, Map<String, ?> described) {
        for (String page : described.keySet()) {
            if (!graph.pages().contains(page)) {
                throw new IllegalArgumentException("there is no page '" + page + "' in the graph");
            }
        }
    }
}
