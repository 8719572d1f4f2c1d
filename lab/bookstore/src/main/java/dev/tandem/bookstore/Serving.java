package dev.tandem.bookstore;

import dev.tandem.database.DataPage;
import dev.tandem.database.Page;
import dev.tandem.database.Staged;
import dev.tandem.http.Handler;

/// How the store's pages are served: data, then view, or another way that the laboratory compares
/// with it.
public interface Serving {
    /// A page that needs no connection.
    Handler page(Page page);

    /// A page whose data is made with a connection.
    Handler page(DataPage page);

    /// A picture or another static part of a page, by a handler that does not block.
    default Handler fixed(Handler handler) {
        return Handler.nonBlocking(handler);
    }

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
