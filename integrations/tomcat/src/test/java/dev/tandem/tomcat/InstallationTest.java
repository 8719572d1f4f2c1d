package dev.tandem.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A stock Tomcat with one more jar in its lib/ and another protocol in its server.xml, started by
/// its own script.
class InstallationTest {
    private static final String VERSION = System.getProperty("tomcat.version");
    private static final Pattern STARTED =
            Pattern.compile("Starting ProtocolHandler \\[\"http-tandem-127.0.0.1-auto-1-(\\d+)\"]");
    private static final int PATIENCE_SECONDS = 60;

    private final Path home;
    private final Path log;

    InstallationTest(@TempDir Path folder) {
        home = folder.resolve("apache-tomcat-" + VERSION);
        log = folder.resolve("log");
    }

    private void unpack() throws Exception {
        String place = "org/apache/tomcat/tomcat/%s/tomcat-%s.tar.gz".formatted(VERSION, VERSION);
        Path archive = Path.of(System.getProperty("maven.repository"), place);
        assumeTrue(
                Files.isReadable(archive),
                "skipped: needs Tomcat itself: mvn dependency:get"
                        + " -Dartifact=org.apache.tomcat:tomcat:"
                        + VERSION
                        + ":tar.gz");
        Process tar =
                new ProcessBuilder(
                                "tar",
                                "-xzf",
                                archive.toString(),
                                "-C",
                                String.valueOf(home.getParent()))
                        .inheritIO()
                        .start();
        assertTrue(tar.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && tar.exitValue() == 0);
        for (String slow : List.of("docs", "manager", "host-manager", "ROOT")) {
            Files.move(home.resolve("webapps").resolve(slow), home.resolve("temp").resolve(slow));
        }
    }

    private void change() throws IOException {
        Path jar = Path.of(System.getProperty("installation.jar"));
        Files.copy(jar, home.resolve("lib").resolve("tandem-tomcat.jar"));
        Path file = home.resolve("conf/server.xml");
        String stock = "<Connector port=\"8080\" protocol=\"HTTP/1.1\"";
        String ours =
                "<Connector port=\"0\" address=\"127.0.0.1\" protocol=\""
                        + TandemProtocol.class.getName()
                        + "\"";
        String text = Files.readString(file);
        assertTrue(text.contains(stock));
        Files.writeString(
                file,
                text.replace(stock, ours).replace("Server port=\"8005\"", "Server port=\"-1\""));
    }

    private Process start() throws IOException {
        var builder = new ProcessBuilder(home.resolve("bin/catalina.sh").toString(), "run");
        builder.environment().keySet().removeIf(name -> name.matches("(CATALINA|JAVA|JDK)_.*"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("CATALINA_OPTS", "-Xmx256m");
        return builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    }

    private int port(Process tomcat) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (System.nanoTime() < end) {
            Matcher started = STARTED.matcher(Files.readString(log));
            if (started.find()) {
                return Integer.parseInt(started.group(1));
            }
            assertTrue(tomcat.isAlive(), "it has ended");
            Thread.sleep(50);
        }
        throw new AssertionError("not started within " + PATIENCE_SECONDS + " s");
    }

    @Test
    @Timeout(180)
    void connectorRunsInStockTomcat() throws Exception {
        unpack();
        change();
        Process tomcat = start();
        try {
            var address = new InetSocketAddress("127.0.0.1", port(tomcat));
            try (RawClient client = RawClient.connect(address)) {
                assertServes(client);
                String output = Files.readString(log);
                // The client of the WebSocket disconnects without a close frame.
                assertFalse(output.contains("SEVERE"), output);
                // The jar is excluded from scanning.
                assertFalse(output.contains("TldScanner"), output);
            }
        } finally {
            tomcat.destroy();
            if (!tomcat.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                tomcat.destroyForcibly();
            }
        }
        String output = Files.readString(log);
        assertTrue(output.contains("Destroying ProtocolHandler"), output);
    }

    /// Requests a servlet and a file of Tomcat's own examples, and a WebSocket.
    private static void assertServes(RawClient client) throws IOException {
        String hello = "GET /examples/servlets/servlet/HelloWorldExample HTTP/1.1\nHost: h\n\n";
        assertTrue(client.send(hello).response().text().contains("Hello World!"));
        String file = "GET /examples/index.html HTTP/1.1\nHost: h\n\n";
        assertEquals(200, client.send(file).response().status());
        client.send(
                "GET /examples/websocket/echoAnnotation HTTP/1.1\nHost: h\nUpgrade: websocket\n"
                        + "Connection: Upgrade\nSec-WebSocket-Version: 13\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n\n");
        assertEquals(101, client.response().status());
    }
}
