package dev.tandem.bookstore;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tandem.http.Handler;
import dev.tandem.staged.DataPage;
import dev.tandem.staged.JteTemplates;
import dev.tandem.staged.Staged;
import dev.tandem.staged.StagedDataSource;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;

/// The store, open: its pool, its pages. A database without tables of ours is filled first.
///
/// ```java
/// try (var store = Bookstore.open(Settings.DEFAULT)) {
///     var server = Tandem.listen(8080);
///     store.addTo(server::route);
///     server.start();
/// }
/// ```
///
/// Safe for use by any thread.
public final class Bookstore implements AutoCloseable {
    /// Where its templates are, as classes: those of another application have another.
    private static final String PAGES = "dev.tandem.bookstore.pages";

    /// 2 s: who waits for longer waits for a database that does not answer.
    private static final long OPENING_MILLIS = 2_000;

    private final HikariDataSource pool;
    private final StagedDataSource database;
    private final Staged staged;
    private final Pages pages;
    private final Buying buying;
    private final Covers covers = new Covers();
    private final byte[] style;

    private Bookstore(HikariDataSource pool, int items, byte[] style) {
        this.pool = pool;
        this.style = style;
        database = StagedDataSource.over(pool);
        ClassLoader loader = Bookstore.class.getClassLoader();
        staged =
                new Staged(
                        database,
                        new JteTemplates(
                                TemplateEngine.createPrecompiled(
                                        null, ContentType.Html, loader, PAGES)));
        var catalog = new Catalog(items);
        var visitors = new Visitors();
        pages = new Pages(catalog, visitors);
        buying = new Buying(catalog, visitors, items);
    }

    /// Opens the store, and fills it if it is new.
    ///
    /// @throws IOException if the database cannot be used; names it
    public static Bookstore open(Settings settings) throws IOException {
        Dialect dialect = Dialect.ofUrl(settings.url());
        var config = new HikariConfig();
        config.setPoolName("bookstore");
        config.setDriverClassName(dialect.driver());
        config.setJdbcUrl(settings.url());
        config.setUsername(settings.user());
        config.setPassword(settings.password());
        config.setMaximumPoolSize(settings.poolSize());
        config.setConnectionTimeout(OPENING_MILLIS);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        HikariDataSource pool = null;
        try (InputStream style = Bookstore.class.getResourceAsStream("style.css")) {
            if (style == null) {
                throw new IOException("style.css is not in the jar");
            }
            pool = new HikariDataSource(config);
            return new Bookstore(pool, items(pool, dialect, settings), style.readAllBytes());
        } catch (SQLException | RuntimeException e) {
            if (pool != null) {
                pool.close();
            }
            throw new IOException(settings.url() + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static int items(HikariDataSource pool, Dialect dialect, Settings settings)
            throws SQLException {
        try (Connection c = pool.getConnection()) {
            if (!Schema.isFilled(c)) {
                Schema.create(c, dialect, settings.population());
            }
            return (int) Sql.number(c, "select max(i_id) from item");
        }
    }

    /// Takes a route.
    public interface Routes {
        /// @param pattern such as `/cover/{item}`
        void route(String method, String pattern, Handler handler);
    }

    /// Adds its pages, a route for each interaction of TPC-W, and their pictures.
    public void addTo(Routes routes) {
        get(routes, "/", pages::home);
        get(routes, "/new-products", pages::newProducts);
        get(routes, "/best-sellers", pages::bestSellers);
        get(routes, "/product", pages::detail);
        get(routes, "/search", pages::searchRequest);
        get(routes, "/search/results", pages::searchResults);
        post(routes, "/cart", buying::cart);
        get(routes, "/cart", buying::cart);
        get(routes, "/registration", buying::registration);
        post(routes, "/buy", buying::buyRequest);
        post(routes, "/buy/confirm", buying::buyConfirm);
        routes.route("GET", "/order", staged.page(buying::orderInquiry));
        post(routes, "/order/last", buying::orderDisplay);
        get(routes, "/admin", pages::adminRequest);
        post(routes, "/admin/confirm", pages::adminConfirm);
        routes.route("GET", "/thumbnail/{item}", Handler.nonBlocking(covers::thumbnail));
        routes.route("GET", "/cover/{item}", Handler.nonBlocking(covers::cover));
        routes.route(
                "GET",
                "/bookstore.css",
                Handler.nonBlocking(
                        x ->
                                x.header("Cache-Control", "public, max-age=3600")
                                        .type("text/css; charset=utf-8")
                                        .send(style)));
    }

    private void get(Routes routes, String path, DataPage page) {
        routes.route("GET", path, staged.page(page));
    }

    private void post(Routes routes, String path, DataPage page) {
        routes.route("POST", path, staged.page(page));
    }

    /// Its stages, for their figures.
    public Staged staged() {
        return staged;
    }

    /// Its pool, as handlers have it.
    public StagedDataSource database() {
        return database;
    }

    @Override
    public void close() {
        database.close();
        pool.close();
    }
}
