package dev.tandem.auction;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.SessionTrackingMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Starts the site with its context: the connection pool, a population if the database is empty,
/// and a servlet for each page, so that the cost of each page can be measured separately.
public final class Auction implements ServletContextListener {
    /// The package of the compiled templates: another application has another.
    private static final String PAGES = "dev.tandem.auction.pages";

    private static final int SESSION_MINUTES = 30;

    /// The attribute that a context has in a container with WebSocket.
    private static final String WEB_SOCKET = "jakarta.websocket.server.ServerContainer";

    private @Nullable HikariDataSource pool;
    private @Nullable LivePrices prices;

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        Settings settings = Settings.read(name -> Settings.value(context, name));
        pool = open(settings);
        fill(context, settings, pool);
        secure(context);
        context.addListener(new Sessions(settings.sessions()));
        TemplateEngine templates =
                TemplateEngine.createPrecompiled(
                        null, ContentType.Html, Auction.class.getClassLoader(), PAGES);
        var database = new Database(pool);
        Clock clock = Clock.systemUTC();
        prices = new LivePrices(database, clock);
        var passwords = new Passwords(settings.passwordIterations());
        var site = new Site(database, passwords, prices, clock, settings.ending());
        for (Page page : site.pages()) {
            context.addServlet(page.name(), new PageServlet(page, templates))
                    .addMapping(page.path());
        }
        addLive(context, prices);
    }

    private static void addLive(ServletContext context, LivePrices prices) {
        ServletRegistration.Dynamic live = context.addServlet("Live", new LiveServlet(prices));
        live.setAsyncSupported(true);
        live.addMapping("/live/*");
        if (context.getAttribute(WEB_SOCKET) != null) {
            LiveSockets.add(context, prices);
        }
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        if (prices != null) {
            prices.close();
        }
        if (pool != null) {
            pool.close();
        }
    }

    private static HikariDataSource open(Settings settings) {
        Dialect dialect = Dialect.ofUrl(settings.url());
        var config = new HikariConfig();
        config.setPoolName("auction");
        config.setRegisterMbeans(true); // for the server's view of the pool
        config.setDriverClassName(dialect.driver());
        config.setJdbcUrl(settings.url());
        config.setUsername(settings.user());
        config.setPassword(settings.password());
        config.setMaximumPoolSize(settings.poolSize());
        config.setConnectionTimeout(settings.poolWaitMillis());
        config.setConnectionInitSql(dialect.connectionSetup(settings.querySeconds()));
        config.setDataSourceProperties(dialect.properties(settings.querySeconds()));
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        return new HikariDataSource(config);
    }

    private static void fill(ServletContext context, Settings settings, HikariDataSource pool) {
        try (Connection connection = pool.getConnection()) {
            if (!Schema.isFilled(connection)) {
                context.log(
                        "auction: filling " + settings.url() + " with " + settings.population());
                Filling.fill(connection, settings.population());
            }
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "auction: " + settings.url() + " cannot be used: " + e.getMessage(), e);
        }
    }

    /// A session is identified by its cookie only, which no script may read and no other site may
    /// send.
    private static void secure(ServletContext context) {
        context.setSessionTimeout(SESSION_MINUTES);
        context.setSessionTrackingModes(Set.of(SessionTrackingMode.COOKIE));
        context.getSessionCookieConfig().setHttpOnly(true);
        context.getSessionCookieConfig().setAttribute("SameSite", "Lax");
    }
}
