package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.catalina.Globals;
import org.apache.catalina.Wrapper;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that an application names instead of writing their content.
class SendfileTest {
    private static final int SIZE = 300_000;
    private static final byte[] CONTENT = new byte[SIZE];
    private static TestTomcat site;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        new Random(1).nextBytes(CONTENT);
        Path file = Files.write(folder.resolve("file.bin"), CONTENT);
        site = new TestTomcat();
        site.with("/own", servlet((q, s) -> names(q, s, file)));
        site.with(
                "/same",
                servlet(
                        (q, s) -> {
                            names(q, s, file);
                            s.setStatus(304);
                        }));
        site.with(
                "/replaced",
                servlet(
                        (q, s) -> {
                            names(q, s, file);
                            s.reset();
                            String text = q.getParameter("text");
                            s.getWriter().write(text.repeat(20_000 / text.length()));
                        }));
        site.with(
                "/short",
                servlet(
                        (q, s) -> {
                            names(q, s, file);
                            s.reset();
                            s.getWriter().write("replaced");
                        }));
        site.with("/gone", servlet((q, s) -> names(q, s, folder.resolve("gone"))));
        var files = site.tomcat.addContext("/files", folder.toString());
        Wrapper wrapper = Tomcat.addServlet(files, "default", new DefaultServlet());
        wrapper.addMapping("/");
        site.start();
    }

    @AfterAll
    static void stop() throws Exception {
        site.close();
    }

    private static void names(HttpServletRequest q, HttpServletResponse s, Path file)
            throws IOException {
        if (!Boolean.TRUE.equals(q.getAttribute(Globals.SENDFILE_SUPPORTED_ATTR))) {
            s.sendError(500, "sendfile is not supported");
            return;
        }
        s.setContentLengthLong(SIZE - 1000);
        q.setAttribute(Globals.SENDFILE_FILENAME_ATTR, file.toString());
        q.setAttribute(Globals.SENDFILE_FILE_START_ATTR, 1000L);
        q.setAttribute(Globals.SENDFILE_FILE_END_ATTR, (long) SIZE);
    }

    private static byte[] bytes(RawResponse response) {
        assertEquals(200, response.status());
        return response.body();
    }

    @Test
    void fileRangeIsSentAndConnectionKept() throws Exception {
        try (RawClient client = site.client()) {
            for (int i = 0; i < 3; i++) {
                byte[] body = bytes(client.send("GET /own HTTP/1.1\nHost: h\n\n").response());
                assertArrayEquals(Arrays.copyOfRange(CONTENT, 1000, SIZE), body);
            }
        }
    }

    @Test
    void filesOfDefaultServletAreSent() throws Exception {
        try (RawClient client = site.client()) {
            String request = "GET /files/file.bin HTTP/1.1\nHost: h\n";
            assertArrayEquals(CONTENT, bytes(client.send(request + "\n").response()));
            RawResponse part = client.send(request + "Range: bytes=100000-249999\n\n").response();
            assertEquals(206, part.status());
            assertArrayEquals(Arrays.copyOfRange(CONTENT, 100_000, 250_000), part.body());
        }
    }

    /// A servlet's `doHead` does what its `doGet` does.
    @Test
    void responseToHeadHasNoFile() throws Exception {
        try (RawClient client = site.client()) {
            for (int i = 0; i < 2; i++) {
                client.send("HEAD /own HTTP/1.1\nHost: h\n\n");
                RawResponse head = client.responseToHead();
                assertEquals(200, head.status());
                assertEquals("" + (SIZE - 1000), head.field("Content-Length"));
            }
            byte[] body = bytes(client.send("GET /own HTTP/1.1\nHost: h\n\n").response());
            assertArrayEquals(Arrays.copyOfRange(CONTENT, 1000, SIZE), body);
        }
    }

    @Test
    void notModifiedResponseHasNoFile() throws Exception {
        try (RawClient client = site.client()) {
            client.send("GET /same HTTP/1.1\nHost: h\n\n");
            assertEquals(304, client.responseToHead().status());
            client.send("HEAD /own HTTP/1.1\nHost: h\n\n");
            assertEquals(200, client.responseToHead().status());
        }
    }

    /// Such as by a filter behind the servlet.
    @Test
    void replacedResponseIsSentInPlaceOfTheFile() throws Exception {
        try (RawClient client = site.client()) {
            String rest = " HTTP/1.1\nHost: h\n\n";
            RawResponse small = client.send("GET /short" + rest).response();
            assertEquals("200 replaced", small.status() + " " + small.text());
            RawResponse large = client.send("GET /replaced?text=other" + rest).response();
            assertEquals("other".repeat(4_000), large.text());
            byte[] body = bytes(client.send("GET /own" + rest).response());
            assertArrayEquals(Arrays.copyOfRange(CONTENT, 1000, SIZE), body);
        }
    }

    @Test
    void missingFileClosesConnection() throws Exception {
        try (RawClient client = site.client()) {
            client.send("GET /gone HTTP/1.1\nHost: h\n\n");
            assertThrows(IOException.class, client::response);
        }
    }
}
