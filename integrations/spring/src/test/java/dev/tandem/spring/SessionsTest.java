package dev.tandem.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.Tandem;
import dev.tandem.proxy.Proxy;
import dev.tandem.proxy.ProxyOptions;
import dev.tandem.spring.redis.RedisCountingApplication;
import dev.tandem.spring.visits.CountingApplication;
import dev.tandem.testkit.FreePort;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawSite;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sessions in a store shared by two processes behind a balancer: one of them is killed.
class SessionsTest {
    private static final int CLIENTS = 6;

    @Test
    void sessionsInDatabaseSurviveKilledProcess() throws Exception {
        Server database = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        String[] properties = {
            "spring.datasource.url=jdbc:h2:tcp://127.0.0.1:"
                    + database.getPort()
                    + "/mem:sessions;DB_CLOSE_DELAY=-1",
            "spring.session.jdbc.initialize-schema=always"
        };
        List<String> without = List.of("redis");
        try (var doomed = ApplicationProcess.start(CountingApplication.class, without, properties);
                var survivor =
                        ApplicationProcess.start(CountingApplication.class, without, properties)) {
            killOneInMidSession(doomed, survivor);
        } finally {
            database.stop();
        }
    }

    /// Without a database or its classes.
    @Test
    void sessionsInRedisSurviveKilledProcess(@TempDir Path folder) throws Exception {
        assumeTrue(RedisServer.isHere(), "needs redis-server");
        List<String> without = List.of("jdbc", "hibernate", "jpa", "orm", "h2-", "HikariCP");
        try (var redis = RedisServer.start(folder)) {
            String url = "spring.data.redis.url=" + redis.url();
            int agent = FreePort.find();
            int management = FreePort.find();
            try (var doomed =
                            ApplicationProcess.start(RedisCountingApplication.class, without, url);
                    var survivor =
                            ApplicationProcess.start(
                                    RedisCountingApplication.class,
                                    without,
                                    url,
                                    "spring.data.redis.timeout=2s",
                                    "tandem.fleet.agent=127.0.0.1:" + agent,
                                    "tandem.management.port=" + management)) {
                killOneInMidSession(doomed, survivor);
                redis.stop();
                assertEquals(500, survivor.get("/visits", "Cookie: none=1").status());
                assertEquals(404, survivor.get("/none", "Cookie: none=1").status());
                assertEquals(200, new RawSite(management) {}.get("/ready").status());
                assertTrue(agentSays(agent).startsWith("ready up "), agentSays(agent));
                redis.startAgain();
                Patience.until("sessions are possible again", () -> hasSessions(survivor));
            }
        }
    }

    private static boolean hasSessions(ApplicationProcess application) {
        try {
            return application.get("/visits", "Cookie: none=1").status() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private static String agentSays(int port) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write('\n');
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static void killOneInMidSession(ApplicationProcess doomed, ApplicationProcess survivor)
            throws Exception {
        List<String> both = List.of("127.0.0.1:" + doomed.port(), "127.0.0.1:" + survivor.port());
        try (var proxy = Proxy.to(both, ProxyOptions.DEFAULT);
                var balancer =
                        Tandem.listen("127.0.0.1", 0).route("*", "/{path...}", proxy).start()) {
            var clients = new ArrayList<SessionClient>();
            Set<String> processes = new HashSet<>();
            for (int i = 0; i < CLIENTS; i++) {
                var client = new SessionClient(balancer.port());
                clients.add(client);
                processes.add(client.visits());
                processes.add(client.visits());
            }
            assertTrue(processes.contains("" + doomed.pid()), "it had sessions: " + processes);
            doomed.close();
            for (SessionClient client : clients) {
                assertEquals("" + survivor.pid(), client.visits());
            }
        }
    }

    /// A client that sends the cookie of the first response.
    private static final class SessionClient extends RawSite {
        private String cookie = "Cookie: none=1";
        private int visits;

        SessionClient(int port) {
            super(port);
        }

        /// @return the process that responded
        String visits() throws IOException {
            Response response = get("/visits", cookie);
            assertEquals(200, response.status(), response.text());
            visits++;
            if (visits == 1) {
                String set = Objects.requireNonNull(response.field("Set-Cookie"));
                assertTrue(set.startsWith("SESSION="), set);
                cookie = "Cookie: " + set.substring(0, set.indexOf(';'));
            }
            String[] words = response.text().split(" ");
            assertEquals("" + visits, words[1], "the request's number");
            return words[3];
        }
    }
}
