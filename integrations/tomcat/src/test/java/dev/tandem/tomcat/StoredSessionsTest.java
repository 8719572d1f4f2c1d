package dev.tandem.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariJNDIFactory;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.h2.Driver;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/// Sessions that Catalina stores in a database for two processes: one of them is killed.
@Timeout(120)
class StoredSessionsTest {
    private static final String LISTENS = "listens at ";

    private static final String CONTEXT =
            """
            <Context>
              <Resource name="jdbc/sessions" type="javax.sql.DataSource"
                  factory="com.zaxxer.hikari.HikariJNDIFactory" driverClassName="org.h2.Driver"
                  jdbcUrl="%s" maximumPoolSize="4"/>
              <Valve className="org.apache.catalina.valves.PersistentValve"/>
              <Manager className="org.apache.catalina.session.PersistentManager">
                <Store className="org.apache.catalina.session.DataSourceStore"
                    dataSourceName="jdbc/sessions" localDataSource="true"/>
              </Manager>
            </Context>
            """;

    private static final String TABLE =
            """
            create table tomcat$sessions (
                id varchar(100) primary key, app varchar(255), data blob, valid char(1) not null,
                maxinactive int not null, lastaccess bigint not null)
            """;

    private final Path shop;

    StoredSessionsTest(@TempDir Path folder) {
        shop = folder.resolve("shop.war");
    }

    /// Keeps the database alive, which exists as long as it has connections.
    private static Connection table(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        try (Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
        }
        return connection;
    }

    /// Serves a WAR until it is killed.
    ///
    /// @param arguments the WAR
    static void main(String[] arguments) throws Exception {
        try (var site = new Applications("127.0.0.1", 0)) {
            site.add("/shop", Path.of(arguments[0])).start();
            System.out.println(LISTENS + site.port());
            int _ = System.in.read(); // ends with the process that started this one
        }
    }

    private Process start() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Djava.io.tmpdir=" + shop.getParent(), // a killed process cannot clean up
                        "-cp",
                        System.getProperty("java.class.path"),
                        StoredSessionsTest.class.getName(),
                        shop.toString())
                .redirectErrorStream(true)
                .start();
    }

    private static int port(Process process) throws IOException {
        BufferedReader said = process.inputReader();
        var all = new StringBuilder();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith(LISTENS)) {
                return Integer.parseInt(line.substring(LISTENS.length()));
            }
            all.append(line).append('\n');
        }
        throw new IOException("it did not start:\n" + all);
    }

    @Test
    void sessionsSurviveKilledProcessAndRedeployment() throws Exception {
        Server database = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        String url = "jdbc:h2:tcp://127.0.0.1:" + database.getPort() + "/mem:sessions";
        Wars.write(
                shop,
                Map.of("META-INF/context.xml", CONTEXT.formatted(url)),
                CountingServlet.class);
        Wars.addLibraries(shop, HikariJNDIFactory.class, Logger.class, Driver.class);
        Process doomed = null;
        try (Connection _ = table(url);
                var survivor = new Applications("127.0.0.1", 0)) {
            doomed = start();
            survivor.add("/shop", shop).start();
            assertCounts(doomed, port(doomed), survivor);
        } finally {
            if (doomed != null) {
                doomed.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
            }
            database.stop();
        }
    }

    private static void assertCounts(Process doomed, int doomedPort, Applications survivor)
            throws Exception {
        long here = ProcessHandle.current().pid();
        List<SessionClient> clients =
                List.of(new SessionClient(), new SessionClient(), new SessionClient());
        for (SessionClient each : clients) {
            assertEquals("1 " + doomed.pid(), each.request(doomedPort));
            assertEquals("2 " + here, each.request(survivor.port()));
        }
        assertTrue(survivor.redeploy("/shop"));
        for (SessionClient each : clients) {
            assertEquals("3 " + here, each.request(survivor.port()));
            assertEquals("4 " + doomed.pid(), each.request(doomedPort));
        }
        assertTrue(doomed.destroyForcibly().waitFor(20, TimeUnit.SECONDS));
        for (SessionClient each : clients) {
            assertEquals("5 " + here, each.request(survivor.port()));
        }
    }

    /// A client that sends the cookie of the first response.
    private static final class SessionClient {
        private String headers = "";

        String request(int port) throws IOException {
            try (var client = RawClient.connect(new InetSocketAddress("127.0.0.1", port))) {
                client.send("GET /shop/visits HTTP/1.1\nHost: h\n" + headers + "\n");
                RawResponse response = client.response();
                String set = response.field("Set-Cookie");
                if (set != null) {
                    headers = "Cookie: " + set.split(";")[0] + "\n";
                }
                return response.text();
            }
        }
    }
}
