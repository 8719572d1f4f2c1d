package dev.tandem.lab.store;

import dev.tandem.bookstore.Serving;
import dev.tandem.database.DataPage;
import dev.tandem.database.Page;
import dev.tandem.http.Handler;
import java.sql.Connection;
import javax.sql.DataSource;

/// The usual way, with an open view: a request takes a connection when it begins with its data, and
/// returns it when its page is sent.
///
/// @param elsewhere simulated delays
record OpenViewServing(DataSource pool, PageRenderer rendered, SimulatedDelays elsewhere)
        implements Serving {

    @Override
    public Handler page(Page page) {
        return x -> rendered.send(x, page.data(x), 0);
    }

    /// By a thread, as any request.
    @Override
    public Handler fixed(Handler handler) {
        return handler;
    }

    @Override
    public Handler page(DataPage near) {
        DataPage page = elsewhere.of(near);
        return x -> {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                var view = page.data(x, connection);
                connection.commit();
                connection.setAutoCommit(true);
                rendered.send(x, view, 1);
            }
        };
    }
}
