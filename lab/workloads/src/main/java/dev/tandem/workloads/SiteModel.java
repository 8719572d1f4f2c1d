package dev.tandem.workloads;

import java.util.Iterator;
import java.util.Map;
import java.util.random.RandomGenerator;

/// A workload that is a graph of pages: RUBiS, TPC-W and SPECweb2005. Targets are names of pages;
/// the site determines how a page is requested, and which parts of earlier responses that needs.
///
/// @param graph the moves between pages
/// @param think a user's think time before a page, in seconds
/// @param pages properties of pages; those that are missing are [PageModel#PLAIN]
/// @param mix the expected share of each page, in percent
public record SiteModel(
        String name,
        PageGraph graph,
        Distribution think,
        Map<String, PageModel> pages,
        SessionEnd end,
        Map<String, Double> mix)
        implements SessionSource {

    /// @throws IllegalArgumentException if a page is not one of the graph
    public SiteModel {
        pages = Map.copyOf(pages);
        mix = Map.copyOf(mix);
        checkPages(graph, pages);
        checkPages(graph, mix);
    }

    /// Returns the properties of a page.
    public PageModel page(String page) {
        return pages.getOrDefault(page, PageModel.PLAIN);
    }

    @Override
    public Iterator<PageView> begin(long number, RandomGenerator random) {
        return new SiteSession(this, random);
    }

    private static void checkPages(PageGraph graph, Map<String, ?> described) {
        for (String page : described.keySet()) {
            if (!graph.pages().contains(page)) {
                throw new IllegalArgumentException("there is no page '" + page + "' in the graph");
            }
        }
    }
}
