package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.KnownHeader;
import dev.tandem.http.PreparedResponse;
import dev.tandem.testkit.RawSite.Response;
import dev.tandem.testkit.Shelved;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Resources of jars and of folders, over real sockets.
@Timeout(60)
class ResourcesTest {
    private static final Map<String, String> SITE =
            Map.ofEntries(
                    Map.entry("secret.txt", "secret"),
                    Map.entry("app.properties", "password=secret"),
                    Map.entry("static-secret/key.pem", "secret"),
                    Map.entry("META-INF/secret.txt", "secret"),
                    Map.entry("static/", ""),
                    Map.entry("static/index.html", "<p>home"),
                    Map.entry("static/app.js", "let a = 1;"),
                    Map.entry("static/app.js.gz", "(by gzip)"),
                    Map.entry("static/app.js.br", "(by brotli)"),
                    Map.entry("static/docs/index.html", "<p>docs"),
                    Map.entry("static/long.txt", "a".repeat(999) + "z"),
                    Map.entry("static/empty/", ""),
                    Map.entry("static/a b+%25.txt", "named"),
                    Map.entry("static/Hidden.class", "secret"),
                    Map.entry("static/.env", "secret"),
                    Map.entry("static/.git/config", "secret"));

    private static final List<String> ATTACKS =
            List.of(
                    "/../secret.txt",
                    "/docs/../../secret.txt",
                    "/%2e%2e/secret.txt",
                    "/.%2e/secret.txt",
                    "/..%2fsecret.txt",
                    "/..%5csecret.txt",
                    "/..\\secret.txt",
                    "/docs%2f..%2f..%2fsecret.txt",
                    "/app.js/../../secret.txt",
                    "//../secret.txt",
                    "/../static-secret/key.pem",
                    "/..-secret/key.pem",
                    "/-secret/key.pem",
                    "/../META-INF/secret.txt",
                    "/%2fsecret.txt",
                    "/!/secret.txt",
                    "/app.js!/../secret.txt",
                    "/jar:file:app.jar!/secret.txt",
                    "/file:///etc/hostname",
                    "/secret.txt",
                    "/app.properties",
                    "/.env",
                    "/%2eenv",
                    "/.git/config",
                    "/docs/../.env",
                    "/Hidden.class",
                    "/hidden.class",
                    "/app.js%00.txt",
                    "/%c0%ae%c0%ae/secret.txt",
                    "/..;/secret.txt",
                    "/static/app.js");

    private final Path folder;
    private final List<AutoCloseable> running = new ArrayList<>();

    /// A site, and the handler of all its paths.
    private record Served(Web web, Resources resources) {}

    ResourcesTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : running) {
            each.close();
        }
    }

    private Served serveJar(Map<String, String> entries) throws IOException {
        return serve(jar("app.jar", entries));
    }

    private Served serve(URL... classPath) throws IOException {
        return serve(Resources.of("static", loader(classPath)));
    }

    private URLClassLoader loader(URL... classPath) {
        var loader = new URLClassLoader(classPath, null);
        running.add(loader);
        return loader;
    }

    private Served serve(Resources resources) throws IOException {
        var web = new Web(site -> site.route("*", "/{path...}", resources));
        running.add(web);
        return new Served(web, resources);
    }

    private URL jar(String name, Map<String, String> entries) throws IOException {
        Path jar = folder.resolve(name);
        try (OutputStream file = Files.newOutputStream(jar);
                var out = new JarOutputStream(file)) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                out.putNextEntry(new JarEntry(entry.getKey()));
                out.write(entry.getValue().getBytes(StandardCharsets.ISO_8859_1));
                out.closeEntry();
            }
        }
        return jar.toUri().toURL();
    }

    /// Puts the same files into a folder.
    private URL classes(Map<String, String> entries) throws IOException {
        Path root = Files.createDirectories(folder.resolve("classes"));
        for (Map.Entry<String, String> entry : entries.entrySet()) {
            Path file = root.resolve(entry.getKey());
            if (entry.getKey().endsWith("/")) {
                Files.createDirectories(file);
            } else {
                Files.createDirectories(file.getParent());
                Shelved.write(file, entry.getValue());
            }
        }
        return root.toUri().toURL();
    }

    private URL classPath(String kind) throws IOException {
        return kind.equals("jar") ? jar("app.jar", SITE) : classes(SITE);
    }

    private static String field(Response response, String name) {
        return Objects.requireNonNull(response.field(name), name);
    }

    // ---- Content.

    @ParameterizedTest
    @ValueSource(strings = {"jar", "folder"})
    void resourceHasTypeLengthAndValidators(String kind) throws IOException {
        Web web = serve(classPath(kind)).web();
        for (int i = 0; i < 3; i++) { // read, then from memory
            Response response = web.get("/app.js");
            assertEquals(200, response.status());
            assertEquals("let a = 1;", response.text());
            assertEquals("text/javascript; charset=utf-8", response.field("Content-Type"));
            assertEquals("10", response.field("Content-Length"));
            assertEquals("bytes", response.field("Accept-Ranges"));
            assertEquals("Accept-Encoding", response.field("Vary"));
            assertEquals("nosniff", response.field("X-Content-Type-Options"));
            String tag = field(response, "ETag");
            assertTrue(tag.matches("\"[0-9a-f]{32}\""), tag);
            assertNotNull(response.field("Last-Modified"));
            assertNull(response.field("Content-Encoding"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jar", "folder"})
    void nameMayHaveAnyCharacter(String kind) throws IOException {
        Web web = serve(classPath(kind)).web();
        assertEquals("named", web.get("/a%20b+%2525.txt").text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"jar", "folder"})
    void responseToHeadHasNoBody(String kind) throws IOException {
        Web web = serve(classPath(kind)).web();
        Response response = web.ask("HEAD", "/app.js");
        assertEquals("10", response.field("Content-Length"));
        assertEquals("", response.text());
    }

    @Test
    void otherMethodsAreNotAllowed() throws IOException {
        Web web = serveJar(SITE).web();
        Response response = web.ask("DELETE", "/app.js");
        assertEquals(405, response.status());
        assertEquals("GET, HEAD", response.field("Allow"));
    }

    @Test
    void resourceOfAJarIsSentFromMemory() throws IOException {
        Served served = serveJar(SITE);
        Web web = served.web();
        Resources resources = served.resources();
        TestRequestHead head = TestRequestHead.get();
        assertNull(resources.preparedResponse(head, "docs/"));
        web.get("/docs/");
        PreparedResponse prepared = resources.preparedResponse(head, "docs/");
        assertNotNull(prepared);
        assertEquals(7, prepared.body().remaining());
        String tag = field(web.get("/docs/"), "ETag");
        TestRequestHead again = TestRequestHead.get().with(KnownHeader.IF_NONE_MATCH, tag);
        PreparedResponse notModified = resources.preparedResponse(again, "docs/");
        assertNotNull(notModified);
        assertEquals(304, notModified.status());
    }

    @Test
    void firstJarOfTheClassPathIsUsed() throws IOException {
        URL[] jars = {
            jar("first.jar", Map.of("static/a.txt", "first")),
            jar("second.jar", Map.of("static/a.txt", "second", "static/b.txt", "b"))
        };
        Web web = serve(jars).web();
        assertEquals("first", web.get("/a.txt").text());
        assertEquals("b", web.get("/b.txt").text());
    }

    @Test
    void cacheControlIsByPattern() throws IOException {
        var rules = List.of(CacheRule.of("*.js", "max-age=60"), CacheRule.of("**", "no-cache"));
        Resources resources = Resources.of("static", loader(jar("app.jar", SITE)));
        Web web = serve(resources.withCacheRules(rules)).web();
        assertEquals("max-age=60", web.get("/app.js").field("Cache-Control"));
        assertEquals("no-cache", web.get("/").field("Cache-Control"));
    }

    // ---- Folders.

    @ParameterizedTest
    @ValueSource(strings = {"jar", "folder"})
    void folderIsItsIndexAndNeverAListing(String kind) throws IOException {
        Web web = serve(classPath(kind)).web();
        assertEquals("<p>home", web.get("/").text());
        assertEquals("<p>docs", web.get("/docs/").text());
        Response redirect = web.get("/docs?q=1");
        assertEquals(301, redirect.status());
        assertEquals("/docs/?q=1", redirect.field("Location"));
        assertEquals(404, web.get("/empty/").status());
        assertEquals(404, web.get("/empty").status());
        assertEquals(404, web.get("/app.js/").status());
    }

    // ---- Validators.

    @ParameterizedTest
    @ValueSource(strings = {"jar", "folder"})
    void clientWithTheSameContentGets304(String kind) throws IOException {
        Web web = serve(classPath(kind)).web();
        Response first = web.get("/app.js");
        String tag = first.field("ETag");
        Response second = web.get("/app.js", "If-None-Match: " + tag);
        assertEquals(304, second.status());
        assertEquals(tag, second.field("ETag"));
        assertEquals("", second.text());
        String date = "If-Modified-Since: " + first.field("Last-Modified");
        assertEquals(304, web.get("/app.js", date).status());
        assertEquals(200, web.get("/app.js", "If-None-Match: \"other\"").status());
        assertEquals(412, web.get("/app.js", "If-Match: \"other\"").status());
    }

    @Test
    void tagIsMadeOfTheContentAlone() throws IOException {
        URL first = jar("app.jar", Map.of("static/a.txt", "same", "static/b.txt", "changed"));
        Web before = serve(first).web();
        String a = before.get("/a.txt").field("ETag");
        String b = before.get("/b.txt").field("ETag");
        URL second = jar("next.jar", Map.of("static/a.txt", "same", "static/b.txt", "chanGed"));
        Web web = serve(second).web();
        assertEquals(a, web.get("/a.txt").field("ETag"));
        assertNotEquals(b, web.get("/b.txt").field("ETag"));
    }

    // ---- Ranges.

    @ParameterizedTest
    @ValueSource(strings = {"jar", "folder"})
    void rangesAreSent(String kind) throws IOException {
        Web web = serve(classPath(kind)).web();
        Response part = web.get("/app.js", "Range: bytes=4-6");
        assertEquals(206, part.status());
        assertEquals("a =", part.text());
        assertEquals("bytes 4-6/10", part.field("Content-Range"));
        Response parts = web.get("/long.txt", "Range: bytes=0-0,-1");
        assertEquals(206, parts.status());
        assertTrue(field(parts, "Content-Type").startsWith("multipart/byteranges"));
        assertTrue(parts.text().contains("bytes 999-999/1000\r\n\r\nz\r\n"), parts.text());
        Response none = web.get("/app.js", "Range: bytes=10-");
        assertEquals(416, none.status());
        assertEquals("bytes */10", none.field("Content-Range"));
        String changed = "If-Range: \"other\"";
        assertEquals(200, web.get("/app.js", "Range: bytes=0-0", changed).status());
    }

    @Test
    void largeResourceIsReadFromItsJar() throws IOException {
        var bytes = new byte[Resources.FILE_MAX + 1];
        new Random(1).nextBytes(bytes);
        String content = new String(bytes, StandardCharsets.ISO_8859_1);
        Served served = serveJar(Map.of("static/large.bin", content));
        Web web = served.web();
        assertArrayEquals(bytes, web.get("/large.bin").body());
        assertNull(served.resources().preparedResponse(TestRequestHead.get(), "large.bin"));
        Response part = web.get("/large.bin", "Range: bytes=1000000-1000099");
        assertEquals(206, part.status());
        assertArrayEquals(Arrays.copyOfRange(bytes, 1_000_000, 1_000_100), part.body());
        assertEquals(200, web.get("/large.bin", "Range: bytes=0-0,-1").status());
        assertEquals(
                Integer.toString(bytes.length),
                web.ask("HEAD", "/large.bin").field("Content-Length"));
    }

    // ---- Memory.

    /// As with a small heap, where the memory outside of it is as small: it was 500 for ever.
    @Test
    void resourceIsReadFromItsJarWhereThereIsNoMemory() throws IOException {
        Served served = serve(withMemory(SITE, 0));
        Web web = served.web();
        for (int i = 0; i < 2; i++) {
            assertEquals("let a = 1;", web.get("/app.js").text());
            assertEquals("(by gzip)", web.get("/app.js", "Accept-Encoding: gzip").text());
            assertEquals("a =", web.get("/app.js", "Range: bytes=4-6").text());
            assertEquals("10", web.ask("HEAD", "/app.js").field("Content-Length"));
        }
        assertNull(served.resources().preparedResponse(TestRequestHead.get(), "app.js"));
    }

    /// What others in the process need is not held for good.
    @Test
    void heldResourceIsForgottenWhereThereIsNoMemory() throws IOException {
        var site = new TreeMap<String, String>();
        int halvings = 1 + Long.numberOfTrailingZeros(Resources.HELD_MAX);
        for (int i = 0; i <= halvings; i++) {
            site.put("static/" + i + ".txt", "number " + i);
        }
        Served served = serve(withMemory(site, 1));
        Web web = served.web();
        web.get("/0.txt");
        assertNotNull(served.resources().preparedResponse(TestRequestHead.get(), "0.txt"));
        for (int i = 1; i <= halvings; i++) {
            assertEquals("number " + i, web.get("/" + i + ".txt").text());
        }
        assertNull(served.resources().preparedResponse(TestRequestHead.get(), "0.txt"));
        assertEquals("number 0", web.get("/0.txt").text());
    }

    /// @param buffers how many can be allocated outside of the heap
    private Resources withMemory(Map<String, String> site, int buffers) throws IOException {
        var left = new AtomicInteger(buffers);
        return Resources.of(
                "static",
                loader(jar("app.jar", site)),
                size -> {
                    if (left.getAndDecrement() <= 0) {
                        throw new OutOfMemoryError("Cannot reserve direct buffer memory");
                    }
                    return ByteBuffer.allocateDirect(size);
                });
    }

    // ---- Variants.

    @ParameterizedTest
    @ValueSource(strings = {"jar", "folder"})
    void precompressedVariantIsSentToClientsThatAcceptIt(String kind) throws IOException {
        Web web = serve(classPath(kind)).web();
        for (int i = 0; i < 2; i++) { // read, then from memory
            Response gzip = web.get("/app.js", "Accept-Encoding: gzip");
            assertEquals("(by gzip)", gzip.text());
            assertEquals("gzip", gzip.field("Content-Encoding"));
            assertEquals("text/javascript; charset=utf-8", gzip.field("Content-Type"));
            Response both = web.get("/app.js", "Accept-Encoding: gzip, br");
            assertEquals("(by brotli)", both.text());
            assertEquals("br", both.field("Content-Encoding"));
            assertNotEquals(gzip.field("ETag"), both.field("ETag"));
            assertEquals("let a = 1;", web.get("/app.js", "Accept-Encoding: gzip;q=0").text());
        }
    }

    @Test
    void outdatedVariantIsNotSent() throws IOException {
        URL classes = classes(SITE);
        Path script = folder.resolve("classes/static/app.js");
        Shelved.write(script, "let a = 2;", Shelved.LONG_AGO.plusSeconds(60));
        Web web = serve(classes).web();
        assertEquals("let a = 2;", web.get("/app.js", "Accept-Encoding: gzip").text());
    }

    // ---- Changes.

    /// Neither one to a file nor one to a folder. The folder itself may be one.
    @Test
    void linksInAFolderAreNotFollowed() throws IOException {
        Path classes = Path.of(URI.create(classes(SITE).toString()));
        Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
        Shelved.write(elsewhere.resolve("outside.txt"), "secret");
        Files.createSymbolicLink(classes.resolve("static/linked"), elsewhere);
        Files.createSymbolicLink(
                classes.resolve("static/linked.txt"), elsewhere.resolve("outside.txt"));
        Files.createSymbolicLink(classes.resolve("also"), classes.resolve("static"));
        URL root = classes.toUri().toURL();
        Web web = serve(root).web();
        assertEquals(404, web.get("/linked/outside.txt").status());
        assertEquals(404, web.get("/linked.txt").status());
        assertEquals(200, web.get("/docs/").status());
        Web other = serve(Resources.of("also", loader(root))).web();
        assertEquals(200, other.get("/docs/").status());
    }

    @Test
    void changedFileOfAFolderIsReadAgain() throws IOException {
        Web web = serve(classes(SITE)).web();
        assertEquals("let a = 1;", web.get("/app.js").text());
        Path script = folder.resolve("classes/static/app.js");
        Shelved.write(script, "let a = 2;", Shelved.LONG_AGO.plusSeconds(1));
        assertEquals("let a = 2;", web.get("/app.js").text());
        Shelved.write(script, "let a = 3;", Instant.now().plusSeconds(60)); // new for a minute
        assertEquals("let a = 3;", web.get("/app.js").text());
        assertNull(web.get("/app.js").field("Last-Modified"), "it may change within the second");
        Files.delete(script);
        assertEquals(404, web.get("/app.js").status());
    }

    // ---- Attacks.

    @Test
    void pathsOutsideOrHiddenAreNotServed() throws IOException {
        Web web = serve(jar("app.jar", SITE), classes(SITE)).web();
        for (String target : ATTACKS) {
            Response response = web.get(target);
            boolean isRejected = response.status() == 404 || response.status() == 400;
            assertTrue(isRejected, target + ": " + response.status());
            assertFalse(response.text().contains("secret"), target);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/static", "static/", "../x", ".git", "a//b", "META-INF"})
    void folderThatWouldExposeTheClassPathIsRejected(String name) throws IOException {
        ClassLoader loader = loader(jar("app.jar", SITE));
        assertThrows(IllegalArgumentException.class, () -> Resources.of(name, loader));
    }
}
