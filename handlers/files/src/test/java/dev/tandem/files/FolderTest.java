package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Shelved;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FolderTest {
    private Path root;
    private Web web;

    @BeforeEach
    void serve(@TempDir Path folder) throws IOException {
        root = folder;
        Shelved.write(root.resolve("a.txt"), "some text");
        Files.createDirectories(root.resolve("docs/deep"));
        Shelved.write(root.resolve("docs/index.html"), "<p>docs");
        web = Web.of(Folder.of(root));
    }

    @AfterEach
    void stop() {
        web.close();
    }

    @Test
    void fileIsSentCompletely() throws IOException {
        assertEquals("some text", web.get("/a.txt").text());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ETag                   | \"9-ae1b981bc490a00\"",
                "Last-Modified          | Sun, 06 Nov 1994 08:49:37 GMT",
                "Accept-Ranges          | bytes",
                "Content-Type           | text/plain; charset=utf-8",
                "Content-Length         | 9",
                "X-Content-Type-Options | nosniff"
            })
    void headersAreTheSameFromDiskAndFromMemory(String name, String value) throws IOException {
        assertEquals(value, web.get("/a.txt").field(name));
        assertEquals(value, web.get("/a.txt").field(name));
    }

    @Test
    void responseToHeadHasNoContentFromDiskAndFromMemory() throws IOException {
        for (int i = 0; i < 2; i++) {
            Web.Response response = web.ask("HEAD", "/a.txt");
            assertEquals("9", response.field("Content-Length"));
            assertEquals("", response.text());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/docs/", "/docs/index.html", "/docs//", "/docs/deep/.."})
    void folderIsServedByItsIndexFile(String target) throws IOException {
        Web.Response response = web.get(target);
        assertEquals("<p>docs", response.text());
        assertEquals("text/html; charset=utf-8", response.field("Content-Type"));
    }

    @Test
    void rootIsServedByItsIndexFile() throws IOException {
        Shelved.write(root.resolve("index.htm"), "<p>root");
        assertEquals("<p>root", web.get("/").text());
    }

    @ParameterizedTest
    @CsvSource({
        "/docs, /docs/",
        "/docs?a=1&b, /docs/?a=1&b",
        "//docs?x, /docs/?x",
        "/docs/deep, /docs/deep/",
        "/a/../docs, /docs/"
    })
    void folderWithoutItsSlashIsRedirected(String target, String location) throws IOException {
        Web.Response response = web.get(target);
        assertEquals(301, response.status());
        assertEquals(location, response.field("Location"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/missing", "/docs/deep/", "/", "/a.txt/", "/a.txt/b", "/.well-known/x"})
    void missingFileIs404(String target) throws IOException {
        assertEquals(404, web.get(target).status());
    }

    @Test
    void wellKnownFileIsSent() throws IOException {
        Files.createDirectory(root.resolve(".well-known"));
        Shelved.write(root.resolve(".well-known/security.txt"), "Contact: us");
        assertEquals("Contact: us", web.get("/.well-known/security.txt").text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "get"})
    void otherMethodsAre405WithAndWithoutTheFileInMemory(String method) throws IOException {
        for (int i = 0; i < 2; i++) {
            Web.Response response = web.ask(method, "/a.txt", "Content-Length: 0");
            assertEquals(405, response.status());
            assertEquals("GET, HEAD", response.field("Allow"));
            assertEquals(200, web.get("/a.txt").status());
        }
    }

    @Test
    void routeWithoutTheTailParameterIs500() throws IOException {
        Folder folder = Folder.of(root);
        try (var wrong = Web.of(x -> folder.handle(new PathParamExchange(x, "other", "a.txt")))) {
            assertEquals(500, wrong.get("/a.txt").status());
        }
    }

    @Test
    void nonAsciiNameIsFound() throws IOException {
        Shelved.write(root.resolve("grün €.txt"), "green");
        assertEquals("green", web.get("/gr%C3%BCn%20%E2%82%AC.txt").text());
    }

    @Test
    void typeIsThatOfTheRequestedName() throws IOException {
        Shelved.write(root.resolve("0f3a"), "{}");
        Files.createSymbolicLink(root.resolve("data.json"), Path.of("0f3a"));
        assertEquals("application/json", web.get("/data.json").field("Content-Type"));
    }

    @Test
    void emptyFileIsSentTwice() throws IOException {
        Shelved.write(root.resolve("empty.css"), "");
        for (int i = 0; i < 2; i++) {
            Web.Response response = web.get("/empty.css");
            assertEquals(200, response.status());
            assertEquals("0", response.field("Content-Length"));
        }
    }

    @Test
    void fileThatChangedJustNowHasAWeakTagAndNoDate() throws IOException {
        Shelved.write(root.resolve("new.txt"), "new", Instant.now().plusSeconds(60));
        Web.Response response = web.get("/new.txt");
        assertTrue(String.valueOf(response.field("ETag")).startsWith("W/\"3-"));
        assertNull(response.field("Last-Modified"));
    }

    @Test
    void largeFileIsSentCompletely() throws IOException {
        var content = new byte[3_000_001];
        new Random(1).nextBytes(content);
        Files.write(root.resolve("large.bin"), content);
        assertArrayEquals(content, web.get("/large.bin").body());
    }

    @Test
    void notFoundRevealsNothingOfTheDisk() throws IOException {
        assertFalse(web.get("/missing").text().contains(root.toString()));
    }
}
