package dev.tandem.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.proxy.Proxy;
import dev.tandem.proxy.ProxyOptions;
import dev.tandem.server.Tandem;
import dev.tandem.spring.visits.Visits;
import dev.tandem.testkit.RawSite;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;

/// Sessions in a database that two processes share, behind a balancer: one of them is killed.
class SessionsTest {
    private static final int VISITORS = 6;

    @Test
    void noSessionIsLostWithTheProcessThatHadIt() throws Exception {
        Server database = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        Process doomed = null;
        try {
            doomed = start(database);
            try (Running survivor = Running.start(Visits.class, properties(database))) {
                killOneInMidSession(doomed, port(doomed), survivor.port());
            }
        } finally {
            if (doomed != null) {
                doomed.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
            }
            database.stop();
        }
    }

    private static String[] properties(Server database) {
        return new String[] {
            "spring.datasource.url=jdbc:h2:tcp://127.0.0.1:"
                    + database.getPort()
                    + "/mem:sessions;DB_CLOSE_DELAY=-1",
            "spring.session.jdbc.initialize-schema=always"
        };
    }

    private static Process start(Server database) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(Visits.class.getName());
        command.addAll(List.of("--server.port=0", "--server.address=127.0.0.1"));
        for (String each : properties(database)) {
            command.add("--" + each);
        }
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static int port(Process process) throws IOException {
        BufferedReader said = process.inputReader();
        var all = new StringBuilder();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            int at = line.indexOf(Visits.LISTENS);
            if (at >= 0) {
                return Integer.parseInt(line.substring(at + Visits.LISTENS.length()).strip());
            }
            all.append(line).append('\n');
        }
        throw new IOException("it did not start:\n" + all);
    }

    private static void killOneInMidSession(Process doomed, int one, int other) throws Exception {
        try (var proxy =
                        Proxy.to(
                                List.of("127.0.0.1:" + one, "127.0.0.1:" + other),
                                ProxyOptions.DEFAULT);
                var balancer =
                        Tandem.listen("127.0.0.1", 0).route("*", "/{path...}", proxy).start()) {
            var visitors = new ArrayList<Visitor>();
            Set<String> processes = new HashSet<>();
            for (int i = 0; i < VISITORS; i++) {
                var visitor = new Visitor(balancer.port());
                visitors.add(visitor);
                processes.add(visitor.visits());
                processes.add(visitor.visits());
            }
            assertTrue(processes.contains("" + doomed.pid()), "it had sessions: " + processes);
            doomed.destroyForcibly();
            assertTrue(doomed.waitFor(20, TimeUnit.SECONDS));
            for (Visitor visitor : visitors) {
                assertEquals("" + ProcessHandle.current().pid(), visitor.visits());
            }
        }
    }

    /// Comes again and again with the cookie of the first answer.
    private static final class Visitor extends RawSite {
        private String cookie = "Cookie: none=1";
        private int visits;

        Visitor(int port) {
            super(port);
        }

        /// @return the process that answered
        String visits() throws IOException {
            Answer answer = get("/visits", cookie);
            assertEquals(200, answer.status(), answer.text());
            visits++;
            if (visits == 1) {
                String set = Objects.requireNonNull(answer.field("Set-Cookie"));
                assertTrue(set.startsWith("SESSION="), set);
                cookie = "Cookie: " + set.substring(0, set.indexOf(';'));
            }
            String[] words = answer.text().split(" ");
            assertEquals("" + visits, words[1], "the visit's number");
            return words[3];
        }
    }
}
