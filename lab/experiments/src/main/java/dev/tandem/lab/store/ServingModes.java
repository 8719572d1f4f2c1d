package dev.tandem.lab.store;

import dev.tandem.Gauge;
import dev.tandem.bookstore.Bookstore;
import dev.tandem.bookstore.Serving;
import dev.tandem.database.DataPage;
import dev.tandem.database.Page;
import dev.tandem.database.Staged;
import dev.tandem.database.Templates;
import dev.tandem.http.Handler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The ways in which one store is served, with counters of its pages. One of them is used.
public final class ServingModes implements AutoCloseable {
    private final Bookstore store;
    private final SimulatedDelays delays;
    private final PageRenderer rendered;
    private final Staged staged;
    private @Nullable FivePools pools;

    /// @param isInterpreted whether its templates are interpreted, and not compiled
    public ServingModes(Bookstore store, SimulatedDelays delays, boolean isInterpreted) {
        this.store = store;
        this.delays = delays;
        Templates templates =
                delays.of(isInterpreted ? InterpretedTemplates.load() : store.templates());
        this.rendered = new PageRenderer(templates);
        this.staged = new Staged(store.database(), templates);
    }

    /// A connection from the data's beginning to the page's end.
    public Serving holding() {
        return new OpenViewServing(store.pool(), rendered, delays);
    }

    /// The paper's pools.
    public Serving fivePools() {
        var made = new FivePools(store.pool(), store.pool().getMaximumPoolSize(), rendered, delays);
        pools = made;
        return made;
    }

    /// Tandem's way.
    public Serving staged() {
        return new Serving() {
            @Override
            public Handler page(Page page) {
                return staged.page(page);
            }

            @Override
            public Handler page(DataPage page) {
                return staged.page(delays.of(page));
            }
        };
    }

    /// Gauges of Tandem's way.
    public List<Gauge> gauges() {
        return staged.gauges("bookstore");
    }

    /// Number of rendered pages.
    public long pages() {
        return rendered.pages() + staged.counts().pages();
    }

    /// Connections that were held when rendering began.
    public long held() {
        return rendered.held() + staged.counts().heldWhileRendering();
    }

    @Override
    public void close() {
        if (pools != null) {
            pools.close();
        }
    }
}
