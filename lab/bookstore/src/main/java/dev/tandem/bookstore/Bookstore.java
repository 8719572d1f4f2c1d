package dev.tandem.bookstore;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tandem.database.JteTemplates;
import dev.tandem.database.Staged;
import dev.tandem.database.StagedDataSource;
import dev.tandem.database.Templates;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;

/// An open store: its pool and its pages. A database without tables of ours is filled first.
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
    /// The package of the compiled templates: another application has another.
    private static final String PAGES = "dev.tandem.bookstore.pages";

    /// 2 s: a longer wait means that the database does not respond.
    private static final long OPENING_MILLIS = 2_000;

    private final HikariDataSource pool;
    private final StagedDataSource database;
    private final Templates templates;
    private final Staged staged;
    private final Pages pages;
    private final CheckoutPages buying;
    private final Covers covers = new Covers();
    private final byte[] style;

    private Bookstore(HikariDataSource pool, int items, byte[] style) {
        this.pool = pool;
        this.style = style;
        database = StagedDataSource.over(pool);
        ClassLoader loader = Bookstore.class.getClassLoader();
        templates =
                new JteTemplates(
                        TemplateEngine.createPrecompiled(null, ContentType.Html, loader, PAGES));
        staged = new Staged(database, templates);
        var catalog = new Catalog(items);
        var users = new UserCookies();
        pages = new Pages(catalog, users);
        buying = new CheckoutPages(catalog, users, items);
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

    /// Adds a route.
    public interface Routes {
        /// @param pattern such as `/cover/{item}`
        void route(String method, String pattern, Handler handler);
    }

    /// Adds its pages, a route for each interaction of TPC-W, and their pictures.
    public void addTo(Routes routes) {
        addTo(routes, Serving.of(staged));
    }

    /// As [#addTo(Routes)], with another way of serving.
    public void addTo(Routes routes, Serving serving) {
        get(routes, "/", serving.page(pages::home));
        get(routes, "/new-products", serving.page(pages::newProducts));
        get(routes, "/best-sellers", serving.page(pages::bestSellers));
        get(routes, "/product", serving.page(pages::detail));
        get(routes, "/search", serving.page(pages::searchRequest));
        get(routes, "/search/results", serving.page(pages::searchResults));
        post(routes, "/cart", serving.page(buying::cart));
        get(routes, "/cart", serving.page(buying::cart));
        get(routes, "/registration", serving.page(buying::registration));
        post(routes, "/buy", serving.page(buying::buyRequest));
        post(routes, "/buy/confirm", serving.page(buying::buyConfirm));
        get(routes, "/order", serving.page(buying::orderInquiry));
        post(routes, "/order/last", serving.page(buying::orderDisplay));
        get(routes, "/admin", serving.page(pages::adminRequest));
        post(routes, "/admin/confirm", serving.page(pages::adminConfirm));
        get(routes, "/thumbnail/{item}", serving.fixed(covers::thumbnail));
        get(routes, "/cover/{item}", serving.fixed(covers::cover));
        get(routes, "/bookstore.css", serving.fixed(this::style));
    }

    private static void get(Routes routes, String path, Handler handler) {
        routes.route("GET", path, handler);
    }

    private static void post(Routes routes, String path, Handler handler) {
        routes.route("POST", path, handler);
    }

    private void style(Exchange x) throws IOException {
        x.header("Cache-Control", "public, max-age=3600")
                .contentType("text/css; charset=utf-8")
                .send(style);
    }

    /// The stages, for their figures.
    public Staged staged() {
        return staged;
    }

    /// The templates, for another [Serving].
    public Templates templates() {
        return templates;
    }

    /// The pool itself, for another [Serving].
    public HikariDataSource pool() {
        return pool;
    }

    /// The pool, as handlers use it.
    public StagedDataSource database() {
        return database;
    }

    @Override
    public void close() {
        database.close();
        pool.close();
    }
}
