package dev.tandem.specweb;

import dev.tandem.workloads.PageGraph;
import dev.tandem.workloads.PageModel;
import dev.tandem.workloads.Published;
import dev.tandem.workloads.SiteModel;
import java.util.List;
import java.util.Locale;

/// The three sites, with the simulator's numbers for them.
enum Site {
    BANKING(1, "The bank", Published.specwebBanking()),
    ECOMMERCE(2, "The shop", Published.specwebEcommerce()),
    SUPPORT(3, "Support", Published.specwebSupport());

    private final int workload;
    private final String title;
    private final SiteModel model;

    Site(int workload, String title, SiteModel model) {
        this.workload = workload;
        this.title = title;
        this.model = model;
    }

    int workload() {
        return workload;
    }

    String title() {
        return title;
    }

    /// The path, such as `banking`.
    String path() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns the size of a page and its embedded files.
    PageModel page(String name) {
        return model.page(name);
    }

    /// Returns the pages that users go to from this one.
    List<String> next(String page) {
        return model.graph().moves(page).stream()
                .map(PageGraph.Move::to)
                .filter(to -> !to.equals(PageGraph.END) && !to.equals(PageGraph.BACK))
                .toList();
    }
}
