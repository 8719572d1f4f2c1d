package dev.tandem.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.admission.DatabaseWaits;
import dev.tandem.http.Exchange;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// A real server over a real pool and H2, by workers and by virtual threads.
@ParameterizedClass(name = "virtual {0}")
@ValueSource(booleans = {false, true})
class StagedTest {
    private static final int POOL = 2;
    private static final AtomicInteger NAMES = new AtomicInteger();

    /// Nothing is rejected because this machine is slow.
    private static final DatabaseWaits PATIENT =
            new DatabaseWaits(TimeUnit.MINUTES.toNanos(1), TimeUnit.MINUTES.toNanos(1));

    private final HikariDataSource pool = new HikariDataSource();
    private final StagedDataSource database;
    private final Staged staged;
    private final List<RawClient> clients = new ArrayList<>();

    /// Awaited by handlers that hold their connections.
    private final Semaphore go = new Semaphore(0);

    /// Awaited by handlers between their first and second connection, and the number of those.
    private final Semaphore again = new Semaphore(0);

    private final AtomicInteger between = new AtomicInteger();

    private final AtomicInteger holding = new AtomicInteger();
    private final AtomicInteger runs = new AtomicInteger();

    /// Connections in use whenever a template was rendered.
    private final AtomicInteger activeAtRender = new AtomicInteger();

    private final Server server;

    StagedTest(boolean isVirtual) throws Exception {
        pool.setJdbcUrl("jdbc:h2:mem:staged" + NAMES.incrementAndGet() + ";DB_CLOSE_DELAY=-1");
        pool.setMaximumPoolSize(POOL);
        database = StagedDataSource.over(pool, Duration.ofMinutes(1), PATIENT);
        try (Connection c = database.getConnection()) {
            c.createStatement().execute("create table t (id int primary key)");
        }
        staged = new Staged(database, this::render);
        server =
                Tandem.listen("127.0.0.1", 0)
                        .options(
                                Options.DEFAULT.withThreads(
                                        t -> t.withWorkersMin(4).withVirtual(isVirtual)))
                        .get("/none", x -> x.send("none"))
                        .get("/one", staged.page(this::one))
                        .get("/hold", staged.page(this::hold))
                        .get("/twice", staged.page(this::twice))
                        .get("/leak", staged.page(this::leak))
                        .get("/broken", staged.page(x -> View.of("broken", Map.of())))
                        .get("/late", staged.page(x -> View.of("late", Map.of())))
                        .post("/add", staged.page(this::add))
                        .post("/fail", staged.page(this::addAndFail))
                        .filter(database.unavailable())
                        .start();
    }

    @AfterEach
    void stop() throws Exception {
        go.release(1_000);
        again.release(1_000);
        for (RawClient client : clients) {
            client.close();
        }
        server.stop(Duration.ofSeconds(1));
        database.close();
        pool.close();
    }

    private void render(String template, Object model, java.io.Writer out) throws Exception {
        activeAtRender.addAndGet(pool.getHikariPoolMXBean().getActiveConnections());
        if (template.equals("broken")) {
            out.write("half a page");
            throw new IllegalStateException("secret of the template");
        }
        if (template.equals("late")) {
            try (Connection c = database.getConnection()) {
                assertTrue(c.isValid(1));
            }
        }
        out.write(template + " " + model);
    }

    private View one(Exchange x, Connection c) throws SQLException {
        return View.of("count", count(c));
    }

    private View hold(Exchange x, Connection c) throws Exception {
        runs.incrementAndGet();
        holding.incrementAndGet();
        try {
            go.acquire();
        } finally {
            holding.decrementAndGet();
        }
        return View.of("held", count(c));
    }

    /// Borrows one connection after another.
    private View twice(Exchange x) throws Exception {
        try (Connection c = database.getConnection()) {
            count(c);
        }
        between.incrementAndGet();
        again.acquire();
        try (Connection c = database.getConnection()) {
            return View.of("twice", count(c));
        }
    }

    private View leak(Exchange x) throws SQLException {
        Connection c = database.getConnection();
        c.setAutoCommit(false);
        c.createStatement().execute("insert into t values (99)");
        return View.of("leak", Map.of());
    }

    private View add(Exchange x, Connection c) throws SQLException {
        c.createStatement().execute("insert into t values (1)");
        return View.redirect("/one");
    }

    private View addAndFail(Exchange x, Connection c) throws SQLException {
        c.createStatement().execute("insert into t values (2)");
        throw new IllegalStateException("after all");
    }

