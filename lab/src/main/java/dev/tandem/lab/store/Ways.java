package dev.tandem.lab.store;

import dev.tandem.bookstore.Bookstore;
import dev.tandem.bookstore.Serving;
import dev.tandem.http.Handler;
import dev.tandem.staged.DataPage;
import dev.tandem.staged.Page;
import dev.tandem.staged.Staged;
import org.jspecify.annotations.Nullable;

/// The ways in which one store is served, with what is counted of its pages. One of them is used.
public final class Ways implements AutoCloseable {
    private final Bookstore store;
    private final Distance distance;
    private final Rendered rendered;
    private @Nullable FivePools pools;

    public Ways(Bookstore store, Distance distance) {
        this.store = store;
        this.distance = distance;
        this.rendered = new Rendered(store.templates());
    }

    /// A connection from the data's beginning to the page's end.
    public Serving holding() {
        return new Holding(store.pool(), rendered, distance);
    }

    /// The paper's.
    public Serving fivePools() {
        var made =
                new FivePools(store.pool(), store.pool().getMaximumPoolSize(), rendered, distance);
        pools = made;
        return made;
    }

    /// Our own.
    public Serving staged() {
        Staged staged = store.staged();
        return new Serving() {
            @Override
            public Handler page(Page page) {
                return staged.page(page);
            }

            @Override
            public Handler page(DataPage page) {
                return staged.page(distance.of(page));
            }
        };
    }

    /// Pages rendered.
    public long pages() {
        return rendered.pages() + store.staged().counts().pages();
    }

    /// Connections that were held when rendering began.
    public long held() {
        return rendered.held() + store.staged().counts().heldWhileRendering();
    }

    @Override
    public void close() {
        if (pools != null) {
            pools.close();
        }
    }
}
