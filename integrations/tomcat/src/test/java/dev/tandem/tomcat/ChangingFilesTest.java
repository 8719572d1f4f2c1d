package dev.tandem.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.ZstdInputStream;
import dev.tandem.pagecache.CacheOptions;
import dev.tandem.pagecache.CompressionEngine;
import dev.tandem.pagecache.PageCache;
import dev.tandem.pagecache.PageCodec;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.webresources.StandardRoot;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Files that are replaced, overwritten and deleted while clients read them through Catalina and
/// the page cache: a response has the bytes of one version, the one that its headers describe, or
/// is visibly incomplete.
@Timeout(120)
class ChangingFilesTest {
    private static final int FILES = 4;
    private static final int READERS = 3;

    /// `-Dchanging.responses=100000` runs for minutes.
    private static final int RESPONSES = Integer.getInteger("changing.responses", 150);

    /// A version's files were modified so many seconds after the epoch.
    private static final Pattern TAG = Pattern.compile("W/\"([0-9]+)-([0-9]+)000\"");

    private final AtomicInteger complete = new AtomicInteger();
    private final AtomicBoolean isOver = new AtomicBoolean();

    /// Returns the content of a version: one letter, and a length that no version nearby has.
    private static byte[] content(int version) {
        var content = new byte[1_100 + version * 7_919 % 300_000];
        Arrays.fill(content, letter(version));
        return content;
    }

    private static byte letter(int version) {
        return (byte) ('!' + version % 90);
    }

    @Test
    void responseIsOfOneVersion(@TempDir Path home) throws Exception {
        Path app = home.resolve("app");
        Files.createDirectories(app.resolve("WEB-INF"));
        var connector = new Connector(TandemProtocol.class.getName());
        var tomcat = new Tomcat();
        tomcat.setBaseDir(home.toString());
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        tomcat.setConnector(connector);
        var context = tomcat.addWebapp("/app", app.toString());
        ((StandardJarScanner) context.getJarScanner()).setScanClassPath(false); // it takes long
        var root = new StandardRoot(context);
        root.setCacheTtl(5); // ms: some responses are described by old knowledge, some are not
        context.setResources(root);
        try (PageCache cache =
                        PageCache.of( // smaller than the files
                                CacheOptions.DEFAULT.withBytes(512 << 10).withCompressorShare(1),
                                CompressionEngine.of(PageCodec.zstd(1)));
                var threads = Executors.newFixedThreadPool(READERS + 1)) {
            ((TandemProtocol) connector.getProtocolHandler()).setFileCache(cache);
            tomcat.start();
            try {
                List<Future<?>> all = new ArrayList<>();
                all.add(threads.submit(task(() -> change(app))));
                for (int i = 0; i < READERS; i++) {
                    int number = i;
                    all.add(threads.submit(task(() -> read(connector, number))));
                }
                for (Future<?> each : all) {
                    each.get();
                }
            } finally {
                isOver.set(true);
                tomcat.stop();
                tomcat.destroy();
            }
        }
        assertTrue(complete.get() >= RESPONSES);
    }

    /// Ends the others when one has failed.
    private Callable<?> task(Callable<?> task) {
        return () -> {
            try {
                return task.call();
            } finally {
                isOver.set(true);
            }
        };
    }

    private int change(Path app) throws IOException {
        var random = new Random(5);
        int version = 0;
        for (; !isOver.get(); version++) {
            Path file = app.resolve("f" + version % FILES + ".txt");
            FileTime time = FileTime.fromMillis(version * 1_000L);
            int way = random.nextInt(8);
            if (way == 0) {
                Files.deleteIfExists(file);
            } else if (way == 1) {
                Files.write(file, content(version));
                Files.setLastModifiedTime(file, time);
            } else {
                Path next = app.resolve("WEB-INF/next");
                Files.write(next, content(version));
                Files.setLastModifiedTime(next, time);
                Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
            }
            int target = complete.get() + 1 + random.nextInt(3);
            for (int i = 0; i < 1_000 && complete.get() < target && !isOver.get(); i++) {
                Thread.onSpinWait();
            }
        }
        return version;
    }

    private int read(Connector connector, int number) throws IOException {
        int received = 0;
        String line = number == 0 ? "Accept-Encoding: zstd\n" : "";
        var random = new Random(number);
        while (complete.get() < RESPONSES && !isOver.get()) {
            try (RawClient client = ConnectorPair.client(connector)) {
                while (complete.get() < RESPONSES && !isOver.get()) {
                    boolean isPart = number == 1 && random.nextBoolean();
                    String range = isPart ? "Range: bytes=100-70000\n" : "";
                    client.send(
                            "GET /app/f%d.txt HTTP/1.1\nHost: h\n%s%s\n"
                                    .formatted(random.nextInt(FILES), line, range));
                    RawResponse response = client.response();
                    if (response.status() == 200 || response.status() == 206) {
                        check(response);
                        complete.incrementAndGet();
                        received++;
                    } else {
                        assertTrue(
                                List.of(403, 404, 416, 503).contains(response.status()),
                                response.toString());
                    }
                }
            } catch (IOException e) {
                // Incomplete, which the client has noticed.
            }
        }
        return received;
    }

    private static void check(RawResponse response) throws IOException {
        byte[] body = response.body();
        if (response.field("Content-Encoding") != null) {
            assertEquals("zstd", response.field("Content-Encoding"));
            body = new ZstdInputStream(new ByteArrayInputStream(body)).readAllBytes();
        }
        for (byte each : body) {
            assertEquals(body[0], each, "two versions in one response");
        }
        Matcher tag = TAG.matcher(String.valueOf(response.field("ETag")));
        boolean isPart = response.status() == 206;
        if (!tag.matches() || Long.parseLong(tag.group(2)) > Integer.MAX_VALUE / 2) {
            return; // overwritten just now, and perhaps not yet as a whole
        }
        int version = Integer.parseInt(tag.group(2));
        byte[] expected = content(version);
        if (Integer.parseInt(tag.group(1)) == 0) {
            assertEquals(0, body.length); // Catalina looked at size and time while it was emptied
            return;
        }
        if ("0".equals(response.field("Content-Length"))) {
            assertEquals(0, body.length); // Catalina made the tag before, and read the size then
            return;
        }
        assertEquals(expected.length, Integer.parseInt(tag.group(1)));
        if (isPart) {
            expected = Arrays.copyOfRange(expected, 100, Math.min(expected.length, 70_001));
        } else {
            assertNull(response.field("Content-Range"));
        }
        assertEquals(expected.length, body.length, response::toString);
        assertEquals(expected[0], body[0], "another version than the headers say");
    }
}
