package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.tandem.testkit.Shelved;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Range requests.
class Rfc9110Section14Test {
    private static final String CONTENT = "0123456789";

    private Path root;
    private Web web;

    @BeforeEach
    void serve(@TempDir Path folder) throws IOException {
        root = folder;
        Shelved.write(root.resolve("a.txt"), CONTENT);
        web = Web.of(Folder.of(root));
        assertEquals(200, web.get("/a.txt").status()); // in memory from now on
    }

    @AfterEach
    void stop() {
        web.close();
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=0-0, 0, bytes 0-0/10",
        "bytes=0-4, 01234, bytes 0-4/10",
        "bytes=5-, 56789, bytes 5-9/10",
        "bytes=9-9, 9, bytes 9-9/10",
        "bytes=0-99, 0123456789, bytes 0-9/10",
        "bytes=-3, 789, bytes 7-9/10",
        "bytes=-99, 0123456789, bytes 0-9/10",
        "BYTES=1-2, 12, bytes 1-2/10",
        "'bytes=0-1,99-', 01, bytes 0-1/10",
        "'bytes=0-1,2-3', 0123, bytes 0-3/10",
        "'bytes=0-1,9223372036854775807-', 01, bytes 0-1/10"
    })
    void singleRangeIsSentAlone(String range, String content, String contentRange)
            throws IOException {
        Web.Response response = web.get("/a.txt", "Range: " + range);
        assertEquals(206, response.status());
        assertEquals(content, response.text());
        assertEquals(contentRange, response.field("Content-Range"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99-,100-"})
    void rangeBeyondTheEndIs416(String range) throws IOException {
        Web.Response response = web.get("/a.txt", "Range: " + range);
        assertEquals(416, response.status());
        assertEquals("bytes */10", response.field("Content-Range"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bytes=",
                "bytes=a-b",
                "bytes=4-2",
                "bytes=--1",
                "bytes=1",
                "bytes=+1-2",
                "bytes 0-1",
                "lines=0-1",
                "0-1",
                "bytes=0-1;2-3"
            })
    void malformedRangeIsIgnored(String range) throws IOException {
        Web.Response response = web.get("/a.txt", "Range: " + range);
        assertEquals(200, response.status());
        assertEquals(CONTENT, response.text());
    }

    @Test
    void twoRangeHeadersAreIgnored() throws IOException {
        assertEquals(200, web.get("/a.txt", "Range: bytes=0-1", "Range: bytes=2-3").status());
    }

    @Test
    void rangeOfAHeadRequestIsIgnored() throws IOException {
        Web.Response response = web.ask("HEAD", "/a.txt", "Range: bytes=0-1");
        assertEquals(200, response.status());
        assertEquals("10", response.field("Content-Length"));
    }

    @Test
    void rangeOfAnEmptyFileIsIgnored() throws IOException {
        Shelved.write(root.resolve("empty"), "");
        assertEquals(200, web.get("/empty", "Range: bytes=-1").status());
    }

    @Test
    void severalRangesAreSentAsMultipart() throws IOException {
        String content = "a".repeat(500) + "B".repeat(500) + "c".repeat(500);
        Shelved.write(root.resolve("long.css"), content);
        Web.Response response = web.get("/long.css", "Range: bytes=1498-,0-1,499-500");
        String type = String.valueOf(response.field("Content-Type"));
        String boundary = type.substring("multipart/byteranges; boundary=".length());
        String parts =
                """
                --B
                Content-Type: text/css; charset=utf-8
                Content-Range: bytes 1498-1499/1500

                cc
                --B
                Content-Type: text/css; charset=utf-8
                Content-Range: bytes 0-1/1500

                aa
                --B
                Content-Type: text/css; charset=utf-8
                Content-Range: bytes 499-500/1500

                aB
                --B--
                """
                        .replace("--B", "--" + boundary)
                        .replace("\n", "\r\n");
        assertEquals(206, response.status());
        assertEquals(parts, response.text());
        assertEquals(String.valueOf(parts.length()), response.field("Content-Length"));
        assertNull(response.field("Content-Range"));
    }

    @Test
    void moreThan32RangesAreIgnored() throws IOException {
        Shelved.write(root.resolve("long"), "x".repeat(10_000));
        String ranges = "bytes=0-0" + ",200-200".repeat(32);
        assertEquals(200, web.get("/long", "Range: " + ranges).status());
    }

    /// A sparse file, which takes no disk space.
    @Test
    void rangeBeyondTwoGibibytesIsSent() throws IOException {
        long at = 5L << 30;
        byte[] end = "the end".getBytes(StandardCharsets.US_ASCII);
        try (var file = new RandomAccessFile(root.resolve("huge.bin").toFile(), "rw")) {
            file.seek(at);
            file.write(end);
        }
        Web.Response response = web.get("/huge.bin", "Range: bytes=" + at + "-");
        assertArrayEquals(end, response.body());
        assertEquals(
                "bytes " + at + "-" + (at + 6) + "/" + (at + 7), response.field("Content-Range"));
    }

    @Test
    void partsBeyondTwoGibibytesAreSent() throws IOException {
        long at = 5L << 30;
        try (var file = new RandomAccessFile(root.resolve("huge.bin").toFile(), "rw")) {
            file.seek(at);
            file.write('x');
        }
        Web.Response response = web.get("/huge.bin", "Range: bytes=0-0," + at + "-");
        assertEquals(true, response.text().contains("bytes " + at + "-" + at + "/" + (at + 1)));
        assertEquals(true, response.text().contains("\r\n\r\nx\r\n--"));
    }

    @Test
    void lengthBeyondTwoGibibytesIsSent() throws IOException {
        try (var file = new RandomAccessFile(root.resolve("huge.bin").toFile(), "rw")) {
            file.setLength(5L << 30);
        }
        assertEquals(
                String.valueOf(Files.size(root.resolve("huge.bin"))),
                web.ask("HEAD", "/huge.bin").field("Content-Length"));
    }
}
