package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests by curl.
class CurlTest {
    private static final byte[] CONTENT = new byte[3_000_000];

    @TempDir private static Path folder;

    private static Server server;

    private final Tool curl = Tool.curl();

    @BeforeAll
    static void start() throws IOException {
        new Random(1).nextBytes(CONTENT);
        Files.write(folder.resolve("big.bin"), CONTENT);
        Files.writeString(folder.resolve("index.html"), "<title>Here</title>");
        server = EchoSite.start(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private String url(String path) {
        return "http://127.0.0.1:" + server.port() + path;
    }

    private String output(String... arguments) throws Exception {
        return curl.run(folder, arguments);
    }

    @Test
    void curlGetsAResponse() throws Exception {
        assertEquals("Hello, World!", output(url("/hello")));
    }

    @Test
    void curlGetsAHeadAlone() throws Exception {
        String head = output("--head", url("/hello"));
        assertTrue(head.startsWith("HTTP/1.1 200 OK\r\n"), head);
        assertTrue(head.contains("Content-Length: 13\r\n"), head);
    }

    @Test
    void curlReusesItsConnection() throws Exception {
        String format = "%{num_connects} ";
        String connects =
                output("-o", "/dev/null", "-o", "/dev/null", "-w", format, url("/hello"), url("/"));
        assertEquals("1 0 ", connects);
    }

    @Test
    void curlGetsAWholeFile() throws Exception {
        Path out = folder.resolve("got.bin");
        output("-o", out.toString(), url("/big.bin"));
        assertArrayEquals(CONTENT, Files.readAllBytes(out));
    }

    @Test
    void curlResumesADownload() throws Exception {
        Path out = folder.resolve("part.bin");
        Files.write(out, Arrays.copyOf(CONTENT, 1_234_567));
        output("-C", "-", "-o", out.toString(), url("/big.bin"));
        assertArrayEquals(CONTENT, Files.readAllBytes(out));
    }

    @Test
    void curlKeepsAnUnchangedFile() throws Exception {
        Path tag = folder.resolve("tag");
        output("--etag-save", tag.toString(), "-o", "/dev/null", url("/big.bin"));
        assertEquals(
                "304",
                output(
                        "--etag-compare",
                        tag.toString(),
                        "-o",
                        "/dev/null",
                        "-w",
                        "%{http_code}",
                        url("/big.bin")));
    }

    @Test
    void curlUploadsWithALength() throws Exception {
        upload();
    }

    @Test
    void curlUploadsInChunks() throws Exception {
        upload("-H", "Transfer-Encoding: chunked");
    }

    @Test
    void curlUploadsAfterAContinue() throws Exception {
        upload("-H", "Expect: 100-continue");
    }

    private void upload(String... how) throws Exception {
        Path out = folder.resolve("echo.bin");
        var words = new ArrayList<>(List.of(how));
        words.addAll(
                List.of(
                        "--data-binary",
                        "@" + folder.resolve("big.bin"),
                        "-o",
                        out.toString(),
                        url("/echo")));
        output(words.toArray(String[]::new));
        assertArrayEquals(CONTENT, Files.readAllBytes(out));
    }

    @Test
    void curlKeepsItsConnectionAfterALargeUpload() throws Exception {
        String[] upload = {
            "--data-binary", "@" + folder.resolve("big.bin"), "-w", "%{num_connects} "
        };
        var words = new ArrayList<>(List.of(upload));
        words.addAll(List.of("-o", "/dev/null", url("/echo")));
        words.addAll(List.of("--next", "-w", "%{num_connects}"));
        words.addAll(List.of("-o", "/dev/null", url("/hello")));
        assertEquals("1 0", output(words.toArray(String[]::new)));
    }

    @Test
    void curlUsesHttp10() throws Exception {
        assertEquals("Hello, World!", output("--http1.0", url("/hello")));
    }

    @Test
    void filesOutsideTheRootAreNotServed() throws Exception {
        for (String path :
                new String[] {"/../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/etc/passwd"}) {
            String status =
                    output("--path-as-is", "-o", "/dev/null", "-w", "%{http_code}", url(path));
            assertTrue(status.equals("400") || status.equals("404"), path + ": " + status);
        }
    }
}
