package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.testkit.Shelved;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Conditional requests for a file that was modified on Sun, 06 Nov 1994 08:49:37 GMT.
class Rfc9110Section13Test {
    private static final String CONTENT = "0123456789";

    private Path root;
    private Web web;
    private String etag;

    @BeforeEach
    void serve(@TempDir Path folder) throws IOException {
        root = folder;
        Shelved.write(root.resolve("a.txt"), CONTENT);
        web = Web.of(Folder.of(root));
        etag = String.valueOf(web.ask("HEAD", "/a.txt").field("ETag"));
    }

    @AfterEach
    void stop() {
        web.close();
    }

    /// `TAG` stands for the file's own tag; `&` separates header lines.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 | X: none",
                // 13.1.1 If-Match: strong comparison.
                "200 | If-Match: TAG",
                "200 | If-Match: *",
                "200 | If-Match: \"other\", TAG",
                "412 | If-Match: \"other\"",
                "412 | If-Match: W/TAG",
                // 13.1.2 If-None-Match: weak comparison.
                "304 | If-None-Match: TAG",
                "304 | If-None-Match: W/TAG",
                "304 | If-None-Match: *",
                "304 | If-None-Match: \"other\", TAG",
                "304 | If-None-Match: \"other\"&If-None-Match: TAG",
                "200 | If-None-Match: \"other\"",
                "200 | If-None-Match: malformed",
                // 13.1.3 If-Modified-Since.
                "304 | If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
                "304 | If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT",
                "304 | If-Modified-Since: Mon, 07 Nov 1994 00:00:00 GMT",
                "200 | If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT",
                "200 | If-Modified-Since: yesterday",
                "200 | If-None-Match: \"other\"&If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
                "304 | If-None-Match: TAG&If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT",
                // 13.1.4 If-Unmodified-Since.
                "200 | If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
                "412 | If-Unmodified-Since: Sun, 06 Nov 1994 08:49:36 GMT",
                "200 | If-Unmodified-Since: whenever",
                "200 | If-Match: TAG&If-Unmodified-Since: Sun, 06 Nov 1994 08:49:36 GMT",
                // 13.1.5 If-Range.
                "206 | If-Range: TAG&Range: bytes=0-1",
                "200 | If-Range: W/TAG&Range: bytes=0-1",
                "200 | If-Range: \"other\"&Range: bytes=0-1",
                "206 | If-Range: Sun, 06 Nov 1994 08:49:37 GMT&Range: bytes=0-1",
                "200 | If-Range: Mon, 07 Nov 1994 00:00:00 GMT&Range: bytes=0-1",
                "200 | If-Range: TAG",
                // 13.2.2 Precedence.
                "412 | If-Match: \"other\"&If-None-Match: TAG",
                "304 | If-Match: TAG&If-None-Match: TAG",
                "304 | If-None-Match: TAG&Range: bytes=0-1",
                "304 | If-None-Match: TAG&If-Range: \"other\"&Range: bytes=0-1",
                "304 | If-None-Match: TAG&Range: bytes=99-"
            })
    void responseToGetIsTheSameFromDiskAndFromMemory(int status, String headers)
            throws IOException {
        String[] lines = headers.replace("TAG", etag).split("&");
        try (var cold = Web.of(Folder.of(root, FolderOptions.DEFAULT.withCacheBytes(0)))) {
            assertEquals(status, cold.get("/a.txt", lines).status());
        }
        assertEquals(status, web.get("/a.txt", lines).status());
    }

    @Test
    void notModifiedHasTheTagAndNoContent() throws IOException {
        for (String tag : new String[] {etag, "*"}) {
            Web.Response response = web.get("/a.txt", "If-None-Match: " + tag);
            assertEquals(etag, response.field("ETag"));
            assertEquals("", response.text());
        }
    }

    @Test
    void conditionalHeadIs304() throws IOException {
        for (String tag : new String[] {etag, "W/" + etag}) {
            assertEquals(304, web.ask("HEAD", "/a.txt", "If-None-Match: " + tag).status());
        }
    }

    @Test
    void weakTagDoesNotMatchIfRange() throws IOException {
        Shelved.write(root.resolve("new.txt"), CONTENT, Instant.now().plusSeconds(60));
        String weak = String.valueOf(web.get("/new.txt").field("ETag"));
        assertEquals(200, web.get("/new.txt", "If-Range: " + weak, "Range: bytes=0-1").status());
    }

    @Test
    void tagOfTheUnstableFileDoesNotMatchLater() throws IOException {
        Instant soon = Instant.now().plusSeconds(60);
        Path file = Shelved.write(root.resolve("new.txt"), CONTENT, soon);
        String weak = String.valueOf(web.get("/new.txt").field("ETag"));
        long nanos = dev.tandem.http.FileStamp.of(file).modifiedNanos();
        long[] now = {nanos + 3_000_000_000L};
        var later = Folder.of(root, FolderOptions.DEFAULT, System::nanoTime, () -> now[0]);
        try (var stable = Web.of(later)) {
            assertEquals(200, stable.get("/new.txt", "If-None-Match: " + weak).status());
        }
    }

    @Test
    void tagIsStrong() {
        assertEquals(true, Pattern.matches("\"[0-9a-f-]+\"", etag));
    }
}
