package dev.tandem.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.admission.DatabaseWaits;
import dev.tandem.testkit.FreePort;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A database server that stops and comes back, and queries that do not end.
class FailuresTest {
    private static final String ENDLESS =
            "select count(*) from system_range(1, 1000000) a, system_range(1, 1000000) b";

    private static final DatabaseWaits PATIENT =
            new DatabaseWaits(TimeUnit.MINUTES.toNanos(1), TimeUnit.MINUTES.toNanos(1));

    private final HikariDataSource pool = new HikariDataSource();
    private final int port;
    private org.h2.tools.Server h2;
    private @Nullable StagedDataSource database;
    private @Nullable Server server;

    FailuresTest(@TempDir Path folder) throws Exception {
        port = FreePort.find();
        h2 = startDatabase();
        pool.setJdbcUrl("jdbc:h2:tcp://127.0.0.1:" + port + "/" + folder.resolve("d"));
        pool.setMaximumPoolSize(2);
        pool.setConnectionTimeout(1_000);
    }

    /// @param deadline how long a connection may be held
    private void start(Duration deadline) throws IOException {
        var database = StagedDataSource.over(pool, deadline, PATIENT);
        this.database = database;
        var staged = new Staged(database, (_, model, out) -> out.write(model.toString()));
        server =
                Tandem.listen("127.0.0.1", 0)
                        .get("/none", x -> x.send("none"))
                        .get("/plain", x -> x.send(query("select 1")))
                        .get("/one", staged.page((_, c) -> View.of("a", query(c, "select 1"))))
                        .get("/endless", staged.page((_, c) -> View.of("a", query(c, ENDLESS))))
                        .get("/swallows", staged.page((_, c) -> swallow(c)))
                        .filter(database.unavailable())
                        .start();
    }

    private org.h2.tools.Server startDatabase() throws SQLException {
        return org.h2.tools.Server.createTcpServer("-tcpPort", String.valueOf(port), "-ifNotExists")
                .start();
    }

    private StagedDataSource database() {
        return Objects.requireNonNull(database);
    }

    @AfterEach
    void stop() throws Exception {
        Objects.requireNonNull(server).stop(Duration.ofSeconds(1));
        database().close();
        pool.close();
        h2.stop();
    }

    private String query(String sql) throws SQLException {
        try (Connection c = database().getConnection()) {
            return query(c, sql);
        }
    }

    private static String query(Connection c, String sql) throws SQLException {
        try (var statement = c.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    /// A handler that ignores the database's failures.
    private static View swallow(Connection c) {
        try {
            query(c, ENDLESS);
        } catch (SQLException e) {
            return View.of("a", "swallowed");
        }
        return View.of("a", Map.of());
    }

    private RawResponse get(String path) throws IOException {
        try (var client = RawClient.connect(Objects.requireNonNull(server).address())) {
            return client.send("GET " + path + " HTTP/1.1\nHost: a\n\n").response();
        }
    }

    @Test
    void jobHasNoDeadlineButRequestHas() throws Exception {
        start(Duration.ofMillis(700));
        try (Connection job = database().getConnection()) {
            assertEquals(503, get("/endless").status()); // after the deadline
            assertEquals("1", query(job, "select 1"));
        }
    }

    @Test
    void stoppedDatabaseGives503UntilItIsBack() throws Exception {
        start(Duration.ofMinutes(1));
        assertEquals("1", get("/one").text());
        assertEquals("1", get("/plain").text());
        h2.stop();
        assertEquals(503, get("/one").status(), "the one that finds out");
        Patience.until("down", () -> database().lane().isDown());
        long before = database().lane().counts().rejected();
        for (int i = 0; i < 20; i++) {
            RawResponse rejected = get(i % 2 == 0 ? "/one" : "/plain");
            assertEquals(503, rejected.status());
            assertNotNull(rejected.field("Retry-After"));
        }
        long rejected = database().lane().counts().rejected() - before;
        assertEquals(20, rejected, "by the lane, at once, and not by the pool's time-out");
        assertEquals("none", get("/none").text());
        h2 = startDatabase();
        Patience.until("back", () -> !database().lane().isDown());
        // If the machine stalls for as long as the pool waits, the first may be rejected.
        Patience.until("pages", () -> text("/one").equals("1"));
        Patience.until("others", () -> text("/plain").equals("1"));
    }

    @Test
    void endlessQueryIsCancelledAndConnectionDiscarded() throws Exception {
        start(Duration.ofMillis(700));
        Connection before;
        try (Connection c = pool.getConnection()) {
            before = c.unwrap(Connection.class);
        }
        RawResponse cut = get("/endless");
        assertEquals(503, cut.status());
        assertTrue(cut.text().contains("the database took too long"), cut.text());
        Patience.until("given back", () -> database().lane().counts().granted() == 0);
        assertEquals(503, get("/swallows").status(), "its transaction cannot be kept");
        // If the machine stalls for longer than the deadline, a good connection may be revoked.
        Patience.until("served", () -> text("/one").equals("1"));
        Patience.until("closed", () -> isClosed(before));
    }

    private String text(String path) {
        try {
            return get(path).text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException e) {
            return true;
        }
    }
}
