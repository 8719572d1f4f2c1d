package dev.tandem.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// WAR files and folders.
class ApplicationsTest {
    private static final String DESCRIPTOR =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1"></web-app>
            """;

    private static void war(Path file, Map<String, String> entries) throws IOException {
        try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static RawResponse get(Applications site, String path) throws IOException {
        try (var client = RawClient.connect(new InetSocketAddress("127.0.0.1", site.port()))) {
            return client.send("GET " + path + " HTTP/1.1\nHost: h\n\n").response();
        }
    }

    @Test
    void runsSeveralAndBeginsOneAnew(@TempDir Path folder) throws Exception {
        Path shop = folder.resolve("shop.war");
        war(shop, Map.of("WEB-INF/web.xml", DESCRIPTOR, "index.jsp", "sum <%= 20 + 22 %>"));
        Path pages = folder.resolve("pages");
        Files.createDirectories(pages.resolve("WEB-INF"));
        Files.writeString(pages.resolve("a.txt"), "page");
        try (var site = new Applications(0)) {
            site.add("", pages).add("/shop", shop);
            site.start();
            assertEquals("page", get(site, "/a.txt").text());
            assertEquals("sum 42", get(site, "/shop/").text());
            assertEquals(404, get(site, "/shop/nothing").status());
            war(shop, Map.of("WEB-INF/web.xml", DESCRIPTOR, "index.jsp", "sum <%= 1 + 1 %>"));
            site.redeploy("/shop");
            assertEquals("sum 2", get(site, "/shop/").text());
            assertEquals("page", get(site, "/a.txt").text());
        }
    }

    @Test
    void saysWhatIsNotThere(@TempDir Path folder) throws Exception {
        try (var site = new Applications(0)) {
            Path nowhere = folder.resolve("nowhere.war");
            var refused = assertThrows(IOException.class, () -> site.add("", nowhere));
            assertTrue(String.valueOf(refused.getMessage()).contains("nowhere.war is not there"));
        }
    }
}
