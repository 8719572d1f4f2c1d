package dev.tandem.staged;

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
/// The data stage runs under the data lane: no more of them at a time than there are connections.
/// When it ends its connection has gone back, the transaction closed; then the page is rendered and
/// sent. So a connection is held only while data is made. After Courtwright, Yue and Wang, DSN
/// 2009. Safe for use by any thread.
public final class Staged {
    private final StagedDataSource database;
    private final Rendering rendering;

    /// @param database whose connections the pages take
    public Staged(StagedDataSource database, Templates templates) {
        this.database = database;
        this.rendering = new Rendering(templates);
    }

    /// A page whose data stage takes connections itself, or needs none.
    public Handler page(Page page) {
        return x -> run(x, page);
    }

    /// A page whose data is made in one transaction.
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
            stage.endData(Stage.LateUse.REFUSED);
            return view;
        } catch (Exception e) {
            throw database.toHttpFailure(x, e, stage.wasRevoked());
        }
    }

    private View inTransaction(Exchange x, DataPage page) throws Exception {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            View view = page.data(x, connection); // what it throws takes back all, by closing
            commit(connection);
            return view;
        }
    }

    private static void commit(Connection connection) throws SQLException {
        connection.commit();
        connection.setAutoCommit(true);
    }

    /// What was counted, at one moment.
    ///
    /// @param pages rendered since the beginning
    /// @param renderNanos what that took, together
    /// @param heldWhileRendering connections that were held when rendering began, of all pages; 0
    /// @param lateConnections that templates took by themselves
    /// @param rendering pages that are rendered now
    public record Counts(
            long pages,
            long renderNanos,
            long heldWhileRendering,
            long lateConnections,
            int rendering) {}

    public Counts counts() {
        return rendering.counts();
    }

    /// The numbers of both stages, for [dev.tandem.Tandem#gauge].
    ///
    /// @param section what they are listed under, such as `staged`
    public List<Gauge> gauges(String section) {
        return List.of(
                of(section, "pages_total", "pages rendered", Counts::pages),
                of(section, "rendering", "pages that are rendered now", Counts::rendering),
                of(
                        section,
                        "held_while_rendering_total",
                        "connections that were held when rendering began; 0",
                        Counts::heldWhileRendering),
                of(
                        section,
                        "late_connections_total",
                        "connections that templates took by themselves",
                        Counts::lateConnections),
                new Gauge(
                        section,
                        "data_taken",
                        "places at the data lane that requests have",
                        () -> database.lane().counts().taken()),
                new Gauge(
                        section,
                        "data_waiting",
                        "requests that wait for a connection, without a thread",
                        () -> {
                            var counts = database.lane().counts();
                            return counts.quickWaiting() + counts.lengthyWaiting();
                        }),
                new Gauge(
                        section,
                        "data_refused_total",
                        "requests that had no connection",
                        () -> database.lane().counts().refused()));
    }

    private Gauge of(String section, String name, String help, ToDoubleFunction<Counts> value) {
        return new Gauge(section, name, help, () -> value.applyAsDouble(counts()));
    }
}