    private static int count(Connection c) throws SQLException {
        try (var rows = c.createStatement().executeQuery("select count(*) from t")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private RawClient client() throws IOException {
        RawClient client = RawClient.connect(server.address());
        clients.add(client);
        return client;
    }

    private RawResponse get(String path) throws IOException {
        return ask("GET", path).response();
    }

    private RawClient ask(String method, String path) throws IOException {
        return client().send(method + " " + path + " HTTP/1.1\nHost: a\nContent-Length: 0\n\n");
    }

    private static void await(String what, BooleanSupplier condition) {
        Patience.until(what, condition);
    }

    /// Waits until the lane knows the route, and holds all connections.
    private void holdAll() throws Exception {
        go.release();
        assertEquals(200, get("/hold").status());
        for (int i = 0; i < POOL; i++) {
            ask("GET", "/hold");
        }
        await("held", () -> holding.get() == POOL);
    }

    @Test
    void pageIsRenderedWithoutConnection() throws Exception {
        for (int i = 0; i < 20; i++) {
            assertEquals("count 0", get("/one").text());
        }
        assertEquals(0, activeAtRender.get());
        assertEquals(20, staged.counts().pages());
        assertEquals(0, staged.counts().heldWhileRendering());
        assertEquals(0, staged.counts().lateConnections());
    }

    @Test
    void leakedConnectionIsReturnedAndRolledBack() throws Exception {
        for (int i = 0; i < 3 * POOL; i++) {
            assertEquals(200, get("/leak").status());
        }
        assertEquals(0, activeAtRender.get());
        assertEquals("count 0", get("/one").text());
    }

    @Test
    void transactionIsAtomic() throws Exception {
        RawResponse added = ask("POST", "/add").response();
        assertEquals(303, added.status());
        assertEquals(500, ask("POST", "/fail").response().status());
        assertEquals("count 1", get("/one").text());
    }

    @Test
    void templateErrorGives500WithIdAndNoContent() throws Exception {
        RawResponse broken = get("/broken");
        assertEquals(500, broken.status());
        assertFalse(broken.text().contains("half a page"), broken.text());
        assertFalse(broken.text().contains("secret"), broken.text());
        assertTrue(broken.text().matches("(?s).*[0-9a-zA-Z]{6,}.*"), broken.text());
    }

    @Test
    void lateConnectionOfTemplateIsCounted() throws Exception {
        assertEquals(200, get("/late").status());
        assertEquals(1, staged.counts().lateConnections());
        assertEquals(0, database.lane().counts().granted());
    }

    @Test
    void waitingRequestsHoldNoThreadsAndDelayNoOthers() throws Exception {
        holdAll();
        var waiting = new ArrayList<RawClient>();
        for (int i = 0; i < 30; i++) {
            waiting.add(ask("GET", "/hold"));
        }
        await(
                "waiting",
                () ->
                        database.lane().counts().quickWaiting()
                                        + database.lane().counts().lengthyWaiting()
                                == 30);
        assertEquals(0, database.lane().counts().runningWaiting());
        assertEquals(POOL, holding.get());
        for (int i = 0; i < 20; i++) {
            assertEquals("none", get("/none").text());
        }
        go.release(POOL + 30);
        for (RawClient each : waiting) {
            assertEquals(200, each.response().status());
        }
        await("all is given back", () -> database.lane().counts().granted() == 0);
    }

    @Test
    void clientThatDisconnectsWhileWaitingTakesNoConnection() throws Exception {
        holdAll();
        int before = runs.get();
        for (int i = 0; i < 10; i++) {
            ask("GET", "/hold").close();
        }
        await("left", () -> database.lane().counts().cancelled() == 10);
        RawClient stays = ask("GET", "/hold");
        go.release(POOL + 1);
        assertEquals(200, stays.response().status());
        assertEquals(before + 1, runs.get());
    }

    @Test
    void enlargedPoolAdmitsMoreRequests() throws Exception {
        holdAll();
        ask("GET", "/hold");
        ask("GET", "/hold");
        await("waiting", () -> database.lane().counts().lengthyWaiting() == 2);
        pool.setMaximumPoolSize(POOL + 2);
        await("held", () -> holding.get() == POOL + 2);
    }

    @Test
    void secondConnectionOfARequestWaitsAsAgain() throws Exception {
        again.release();
        assertEquals(200, get("/twice").status()); // its route is known from now on
        RawClient twice = ask("GET", "/twice");
        await("between", () -> between.get() == 2);
        holdAll();
        again.release();
        await("it waits", () -> database.lane().counts().repeatedWaiting() == 1);
        go.release();
        assertEquals(200, twice.response().status());
    }

    @Test
    void firstRequestsOfARouteWaitWithThreads() throws Exception {
        var all = new ArrayList<RawClient>();
        for (int i = 0; i < 12; i++) {
            all.add(ask("GET", "/hold"));
        }
        await("held", () -> holding.get() == POOL);
        assertEquals("none", get("/none").text());
        go.release(12);
        for (RawClient each : all) {
            assertEquals(200, each.response().status());
        }
        assertNotNull(database.lane().explain().getFirst());
    }
}
