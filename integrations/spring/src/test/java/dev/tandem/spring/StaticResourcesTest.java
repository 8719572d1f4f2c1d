package dev.tandem.spring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.ZstdInputStream;
import dev.tandem.spring.plain.Plain;
import dev.tandem.testkit.RawSite.Response;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Static resources in a folder, with the page cache and with Tomcat's own connector.
class StaticResourcesTest {
    private static final byte[] TEXT = "0123456789 some text\n".repeat(5_000).getBytes();
    private static RunningApplication ours;
    private static RunningApplication stock;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        write(folder.resolve("a.txt"), TEXT);
        write(folder.resolve("b.css"), Arrays.copyOf(TEXT, 9_000));
        write(folder.resolve("c.png"), Arrays.copyOf(TEXT, 9_000));
        write(folder.resolve("tiny.txt"), "tiny".getBytes());
        write(folder.resolve("empty.txt"), new byte[0]);
        String[] common = {
            "server.compression.enabled=true",
            "spring.web.resources.static-locations=file:" + folder + "/",
            "spring.web.resources.cache.period=60s"
        };
        Files.writeString(folder.resolve("d.shout"), "quiet");
        ours = start(common, "tandem.page-cache=8m", "tandem.page-cache-engine=workers");
        stock = start(common, "tandem.enabled=false");
    }

    private static RunningApplication start(String[] common, String... own) {
        String[] all = Arrays.copyOf(common, common.length + own.length);
        System.arraycopy(own, 0, all, common.length, own.length);
        return RunningApplication.start(Plain.class, all);
    }

    private static void write(Path file, byte[] content) throws IOException {
        Files.write(file, content);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_678L));
    }

    @AfterAll
    static void stop() {
        assertTrue(isPageCacheOpen());
        ours.close();
        assertFalse(isPageCacheOpen(), "the stop has closed the page cache");
        stock.close();
    }

    private static boolean isPageCacheOpen() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().startsWith("tandem-cache"));
    }

    private static Map<String, String> comparable(Response response) {
        var fields = new TreeMap<>(response.fields());
        fields.keySet().removeAll(List.of("date", "Date", "Keep-Alive"));
        if (response.status() >= 400) {
            fields.remove("Content-Length"); // error pages have a time
        }
        return fields;
    }

    @Test
    void responsesAreTheSameAsStocks() throws IOException {
        for (String path : List.of("/a.txt", "/b.css", "/c.png", "/tiny.txt", "/empty.txt", "/x")) {
            for (String field :
                    List.of(
                            "Accept: */*",
                            "Accept-Encoding: gzip",
                            "Range: bytes=3-70",
                            "Range: bytes=-2",
                            "Range: bytes=999999-",
                            "If-Modified-Since: Sun, 09 Sep 2001 01:46:40 GMT")) {
                compare("GET", path, field);
                compare("HEAD", path, field);
            }
        }
    }

    private static void compare(String method, String path, String field) throws IOException {
        String request = method + ' ' + path + ' ' + field;
        Response expected = stock.ask(method, path, field);
        Response got = ours.ask(method, path, field);
        assertEquals(expected.status(), got.status(), request);
        var known = comparable(expected);
        var fields = comparable(got);
        if (!expected.fields().containsKey("Vary")) {
            fields.remove("Vary"); // there may be a stored form
        }
        assertEquals(known, fields, request);
        if (got.status() < 400) { // error pages have a time
            assertArrayEquals(expected.body(), got.body(), request);
        }
    }

    /// Such as those of a resolver that decrypts them.
    @Test
    void bytesOfTheApplicationsOwnResourceAreSent() throws IOException {
        for (String field : List.of("Accept: */*", "Range: bytes=1-3")) {
            compare("GET", "/d.shout", field);
        }
        assertEquals("QUIET", ours.get("/d.shout").text());
    }

    /// Whether it is sent depends on idle processors.
    @Test
    void storedFormIsTheFile() throws IOException {
        for (int i = 0; i < 5; i++) {
            Response response = ours.get("/a.txt", "Accept-Encoding: zstd");
            assertEquals("max-age=60", response.field("Cache-Control"));
            var body = new ByteArrayInputStream(response.body());
            boolean isStored = "zstd".equals(response.field("Content-Encoding"));
            try (var in = isStored ? new ZstdInputStream(body) : body) {
                assertArrayEquals(TEXT, in.readAllBytes());
            }
        }
    }

    @Test
    void gaugesOfTheCacheAreAmongTheServersMetrics() throws IOException {
        assertArrayEquals(TEXT, ours.get("/a.txt").body());
        var server = Objects.requireNonNull(ours.context.getBean(TandemServer.class).server());
        double hits =
                server.metrics().stream()
                        .filter(metric -> metric.name().startsWith("tandem_page_cache_"))
                        .filter(metric -> metric.name().matches(".*_(hits|misses)_total"))
                        .mapToDouble(metric -> metric.samples().getFirst().value())
                        .sum();
        assertTrue(hits > 0, "pages used: " + hits);
    }
}
