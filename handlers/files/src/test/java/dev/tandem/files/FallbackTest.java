package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.KnownHeader;
import dev.tandem.testkit.Shelved;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tries, the fallback, `Cache-Control`, hidden patterns and links.
class FallbackTest {
    private static final FolderOptions OPTIONS =
            FolderOptions.DEFAULT
                    .withTryFiles(List.of("{path}.html", "pages/{path}.html"))
                    .withFallback("app.html")
                    .withHidden(List.of(Glob.ofAnyCase("*.php"), Glob.of("private/**")))
                    .withCacheRules(
                            List.of(
                                    CacheRule.of("assets/**", "public, max-age=60, immutable"),
                                    CacheRule.of("*.html", "no-cache"),
                                    CacheRule.of("plain.txt", "")));

    private Path root;
    private Web web;

    @BeforeEach
    void serve(@TempDir Path folder) throws IOException {
        root = folder;
        Files.createDirectories(root.resolve("pages"));
        Files.createDirectories(root.resolve("assets/js"));
        Files.createDirectories(root.resolve("private"));
        Shelved.write(root.resolve("app.html"), "the application");
        Shelved.write(root.resolve("about.html"), "about");
        Shelved.write(root.resolve("pages/team.html"), "team");
        Shelved.write(root.resolve("assets/js/a.js"), "a");
        Shelved.write(root.resolve("plain.txt"), "plain");
        Shelved.write(root.resolve("code.PHP"), "<?php secret");
        Shelved.write(root.resolve("private/key.html"), "key");
        web = Web.of(Folder.of(root, OPTIONS));
    }

