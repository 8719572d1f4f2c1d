package dev.tandem.tomcat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.ZstdInputStream;
import dev.tandem.pagecache.CacheOptions;
import dev.tandem.pagecache.CompressionEngine;
import dev.tandem.pagecache.PageCache;
import dev.tandem.pagecache.PageCodec;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.Globals;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files of applications that come from the page cache: each response is the same as that of a
/// Tomcat with its own connector and settings, except for the stored form.
@Timeout(120)
class CachedFilesTest {
    private static final String OLD = "2020-01-02T03:04:05.678Z";
    private static final String SECRET = "~~~~ the secret of the site";
    private static final String WEB_XML =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1" metadata-complete="true">
              <servlet>
                <servlet-name>files</servlet-name>
                <servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class>
                <init-param><param-name>precompressed</param-name><param-value>true</param-value></init-param>
                <load-on-startup>1</load-on-startup>
              </servlet>
              <servlet-mapping><servlet-name>files</servlet-name><url-pattern>/</url-pattern></servlet-mapping>
              <servlet>
                <servlet-name>passes</servlet-name>
                <servlet-class>%s</servlet-class>
              </servlet>
              <servlet-mapping><servlet-name>passes</servlet-name><url-pattern>/passes</url-pattern></servlet-mapping>
              <servlet>
                <servlet-name>replaced</servlet-name>
                <servlet-class>%s</servlet-class>
              </servlet>
              <servlet-mapping><servlet-name>replaced</servlet-name><url-pattern>/replaced</url-pattern></servlet-mapping>
              <servlet>
                <servlet-name>verbose</servlet-name>
                <servlet-class>%s</servlet-class>
              </servlet>
              <servlet-mapping><servlet-name>verbose</servlet-name><url-pattern>/verbose</url-pattern></servlet-mapping>
              <security-constraint>
                <web-resource-collection>
                  <web-resource-name>guarded</web-resource-name>
                  <url-pattern>/guarded/*</url-pattern>
                </web-resource-collection>
                <auth-constraint/>
              </security-constraint>
              <error-page><error-code>404</error-code><location>/missing.html</location></error-page>
            </web-app>
            """;

    private static Path app;
    private static PageCache cache;
    private static Tomcat ours;
    private static Tomcat stock;
    private static byte[] text;

    /// Includes a file in its response, or forwards to it.
    public static final class Passes extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest q, HttpServletResponse s) {
            try {
                var to = q.getRequestDispatcher(q.getParameter("to"));
                if (q.getParameter("how").equals("include")) {
                    s.setContentType("text/plain");
                    s.getOutputStream().print("before ");
                    to.include(q, s);
                    s.getOutputStream().print(" after");
                } else {
                    to.forward(q, s);
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// Describes a file as Catalina does if it is replaced between two looks: with the tag of the
    /// new version, and a range of the old one.
    public static final class Replaced extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest q, HttpServletResponse s) {
            long oldSize = Long.parseLong(q.getParameter("size"));
            long end = Math.min(oldSize, 1_000);
            if (q.getParameter("part") != null) {
                s.setStatus(206);
                s.setHeader("Content-Range", "bytes 0-" + (end - 1) + "/" + oldSize);
            } else {
                end = oldSize;
            }
            s.setHeader("ETag", "W/\"10000-1577934245678\"");
            s.setContentLengthLong(end);
            q.setAttribute(Globals.SENDFILE_FILENAME_ATTR, app.resolve("page.txt").toString());
            q.setAttribute(Globals.SENDFILE_FILE_START_ATTR, 0L);
            q.setAttribute(Globals.SENDFILE_FILE_END_ATTR, end);
        }
    }

    /// Repeats a header of the request, which makes the head of its response too long.
    public static final class Verbose extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest q, HttpServletResponse s) {
            for (int i = 0; i < 10; i++) {
                s.addHeader("X-Repeated", q.getHeader("X-Repeated"));
            }
            s.setContentLength(10_000);
            q.setAttribute(Globals.SENDFILE_FILENAME_ATTR, app.resolve("new.txt").toString());
            q.setAttribute(Globals.SENDFILE_FILE_START_ATTR, 0L);
            q.setAttribute(Globals.SENDFILE_FILE_END_ATTR, 10_000L);
        }
    }

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        app = Files.createDirectories(folder.resolve("app"));
        var lines = new StringBuilder();
        for (int i = 0; lines.length() < 200_000; i++) {
            lines.append("line ").append(i).append(" of a text that repeats itself\n");
        }
        text = lines.toString().getBytes(StandardCharsets.US_ASCII);
        var noise = new byte[100_000];
        new Random(1).nextBytes(noise);
        write(
                "WEB-INF/web.xml",
                WEB_XML.formatted(
                                Passes.class.getName(),
                                Replaced.class.getName(),
                                Verbose.class.getName())
                        .getBytes());
        write("WEB-INF/inner.txt", Arrays.copyOf(text, 20_000));
        write("META-INF/inner.txt", SECRET.repeat(200).getBytes());
        write("guarded/a.txt", SECRET.repeat(200).getBytes());
        write("tiny.txt", "tiny".getBytes());
        write("empty.txt", new byte[0]);
        write("page.txt", Arrays.copyOf(text, 10_000));
        write("a b+c.txt", Arrays.copyOf(text, 10_000));
        write("large.txt", text);
        write("noise.bin", noise);
        write("style.css", Arrays.copyOf(text, 30_000));
        write("style.css.gz", Arrays.copyOf(noise, 5_000));
        write("style.css.br", Arrays.copyOf(noise, 4_000));
        write("sub/index.html", Arrays.copyOf(text, 60_000));
        write("plain/WEB-INF/unused.txt", text);
        write("bare/file.txt", "bare".getBytes());
        write("missing.html", Arrays.copyOf(text, 3_000));
        cache =
                PageCache.of(
                        CacheOptions.DEFAULT.withBytes(64 << 20).withCompressorShare(1),
                        CompressionEngine.of(PageCodec.zstd(1)));
        var connector = new Connector(TandemProtocol.class.getName());
        ((TandemProtocol) connector.getProtocolHandler()).setFileCache(cache);
        ours = start(folder.resolve("ours"), connector);
        stock = start(folder.resolve("stock"), new Connector(ConnectorPair.STOCK));
    }

    private static Path write(String name, byte[] content) throws IOException {
        Path file = app.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
        return Files.setLastModifiedTime(file, FileTime.from(Instant.parse(OLD)));
    }

    private static Tomcat start(Path home, Connector connector) throws LifecycleException {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(home.toString());
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        tomcat.setConnector(connector);
        Context plain = tomcat.addWebapp("/app", app.toString());
        plain.setParentClassLoader(CachedFilesTest.class.getClassLoader());
        ((StandardJarScanner) plain.getJarScanner()).setScanClassPath(false); // it takes long
        Context other = tomcat.addWebapp("/plain", app.resolve("plain").toString());
        ((StandardJarScanner) other.getJarScanner()).setScanClassPath(false);
        var zipped = new Connector(connector.getProtocolHandlerClassName());
        zipped.setPort(0);
        zipped.setProperty("address", "127.0.0.1");
        zipped.setProperty("compression", "on");
        if (zipped.getProtocolHandler() instanceof TandemProtocol) {
            assertTrue(ConnectorPair.set(zipped, "pageCache=8m"));
            assertTrue(ConnectorPair.set(zipped, "pageCacheEngine=workers"));
            assertTrue(ConnectorPair.set(zipped, "http2=true"));
        }
        tomcat.getService().addConnector(zipped);
        tomcat.start();
        return tomcat;
    }

    @AfterAll
    static void stop() throws Exception {
        ours.stop();
        ours.destroy();
        stock.stop();
        stock.destroy();
        cache.close();
    }

    private static Connector connector(Tomcat tomcat, int number) {
        return tomcat.getService().findConnectors()[number];
    }

    private static String ask(String line, String headers) {
        return line + " HTTP/1.1\nHost: h\n" + (headers.isEmpty() ? "" : headers + "\n") + "\n";
    }

    private static RawResponse receive(RawClient client, String line, String headers)
            throws IOException {
        client.send(ask(line, headers));
        return line.startsWith("HEAD ") ? client.responseToHead() : client.response();
    }

    /// Compares responses to requests over one connection each; a stored form is not asked for.
    private static void compare(int number, String line, List<String> headers) throws IOException {
        try (RawClient tandem = ConnectorPair.client(connector(ours, number));
                RawClient tomcat = ConnectorPair.client(connector(stock, number))) {
            for (String each : headers) {
                String expected = ConnectorPair.format(receive(tomcat, line, each));
                RawResponse got = receive(tandem, line, each);
                assertEquals(expected, withoutVary(got, expected), line + "\n" + each);
            }
        }
    }

    /// There may be a stored form; the stock connector has none.
    private static String withoutVary(RawResponse got, String expected) {
        String formatted = ConnectorPair.format(got);
        return expected.contains("vary: accept-encoding")
                ? formatted
                : formatted
                        .replace("vary: accept-encoding\n", "")
                        .replace("\nvary: accept-encoding", "");
    }

    @Test
    void responsesAreTheSameAsStocks() throws IOException {
        List<String> headers =
                List.of(
                        "",
                        "Accept-Encoding: gzip",
                        "Accept-Encoding: br, gzip;q=0.5",
                        "Accept-Encoding: zstd;q=0",
                        "Range: bytes=2-5",
                        "Range: bytes=-3",
                        "Range: bytes=70000-",
                        "Range: bytes=0-1,4-5",
                        "Range: bytes=9-2",
                        "Range: bytes=9999999-",
                        "Range: bytes=2-5\nIf-Range: \"other\"",
                        "Range: bytes=2-5\nIf-Range: Thu, 02 Jan 2020 03:04:05 GMT",
                        "Range: bytes=2-5\nIf-Range: Thu, 02 Jan 2020 03:04:04 GMT",
                        "Range: bytes=2-5\nIf-Range: W/\"10000-1577934245678\"",
                        "If-None-Match: *",
                        "If-None-Match: \"other\"",
                        "If-None-Match: W/\"10000-1577934245678\"",
                        "If-Match: \"other\"",
                        "If-Match: *",
                        "If-Modified-Since: Thu, 02 Jan 2020 03:04:05 GMT",
                        "If-Modified-Since: Thu, 02 Jan 2020 03:04:04 GMT",
                        "If-Unmodified-Since: Thu, 02 Jan 2020 03:04:04 GMT");
        for (String path :
                List.of(
                        "tiny.txt",
                        "empty.txt",
                        "page.txt",
                        "large.txt",
                        "noise.bin",
                        "style.css",
                        "sub/",
                        "sub",
                        "none.txt")) {
            for (String method : List.of("GET", "HEAD")) {
                compare(0, method + " /app/" + path, headers);
            }
        }
    }

    private static long descriptorsOf(Path real) {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(each -> isLinkTo(each, real)).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isLinkTo(Path link, Path file) {
        try {
            return Files.readSymbolicLink(link).equals(file);
        } catch (IOException e) {
            return false; // it has been closed meanwhile
        }
    }

    @Test
    void tooLongHeadSendsNoFileAndClosesIt() throws IOException {
        Path file = write("new.txt", Arrays.copyOf(text, 10_000)).toRealPath();
        // One that may still change is read by a descriptor of the request's own.
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(1_000)));
        for (String size : List.of("1000", "10")) {
            String header = "X-Repeated: " + "x".repeat(Integer.parseInt(size));
            for (int i = 0; i < 3; i++) {
                try (RawClient client = ConnectorPair.client(connector(ours, 0))) {
                    RawResponse response = receive(client, "GET /app/verbose", header);
                    boolean isSent = response.status() == 200;
                    assertEquals(size.equals("10"), isSent, response.text());
                    assertEquals(isSent ? 10_000 : 0, response.body().length);
                }
            }
        }
        Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")));
        Patience.until("the file is closed", () -> descriptorsOf(file) == 0);
    }

    @Test
    void pathsAreCatalinas() throws IOException {
        for (String path :
                List.of(
                        "",
                        "/",
                        "/sub/;x=1",
                        "/page.txt;x=1",
                        "/pa%67e.txt",
                        "/a%20b+c.txt",
                        "/a%20b%2Bc.txt",
                        "/x/../page.txt",
                        "/x/..;/page.txt",
                        "//page.txt",
                        "/page.txt/",
                        "/page.txt%00",
                        "/PAGE.txt",
                        "/bare",
                        "/bare/",
                        "/guarded/a.txt",
                        "/%67uarded/a.txt",
                        "/guarded;x/a.txt",
                        "/WEB-INF/inner.txt",
                        "/web-inf/inner.txt",
                        "/%57EB-INF/inner.txt",
                        "/x/../WEB-INF/inner.txt",
                        "/META-INF/inner.txt",
                        "/passes?how=include&to=/page.txt",
                        "/passes?how=include&to=/large.txt",
                        "/passes?how=include&to=/none.txt",
                        "/passes?how=forward&to=/page.txt",
                        "/passes?how=forward&to=/large.txt",
                        "/passes?how=forward&to=/WEB-INF/inner.txt")) {
            compareOnce("GET /app" + path, "");
            compareOnce("GET /app" + path, "Range: bytes=3-1999");
            compareOnce("HEAD /app" + path, "");
        }
        for (String method : List.of("POST", "OPTIONS", "PUT", "DELETE", "TRACE")) {
            compareOnce(method + " /app/page.txt", "Content-Length: 0");
        }
    }

    private static void compareOnce(String line, String headers) throws IOException {
        String expected = named(ConnectorPair.response(connector(stock, 0), ask(line, headers)));
        String got = named(ConnectorPair.response(connector(ours, 0), ask(line, headers)));
        String kept =
                expected.contains("vary: accept-encoding")
                        ? got
                        : got.replace("vary: accept-encoding\n", "")
                                .replace("\nvary: accept-encoding", "");
        assertEquals(expected, kept, line + "\n" + headers);
    }

    /// Requests rejected before Catalina have an error page of the server.
    private static String named(String response) {
        return response.startsWith("400 close") ? "400 close" : response;
    }

    /// With `compression="on"`, Catalina compresses files that it does not leave to sendfile.
    @Test
    void compressionIsStocks() throws IOException {
        for (String path : List.of("tiny.txt", "page.txt", "large.txt", "noise.bin", "style.css")) {
            for (String method : List.of("GET", "HEAD")) {
                compare(
                        1,
                        method + " /app/" + path,
                        List.of(
                                "Accept-Encoding: gzip",
                                "",
                                "Accept-Encoding: gzip\nRange: bytes=0-1"));
            }
        }
    }

    private static boolean isStored(RawClient client, String accepts) {
        try {
            RawResponse response = receive(client, "GET /app/large.txt", accepts);
            return "zstd".equals(response.field("Content-Encoding"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] decoded(RawResponse response) throws IOException {
        try (var in = new ZstdInputStream(new ByteArrayInputStream(response.body()))) {
            return in.readAllBytes();
        }
    }

    @Test
    void clientThatAcceptsItGetsStoredForm() throws Exception {
        try (RawClient client = ConnectorPair.client(connector(ours, 0))) {
            String accepts = "Accept-Encoding: gzip, zstd";
            Patience.until("a stored form", () -> isStored(client, accepts));
            RawResponse stored = receive(client, "GET /app/large.txt", accepts);
            assertTrue(stored.body().length < text.length / 4, stored.body().length + " bytes");
            assertArrayEquals(text, decoded(stored));
            assertEquals("accept-encoding", stored.field("Vary"));
            RawResponse plain = receive(client, "GET /app/large.txt", "");
            assertArrayEquals(text, plain.body());
            assertNull(plain.field("Content-Encoding"));
            assertEquals("accept-encoding", plain.field("Vary"));
            String tag = stored.field("ETag");
            assertEquals(plain.field("ETag"), tag);
            String known = accepts + "\nIf-None-Match: " + tag;
            client.send(ask("GET /app/large.txt", known));
            assertEquals(304, client.responseToHead().status());
            RawResponse part =
                    receive(client, "GET /app/large.txt", accepts + "\nRange: bytes=5-70000");
            assertArrayEquals(Arrays.copyOfRange(text, 5, 70_001), part.body());
            assertNull(part.field("Content-Encoding"));
            // A weak tag does not continue another form (RFC 9110, section 13.1.5).
            String resumed = "Range: bytes=5-9\nIf-Range: " + tag;
            assertEquals(200, receive(client, "GET /app/large.txt", resumed).status());
            for (String other : List.of("zstd;q=0", "zstd;q=0.5, identity", "*;q=0, identity")) {
                RawResponse identity =
                        receive(client, "GET /app/large.txt", "Accept-Encoding: " + other);
                assertArrayEquals(text, identity.body());
            }
            // Stored forms that save nothing, and types that are not compressed.
            assertNull(receive(client, "GET /app/noise.bin", accepts).field("Content-Encoding"));
            assertNull(receive(client, "GET /app/tiny.txt", accepts).field("Vary"));
        }
    }

    @Test
    void fileReplacedBetweenTwoLooksIsSentAsAWhole() throws IOException {
        try (RawClient client = ConnectorPair.client(connector(ours, 0))) {
            for (String query : List.of("size=3000", "size=30000", "size=3000&part=1")) {
                RawResponse response = receive(client, "GET /app/replaced?" + query, "");
                assertEquals(200, response.status(), query);
                assertEquals(10_000, response.body().length, query);
                assertNull(response.field("Content-Range"), query);
            }
            RawResponse part = receive(client, "GET /app/replaced?size=10000&part=1", "");
            assertEquals(206, part.status());
            assertEquals(1_000, part.body().length);
        }
    }

    /// Catalina, which remembers for 5 s what it knows of a file, describes an earlier state.
    @Test
    void changeIsSeenAtTheNextRequest() throws Exception {
        try (RawClient client = ConnectorPair.client(connector(ours, 0))) {
            for (int i = 1; i < 20; i++) {
                byte[] content = Arrays.copyOf(text, 1_500 + 5_000 * i);
                for (String name : List.of("changing.txt", "plain/changing.txt")) {
                    Path file = write(name, content);
                    if (i % 2 == 0) { // so recent that it may change again unnoticed
                        Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
                    }
                    String get = "GET /" + (name.startsWith("plain") ? name : "app/" + name);
                    RawResponse whole = receive(client, get, i % 3 == 0 ? "Range: bytes=0-" : "");
                    assertArrayEquals(content, whole.body());
                    String tag = String.valueOf(whole.field("ETag"));
                    long millis = Files.getLastModifiedTime(file).toMillis();
                    assertEquals("W/\"" + content.length + "-" + millis + "\"", tag);
                }
            }
            Files.delete(app.resolve("plain/changing.txt"));
            // Catalina may find that it cannot read a file that it remembers.
            int gone = receive(client, "GET /plain/changing.txt", "").status();
            assertTrue(gone == 403 || gone == 404, "" + gone);
            Files.delete(app.resolve("changing.txt"));
            assertEquals(404, receive(client, "GET /app/changing.txt", "").status());
        }
    }

    @Test
    void streamsOfHttp2GetFiles() throws Exception {
        try (var client = new StreamClient(connector(ours, 1).getLocalPort())) {
            for (String path : List.of("/app/large.txt", "/app/page.txt", "/app/empty.txt")) {
                byte[] content = Files.readAllBytes(app.resolve(path.substring(5)));
                StreamClient.Response response = client.fetch(path);
                assertEquals(200, response.status);
                assertArrayEquals(content, response.content.toByteArray());
            }
        }
    }

    @Test
    void filesComeFromTheCache() throws Exception {
        try (RawClient client = ConnectorPair.client(connector(ours, 0))) {
            receive(client, "GET /app/noise.bin", "");
            long hits = cache.statistics().plainHits();
            for (int i = 0; i < 5; i++) {
                receive(client, "GET /app/noise.bin", "");
            }
            assertNotEquals(hits, cache.statistics().plainHits());
        }
    }

    @Test
    void wrongSizeIsNamed() {
        var protocol = new TandemProtocol();
        protocol.setPageCache("much");
        var failure = assertThrows(LifecycleException.class, protocol::init);
        assertEquals(
                "pageCache=\"much\": must be auto, or a size such as 64m, was 'much'",
                failure.getMessage());
    }

    @Test
    void unknownEngineIsNamed() {
        var protocol = new TandemProtocol();
        protocol.setPageCache("8m");
        protocol.setPageCacheEngine("fast");
        var failure = assertThrows(LifecycleException.class, protocol::init);
        assertEquals(
                "pageCacheEngine=\"fast\": the engine must be one of cache, workers, helper, auto,"
                        + " was 'fast'",
                failure.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void connectorShowsTheGaugesOfItsCache(int number) throws Exception {
        Connector connector = connector(ours, number);
        try (RawClient client = ConnectorPair.client(connector)) {
            receive(client, "GET /app/noise.bin", "");
        }
        var protocol = (TandemProtocol) connector.getProtocolHandler();
        double misses =
                Objects.requireNonNull(protocol.server()).metrics().stream()
                        .filter(metric -> metric.name().equals("tandem_page_cache_misses_total"))
                        .mapToDouble(metric -> metric.samples().getFirst().value())
                        .sum();
        assertTrue(misses > 0, "misses: " + misses);
    }
}
