package dev.tandem.bookstore;

import dev.tandem.http.Handler;
import dev.tandem.staged.DataPage;
import dev.tandem.staged.Page;
import dev.tandem.staged.Staged;

/// How the store's pages are served: data, then view, or another way that the laboratory compares
/// with it.
public interface Serving {
    /// A page that needs no connection.
    Handler page(Page page);

    /// A page whose data is made with a connection.
    Handler page(DataPage page);

    /// Data, then view.
    static Serving of(Staged staged) {
        return new Serving() {
            @Override
            public Handler page(Page page) {
                return staged.page(page);
            }

            @Override
            public Handler page(DataPage page) {
                return staged.page(page);
            }
        };
    }
}