    @AfterEach
    void stop() {
        web.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/about, about",
        "/about.html, about",
        "/team, team",
        "/user/7, the application",
        "/, the application",
        "/user/john.doe, 404",
        "/assets/missing.js, 404",
        "/private/key, 404"
    })
    void missingPathIsServedByItsFallback(String target, String expected) throws IOException {
        for (int i = 0; i < 2; i++) {
            Web.Response response = web.get(target);
            assertEquals(
                    expected, response.status() == 200 ? response.text() : "" + response.status());
        }
    }

    /// Else clients that invent paths fill the memory with copies of the same file and of its
    /// variants.
    @Test
    void fileOfAFixedPathIsHeldOnce() throws IOException {
        Shelved.write(root.resolve("app.html"), "the application ".repeat(100));
        Folder folder = Folder.of(root, OPTIONS.withTryFiles(List.of("{path}.html", "app.html")));
        TestRequestHead plain = TestRequestHead.get();
        var gzip = TestRequestHead.get().with(KnownHeader.ACCEPT_ENCODING, "gzip");
        try (var fixed = Web.of(folder)) {
            for (String path : List.of("a", "b", "c.js")) {
                for (String coding : List.of("identity", "gzip")) {
                    Web.Response response = fixed.get("/" + path, "Accept-Encoding: " + coding);
                    assertEquals(200, response.status());
                }
                assertNull(folder.preparedResponse(plain, path), path);
                assertNull(folder.preparedResponse(gzip, path), path);
            }
        }
        assertNotNull(folder.preparedResponse(plain, "app.html"));
        assertNotNull(folder.preparedResponse(gzip, "app.html"));
    }

    @Test
    void fileOfAFixedPathHasTheCacheControlOfItsOwnPath() throws IOException {
        FolderOptions options = OPTIONS.withTryFiles(List.of("app.html"));
        try (var fixed = Web.of(Folder.of(root, options))) {
            String value = fixed.get("/assets/missing.js").field("Cache-Control");
            assertEquals("no-cache", value);
        }
    }

    @Test
    void pageRequestForANameWithADotGetsTheFallback() throws IOException {
        Web.Response response = web.get("/user/john.doe", "Accept: text/html,*/*;q=0.8");
        assertEquals("the application", response.text());
    }

    /// Not each name with a dot has the fallback: for a script that is missing it is 404.
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "/assets/missing.js; Accept",
                "/user/7; Accept",
                "/app.html; Accept",
                "/about.html; -",
                "/assets/js/a.js; -"
            },
            delimiter = ';')
    void fallbackVariesByAccept(String target, String value) throws IOException {
        for (int i = 0; i < 3; i++) {
            Web.Response response = web.get(target, "Accept: text/html");
            assertEquals(200, response.status());
            assertEquals(value, response.field("Vary"));
        }
    }

    @Test
    void fallbackWithVariantsVariesByBoth() throws IOException {
        Shelved.write(root.resolve("app.html.gz"), "compressed");
        for (int i = 0; i < 3; i++) {
            Web.Response response = web.get("/user/7", "Accept-Encoding: gzip");
            assertEquals("compressed", response.text());
            assertEquals("Accept, Accept-Encoding", response.field("Vary"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "/assets/js/a.js; public, max-age=60, immutable",
                "/about.html; no-cache",
                "/team; -",
                "/user/7; no-cache",
                "/plain.txt; -"
            },
            delimiter = ';')
    void cacheControlIsThatOfTheFirstMatchingRule(String target, String value) throws IOException {
        for (int i = 0; i < 2; i++) {
            Web.Response response = web.get(target);
            assertEquals(200, response.status());
            assertEquals(value, response.field("Cache-Control"));
        }
    }

    @Test
    void notModifiedHasCacheControl() throws IOException {
        String tag = web.get("/about.html").field("ETag");
        for (int i = 0; i < 2; i++) {
            Web.Response response = web.get("/about.html", "If-None-Match: " + tag);
            assertEquals(304, response.status());
            assertEquals("no-cache", response.field("Cache-Control"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/code.PHP",
                "/code.php",
                "/code.PHP.",
                "/code.PHP%20",
                "/code.PHP%00.txt",
                "/code.PHP%2500.txt",
                "/code.PHP%5c",
                "/code.PHP/",
                "/private/key.html",
                "/private%2fkey.html",
                "/x/..%2f../private/key.html",
                "/.%2e/private/key.html",
                "/%c0%ae%c0%ae/code.PHP",
                "/private/../private/key.html"
            })
    void hiddenFileIsNotSentUnderAnyName(String target) throws IOException {
        Web.Response response = web.get(target);
        assertTrue(response.status() == 400 || response.status() == 404, target);
        assertTrue(!response.text().contains("secret") && !response.text().contains("key"), target);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../{path}", "/etc/{path}", ".{path}", "a//b", "", "folder/"})
    void triesThatLeadElsewhereAreRejected(String attempt) {
        var tries = List.of(attempt);
        assertThrows(IllegalArgumentException.class, () -> OPTIONS.withTryFiles(tries));
        assertThrows(IllegalArgumentException.class, () -> OPTIONS.withFallback(attempt));
    }

    // ---- Links.

    @ParameterizedTest
    @CsvSource({"FOLLOW, 200, 200", "WITHIN, 200, 404", "OWNER, 200, 200", "NONE, 404, 404"})
    void linksAreFollowedAsConfigured(Links links, int inside, int outside, @TempDir Path elsewhere)
            throws IOException {
        Path file = Shelved.write(elsewhere.resolve("out.txt"), "out");
        Files.createSymbolicLink(root.resolve("in.txt"), Path.of("plain.txt"));
        Files.createSymbolicLink(root.resolve("out.txt"), file);
        try (var linked = Web.of(Folder.of(root, FolderOptions.DEFAULT.withLinks(links)))) {
            assertEquals(inside, linked.get("/in.txt").status());
            assertEquals(outside, linked.get("/out.txt").status());
            assertEquals(200, linked.get("/plain.txt").status());
        }
    }

    @Test
    void linkToAFileOfAnotherOwnerIsNotFollowed(@TempDir Path elsewhere) throws IOException {
        Path file = Shelved.write(elsewhere.resolve("out.txt"), "out");
        Files.createSymbolicLink(root.resolve("out.txt"), file);
        try {
            var users = file.getFileSystem().getUserPrincipalLookupService();
            Files.setOwner(file, users.lookupPrincipalByName("nobody"));
        } catch (IOException | UnsupportedOperationException e) {
            org.junit.jupiter.api.Assumptions.abort("skipped: needs root, to give a file away");
        }
        try (var owned = Web.of(Folder.of(root, FolderOptions.DEFAULT.withLinks(Links.OWNER)))) {
            assertEquals(404, owned.get("/out.txt").status());
        }
        assertNull(OPTIONS.withFallback(null).fallback());
    }
}
