package dev.tandem.cgi.posix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.cgi.CgiOptions;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Output of programs, and the responses that clients get (RFC 3875, section 6).
class ResponsesTest {
    private static final String TYPE = "printf 'Content-Type: text/plain\\n\\n'\n";

    @ParameterizedTest
    @CsvSource({
        "JDK, /bin/sh, 'echo Content-Type: text/plain; echo; echo Hello'",
        "POSIX, /bin/sh, 'echo Content-Type: text/plain; echo; echo Hello'",
        "JDK, /usr/bin/perl, 'print \"Content-Type: text/plain\\n\\nHello\\n\";'",
        "POSIX, /usr/bin/perl, 'print \"Content-Type: text/plain\\n\\nHello\\n\";'",
        "JDK, /usr/bin/python3, 'print(\"Content-Type: text/plain\\n\\nHello\")'",
        "POSIX, /usr/bin/python3, 'print(\"Content-Type: text/plain\\n\\nHello\")'"
    })
    void programInAnyLanguageResponds(SpawnerKind kind, String language, String text)
            throws IOException {
        assumeTrue(Files.isExecutable(Path.of(language)), "no " + language + " here");
        try (var site = new Programs(kind).with("a", "#!" + language + "\n" + text + "\n")) {
            var response = site.get("a");
            assertEquals(200, response.status());
            assertEquals("text/plain", response.field("Content-Type"));
            assertEquals("Hello\n", response.text());
        }
    }

    @ParameterizedTest
    @EnumSource
    void statusAndHeadersAreForwarded(SpawnerKind kind) throws IOException {
        try (var site =
                new Programs(kind)
                        .withShell(
                                "a",
                                """
                                printf 'Status: 404 Nowhere\\r\\nSet-Cookie: a=1\\r\\n'
                                printf 'Set-Cookie: b=2\\r\\nX-CGI-Own: x\\r\\nConnection: x\\r\\n\\r\\n'
                                """)) {
            var response = site.get("a");
            assertEquals(404, response.status());
            assertEquals("Not Found", response.reason());
            assertTrue(response.fieldLines().contains("Set-Cookie: a=1"));
            assertTrue(response.fieldLines().contains("Set-Cookie: b=2"));
            assertNull(response.field("X-CGI-Own"));
            assertNull(response.field("Connection"));
            assertEquals("", response.text());
        }
    }

