package dev.tandem.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.tandem.admission.DatabaseLane;
import dev.tandem.admission.DatabaseWaits;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.tomcat.TandemProtocol;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Plain servlets under Catalina on the Tandem connector, which borrow connections through a data
/// source.
class ServletsTest {
    private static final int POOL = 2;
    private static final int TRIES_MAX = 100;
    private static final AtomicInteger NAMES = new AtomicInteger();

    /// Nothing is rejected because this machine is slow.
    private static final DatabaseWaits PATIENT =
            new DatabaseWaits(TimeUnit.MINUTES.toNanos(1), TimeUnit.MINUTES.toNanos(1));

    private final Tomcat tomcat = new Tomcat();
    private final Connector connector = new Connector(TandemProtocol.class.getName());
    private final HikariDataSource pool = new HikariDataSource();
    private final List<RawClient> clients = new ArrayList<>();
    private final Semaphore go = new Semaphore(0);
    private final AtomicInteger holding = new AtomicInteger();
    private final AtomicInteger runs = new AtomicInteger();
    private final StagedDataSource database;

    ServletsTest() {
        pool.setJdbcUrl("jdbc:h2:mem:servlets" + NAMES.incrementAndGet());
        pool.setMaximumPoolSize(POOL);
        database = StagedDataSource.over(pool, Duration.ofMinutes(1), PATIENT);
    }

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        tomcat.setBaseDir(folder.toString());
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", folder.toString());
        add(context, "/none", (_, response) -> response.getWriter().print("none"));
        add(context, "/hold", this::hold);
        tomcat.start();
    }

    @AfterEach
    void stop() throws Exception {
        go.release(1_000);
        for (RawClient client : clients) {
            client.close();
        }
        tomcat.stop();
        tomcat.destroy();
        database.close();
        pool.close();
    }

    private interface Doing {
        void serve(HttpServletRequest request, HttpServletResponse response) throws Exception;
    }

    private static void add(Context context, String path, Doing doing) {
        var servlet =
                new HttpServlet() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected void service(HttpServletRequest request, HttpServletResponse response)
                            throws IOException {
                        try {
                            doing.serve(request, response);
                        } catch (Exception e) {
                            throw new IOException(e);
                        }
                    }
                };
        Tomcat.addServlet(context, path, servlet).addMapping(path);
    }

    private void hold(HttpServletRequest request, HttpServletResponse response) throws Exception {
        runs.incrementAndGet();
        try (Connection c = database.getConnection()) {
            holding.incrementAndGet();
            go.acquire();
            response.getWriter().print(c.isValid(1));
        } finally {
            holding.decrementAndGet();
        }
    }

    private RawClient ask(String path) throws IOException {
        RawClient client =
                RawClient.connect(new InetSocketAddress("127.0.0.1", connector.getLocalPort()));
        clients.add(client);
        return client.send("GET " + path + " HTTP/1.1\nHost: a\n\n");
    }

    private DatabaseLane.Counts counts() {
        return database.lane().counts();
    }

    private boolean isListed() {
        return database.lane().explain().stream().anyMatch(e -> e.name().endsWith(" /hold"));
    }

    private int waiting() {
        return counts().quickWaiting() + counts().lengthyWaiting();
    }

    /// Waits until the lane knows the servlet, and holds all connections.
    private void holdAll() throws Exception {
        for (int i = 0; i < TRIES_MAX && !isListed(); i++) {
            go.release(); // mappings are known when a first request has ended
            assertEquals("true", ask("/hold").response().text());
        }
        assertTrue(isListed(), "by its mapping: " + database.lane().explain());
        for (int i = 0; i < POOL; i++) {
            ask("/hold");
        }
        Patience.until("held", () -> holding.get() == POOL);
    }

    @Test
    void waitingServletRequestsHoldNoThreads() throws Exception {
        holdAll();
        int before = runs.get();
        var lateUse = new ArrayList<RawClient>();
        for (int i = 0; i < 30; i++) {
            lateUse.add(ask("/hold"));
        }
        Patience.until("waiting", () -> waiting() == 30);
        assertEquals(0, counts().runningWaiting());
        assertEquals(before, runs.get(), "no other request has reached Catalina");
        assertEquals("none", ask("/none").response().text());
        go.release(POOL + 30);
        for (RawClient each : lateUse) {
            assertEquals("true", each.response().text());
        }
        Patience.until("all is given back", () -> counts().granted() == 0);
    }

    @Test
    void clientThatDisconnectsWhileWaitingNeverReachesCatalina() throws Exception {
        holdAll();
        int before = runs.get();
        for (int i = 0; i < 10; i++) {
            ask("/hold").close();
        }
        Patience.until("left", () -> counts().cancelled() == 10);
        RawClient stays = ask("/hold");
        go.release(POOL + 1);
        assertEquals("true", stays.response().text());
        assertEquals(before + 1, runs.get());
    }
}
