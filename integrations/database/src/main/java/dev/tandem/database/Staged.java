package dev.tandem.database;

import dev.tandem.Gauge;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Handlers that are written as data, then view:
///
/// ```java
/// var staged = new Staged(database, new JteTemplates(engine));
/// Tandem.listen(8080)
///         .get("/", staged.page((x, c) -> View.of("home.jte", Books.newest(c))))
///         .start();
/// ```
///
/// Data stages run in the database lane: no more of them at a time than there are connections. When
/// one ends, its connection has been returned and the transaction is closed; then the page is
/// rendered and sent. So a connection is held only while data is produced. After Courtwright, Yue
/// and Wang, DSN 2009. Safe for use by any thread.
public final class Staged {
    private final StagedDataSource database;
    private final Rendering rendering;

    /// @param database whose connections the pages use
    public Staged(StagedDataSource database, Templates templates) {
        this.database = database;
        this.rendering = new Rendering(templates);
    }

    /// Returns a handler of a page whose data stage borrows connections itself, or needs none.
    public Handler page(Page page) {
        return x -> run(x, page);
    }

    /// Returns a handler of a page whose data is produced in one transaction.
    public Handler page(DataPage page) {
        return x -> run(x, y -> inTransaction(y, page));
    }

    private void run(Exchange x, Page page) throws Exception {
        try (Stage stage = Stage.begin()) {
            switch (data(x, page, stage)) {
                case View.Page shown -> {
                    byte[] bytes = rendering.render(shown, stage);
                    x.status(shown.status()).contentType("text/html; charset=utf-8").send(bytes);
                }
                case View.Redirect(String location) -> x.redirect(location);
            }
        }
    }

    private View data(Exchange x, Page page, Stage stage) throws Exception {
        try {
            View view = page.data(x);
            stage.endData(Stage.LateUse.REJECT);
            return view;
        } catch (Exception e) {
            throw database.toHttpFailure(x, e, stage.wasRevoked());
        }
    }

    private View inTransaction(Exchange x, DataPage page) throws Exception {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            View view = page.data(x, connection); // closing rolls back if it throws
            commit(connection);
            return view;
        }
    }

    private static void commit(Connection connection) throws SQLException {
        connection.commit();
        connection.setAutoCommit(true);
    }

    /// A consistent snapshot of the counters.
    ///
    /// @param pages rendered since the start
    /// @param renderNanos total time of rendering
    /// @param heldWhileRendering connections held when rendering started, over all pages; 0
    /// @param lateConnections borrowed by templates
    /// @param rendering pages being rendered now
    public record Counts(
            long pages,
            long renderNanos,
            long heldWhileRendering,
            long lateConnections,
            int rendering) {}

    public Counts counts() {
        return rendering.counts();
    }

    /// Returns the gauges of both stages, for [dev.tandem.Tandem#gauge].
    ///
    /// @param section the section they are listed in, such as `staged`
    public List<Gauge> gauges(String section) {
        return List.of(
                of(section, "pages_total", "pages rendered", Counts::pages),
                of(section, "rendering", "pages being rendered now", Counts::rendering),
                of(
                        section,
                        "held_while_rendering_total",
                        "connections held when rendering started; 0",
                        Counts::heldWhileRendering),
                of(
                        section,
                        "template_connections_total",
                        "connections borrowed by templates",
                        Counts::lateConnections),
                new Gauge(
                        section,
                        "connections_granted",
                        "connections that the database lane has granted to requests",
                        () -> database.lane().counts().granted()),
                new Gauge(
                        section,
                        "requests_waiting",
                        "requests that wait for a connection without a thread",
                        () -> {
                            var counts = database.lane().counts();
                            return counts.quickWaiting() + counts.lengthyWaiting();
                        }),
                new Gauge(
                        section,
                        "requests_rejected_total",
                        "requests rejected for want of a connection",
                        () -> database.lane().counts().rejected()));
    }

    private Gauge of(String section, String name, String help, ToDoubleFunction<Counts> value) {
        return new Gauge(section, name, help, () -> value.applyAsDouble(counts()));
    }
}
