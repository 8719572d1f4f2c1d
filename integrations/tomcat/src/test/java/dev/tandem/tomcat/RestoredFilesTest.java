package dev.tandem.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestoredFilesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path dir;

    private Tomcat start() throws LifecycleException {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(dir.toString());
        var connector = new Connector(TandemProtocol.class.getName());
        connector.setPort(0);
        assertTrue(connector.setProperty("address", "127.0.0.1"));
        assertTrue(connector.setProperty("pageCache", "8m"));
        assertTrue(connector.setProperty("pageCacheRestoreFile", dir.resolve("pages").toString()));
        tomcat.setConnector(connector);
        var application = tomcat.addWebapp("", dir.resolve("site").toString());
        ((StandardJarScanner) application.getJarScanner()).setScanClassPath(false);
        tomcat.start();
        return tomcat;
    }

    private static void stop(Tomcat tomcat) throws LifecycleException {
        tomcat.stop();
        tomcat.destroy();
    }

    private static double figure(Tomcat tomcat, String name) {
        var protocol = (TandemProtocol) tomcat.getConnector().getProtocolHandler();
        return Objects.requireNonNull(protocol.server()).metrics().stream()
                .filter(metric -> metric.name().equals("tandem_page_cache_" + name))
                .mapToDouble(metric -> metric.samples().getFirst().value())
                .sum();
    }

    @Test
    void filesOfApplicationsAreInMemoryAgainAfterARestart() throws Exception {
        Path file = Files.createDirectory(dir.resolve("site")).resolve("a.txt");
        Files.writeString(file, "some text ".repeat(1_000));
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L));
        for (int restored = 0; restored < 2; restored++) {
            int expected = restored;
            Tomcat tomcat = start();
            try (RawClient client = ConnectorPair.client(tomcat.getConnector())) {
                Patience.until(
                        "pages are restored", () -> figure(tomcat, "restored_total") == expected);
                client.send("GET /a.txt HTTP/1.1\nHost: a\n\n");
                assertEquals(10_000, client.response().text().length());
                Patience.until(
                        "the page is used", // figures are read ten times a second
                        () ->
                                figure(tomcat, "misses_total") + figure(tomcat, "restored_total")
                                        == 1);
                assertEquals(expected, figure(tomcat, "restored_total"));
            } finally {
                stop(tomcat);
            }
        }
    }

    @Test
    void folderThatIsMissingIsNamed() {
        var protocol = new TandemProtocol();
        protocol.setPageCache("8m");
        protocol.setPageCacheRestoreFile(dir + "/missing/pages");
        var failure = assertThrows(LifecycleException.class, protocol::init);
        assertEquals(
                "pageCacheRestoreFile=\""
                        + dir
                        + "/missing/pages\": no file can be written in "
                        + dir
                        + "/missing",
                failure.getMessage());
    }
}