    @ParameterizedTest
    @EnumSource
    void responseToStatusWithoutContentHasNone(SpawnerKind kind) throws IOException {
        try (var site = new Programs(kind).withShell("a", "printf 'Status: 204\\n\\nmore'\n")) {
            var response = site.get("a");
            assertEquals(204, response.status());
            assertEquals("", response.text());
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientRedirectWithoutStatusIs302(SpawnerKind kind) throws IOException {
        try (var site =
                new Programs(kind)
                        .withShell("a", "printf 'Location: https://example.org/x\\n\\n'\n")
                        .withShell("b", "printf 'Location: /x\\nSet-Cookie: a=1\\n\\n'\n")
                        .withShell(
                                "c",
                                "printf 'Status: 307 x\\nLocation: /x\\n"
                                        + "Content-Type: a/b\\n\\nthere'\n")) {
            var response = site.get("a");
            assertEquals(302, response.status());
            assertEquals("https://example.org/x", response.field("Location"));
            var withCookie = site.get("b");
            assertEquals(302, withCookie.status());
            assertEquals("a=1", withCookie.field("Set-Cookie"));
            var withDocument = site.get("c");
            assertEquals(307, withDocument.status());
            assertEquals("there", withDocument.text());
        }
    }

    @ParameterizedTest
    @EnumSource
    void localRedirectIsHandledByTheServer(SpawnerKind kind) throws IOException {
        try (var site =
                new Programs(kind, CgiOptions.DEFAULT.withProcessesMax(1))
                        .withFile("there.txt", "a file")
                        .withShell("a", "printf 'Location: /there.txt\\n\\n'\n")
                        .withShell("b", "cat >&2; printf 'Location: /cgi-bin/c/d?e\\n\\n'\n")
                        .withShell(
                                "c",
                                TYPE
                                        + "echo $REQUEST_METHOD $PATH_INFO $QUERY_STRING"
                                        + " ${CONTENT_LENGTH-none}\n")
                        .withShell("loop", "printf 'Location: /cgi-bin/loop\\n\\n'\n")) {
            assertEquals("a file", site.get("a").text());
            var posted =
                    site.client()
                            .send("POST /cgi-bin/b HTTP/1.1\nHost: a\nContent-Length: 3\n\nxyz")
                            .response();
            assertEquals("GET /d e none\n", posted.text());
            assertEquals(500, site.get("loop").status());
        }
    }

    @ParameterizedTest
    @EnumSource
    void responseToHeadHasNoContent(SpawnerKind kind) throws IOException {
        try (var site =
                new Programs(kind)
                        .withShell("a", TYPE + "echo $REQUEST_METHOD; echo x > $DIR/ran\n")
                        .withShell("b", "printf 'Status: 200\\nContent-Length: 5\\n\\nabcde'\n")) {
            var client = site.client().send("HEAD /cgi-bin/a HTTP/1.1\nHost: a\n\n");
            assertEquals("text/plain", client.responseToHead().field("Content-Type"));
            site.awaitFile("ran");
            client.send("HEAD /cgi-bin/b HTTP/1.1\nHost: a\n\n");
            assertEquals("5", client.responseToHead().field("Content-Length"));
            client.send("GET /cgi-bin/b HTTP/1.1\nHost: a\n\n");
            assertEquals("abcde", client.response().text());
        }
    }

    /// If the program's output was available before its end, the response has begun and is aborted.
    @ParameterizedTest
    @EnumSource
    void responseShorterThanItsLengthIsNeverComplete(SpawnerKind kind) throws IOException {
        String text = "printf 'Status: 200\\nContent-Length: 9\\n\\nabc'";
        try (var site = new Programs(kind).withShell("a", text + "\n")) {
            try {
                assertEquals(502, site.get("a").status());
            } catch (EOFException | SocketException e) {
                assertTrue(site.logged("announced").size() <= 1, "logged once");
            }
            site.awaitLogged("announced 9 bytes and wrote 3");
            site.awaitIdle();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "true, it printed nothing",
        "echo nonsense, line 1 of its head is not a header",
        "printf 'Content-Type: a/b\\n', its output ended within the head",
        "printf 'X-A: b\\n\\n', 'no Content-Type, Location or Status'",
        "printf 'HTTP/1.1 200 OK\\n\\n', let it print a Status header",
        "printf 'Status: 200\\nX-A: b\\rSet-Cookie: c\\n\\n', has a control character",
        "printf 'Status: 200\\nTransfer-Encoding: chunked\\n\\n', Transfer-Encoding",
        "printf 'Location: /../../etc/passwd\\n\\n', its Location is not a path",
        "printf 'Location: /a%%2Fb\\n\\n', its Location is not a path",
        "'while :; do echo X-A: aaaaaaaaaaaaaaaaaaaaaaaa; done', longer than 1024 bytes"
    })
    void malformedResponseIs502(String text, String why) throws IOException {
        for (SpawnerKind kind : SpawnerKind.values()) {
            try (var site =
                    new Programs(kind, CgiOptions.DEFAULT.withHeadMax(1024))
                            .withShell("a", text + "\n")) {
                var response = site.get("a");
                assertEquals(502, response.status(), text);
                assertNull(response.field("Set-Cookie"));
                site.awaitLogged(why);
                assertTrue(site.logged(why).getFirst().startsWith("exchange "));
                site.awaitIdle();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void contentBeyondTheLengthIsDropped(SpawnerKind kind) throws IOException {
        try (var site =
                new Programs(kind)
                        .withShell("a", "printf 'Status: 200\\nContent-Length: 3\\n\\nabcdef'\n")) {
            var client = site.request("a");
            assertEquals("abc", client.response().text());
            client.send("GET /cgi-bin/a HTTP/1.1\nHost: a\n\n");
            assertEquals("abc", client.response().text());
            site.awaitLogged("wrote more");
        }
    }

    @ParameterizedTest
    @EnumSource
    void missingContentAbortsTheResponse(SpawnerKind kind) throws IOException {
        try (var site =
                new Programs(kind)
                        .withShell(
                                "a",
                                "printf 'Status: 200\\nContent-Length: 99999\\n\\n'\n"
                                        + "head -c 50000 /dev/zero\n")) {
            String all = new String(site.request("a").restOrCut(), StandardCharsets.ISO_8859_1);
            assertTrue(all.startsWith("HTTP/1.1 200"));
            assertTrue(all.length() < 99_999);
            site.awaitLogged("announced 99999 bytes and wrote 50000");
        }
    }

    @ParameterizedTest
    @EnumSource
    void longDocumentIsStreamed(SpawnerKind kind) throws IOException {
        try (var site = new Programs(kind).withShell("a", TYPE + "head -c 3000000 /dev/zero\n")) {
            var response = site.get("a");
            assertEquals("chunked", response.field("Transfer-Encoding"));
            assertEquals(3_000_000, response.body().length);
        }
    }

    @ParameterizedTest
    @EnumSource
    void beginningIsSentBeforeTheEndIsWritten(SpawnerKind kind) throws IOException {
        try (var site =
                new Programs(kind)
                        .withShell(
                                "a",
                                TYPE
                                        + "echo first\n"
                                        + "while [ ! -e $DIR/go ]; do sleep 0.01; done\n"
                                        + "echo last\n")) {
            var client = site.request("a");
            var seen = new StringBuilder();
            while (seen.indexOf("first") < 0) {
                seen.append(new String(client.bytes(512), StandardCharsets.US_ASCII));
            }
            assertFalse(Files.exists(site.folder().resolve("go")));
            Files.createFile(site.folder().resolve("go"));
            while (seen.indexOf("last\n\r\n0\r\n\r\n") < 0) {
                byte[] more = client.bytes(512);
                assertTrue(more.length > 0, seen.toString());
                seen.append(new String(more, StandardCharsets.US_ASCII));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void bodyIsForwardedWhileTheResponseIsRead(SpawnerKind kind)
            throws IOException, InterruptedException {
        byte[] body = new byte[2_000_000];
        new Random(3875).nextBytes(body);
        try (var site = new Programs(kind).withShell("cat", TYPE + "exec cat\n")) {
            var client = site.client();
            Thread sender =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            client.send(
                                                            "POST /cgi-bin/cat HTTP/1.1\nHost: a\n"
                                                                    + "Content-Length: 2000000\n\n")
                                                    .send(body);
                                        } catch (IOException e) {
                                            throw new UncheckedIOException(e);
                                        }
                                    });
            assertArrayEquals(body, client.response().body());
            sender.join();
        }
    }

    @ParameterizedTest
    @EnumSource
    void chunkedBodyGetsALength(SpawnerKind kind) throws IOException {
        try (var site = new Programs(kind).withShell("a", TYPE + "echo $CONTENT_LENGTH; cat\n")) {
            var small =
                    site.client()
                            .send(
                                    "POST /cgi-bin/a HTTP/1.1\nHost: a\n"
                                            + "Transfer-Encoding: chunked\n\n"
                                            + "3\nabc\n4\ndefg\n0\n\n")
                            .response();
            assertEquals("7\nabcdefg", small.text());
            String chunk = "10000\n" + "x".repeat(65_536) + "\n";
            var large =
                    site.client()
                            .send(
                                    "POST /cgi-bin/a HTTP/1.1\nHost: a\n"
                                            + "Transfer-Encoding: chunked\n\n"
                                            + chunk
                                            + chunk
                                            + "0\n\n")
                            .response();
            assertEquals("131072\n" + "x".repeat(131_072), large.text());
        }
    }

    @ParameterizedTest
    @EnumSource
    void unreadBodyIsIgnored(SpawnerKind kind) throws IOException {
        try (var site = new Programs(kind).withShell("a", "exec <&-\n" + TYPE + "echo done\n")) {
            var client =
                    site.client()
                            .send(
                                    "POST /cgi-bin/a HTTP/1.1\nHost: a\n"
                                            + "Content-Length: 100000\n\n")
                            .send(new byte[100_000]);
            assertEquals("done\n", client.response().text());
        }
    }
}
