package dev.tandem.cgi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.FieldSyntax;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 3875, section 6: the head of a program's response.
class ScriptHeadReaderTest {
    private static final int HEAD_MAX = 512;
    private static final long SEED = 3875;

    private record Good(String text, ScriptHead head, String body) {}

    private static Good good(
            String text, int status, @Nullable String location, long length, String... headers) {
        String body = text.substring(text.indexOf('|') + 1);
        String head = text.substring(0, text.indexOf('|'));
        return new Good(
                head + body, new ScriptHead(status, location, length, List.of(headers)), body);
    }

    static List<Good> goods() {
        return List.of(
                good("Content-Type: a/b\n\n|x\n\ny", 0, null, -1, "Content-Type", "a/b"),
                good("Content-Type:a/b\r\n\r\n|\r\n", 0, null, -1, "Content-Type", "a/b"),
                good("content-type: \t a/b \t\n\r\n|", 0, null, -1, "content-type", "a/b"),
                good("Status: 404\n\n|", 404, null, -1),
                good("Status: 200 All is well: yes\n\n|", 200, null, -1),
                good("Status: 599\nContent-Length: 0\n\n|x", 599, null, 0),
                good(
                        "Status: 200\nContent-Length: 999999999999999999\n\n|",
                        200,
                        null,
                        999_999_999_999_999_999L),
                good("Location: /a?b\n\n|", 0, "/a?b", -1, "Location", "/a?b"),
                good(
                        "Location: http://a/\nX-A: \u00e9\nX-A:\n\n|",
                        0,
                        "http://a/",
                        -1,
                        "Location",
                        "http://a/",
                        "X-A",
                        "\u00e9",
                        "X-A",
                        ""),
                good("Status: 200\nX-CGI-A: b\nConnection: x\nDate: y\nTE: z\n\n|", 200, null, -1));
    }

    @ParameterizedTest
    @MethodSource("goods")
    void validHeadIsReadHoweverItIsSplit(Good good) {
        byte[] bytes = good.text.getBytes(StandardCharsets.ISO_8859_1);
        int bodyAt = bytes.length - good.body.length();
        for (int split = 0; split <= bytes.length; split++) {
            var reader = new ScriptHeadReader(HEAD_MAX);
            int at = reader.read(bytes, 0, split);
            if (!reader.isComplete()) {
                assertEquals(split, at);
                at = reader.read(bytes, at, bytes.length);
            }
            assertNull(reader.error());
            assertTrue(reader.isComplete());
            assertEquals(bodyAt, at, "split at " + split);
            assertEquals(good.head, reader.head());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\n",
                "\r\n",
                "X-A: b\n\n",
                "nonsense\n",
                ": b\n",
                "Content-Type : a/b\n",
                "Content-Type: a/b\n folded\n",
                "Content-Type: a/b\rSet-Cookie: c\n",
                "Content-Type: a/b\r\r\n",
                "Content-Type: a\u0000b\n",
                "Content-Type: a\u007fb\n",
                "Content-Type: \u001ca\n",
                "Content-Type: a\nContent-Type: b\n",
                "Status: 200\nSTATUS: 200\n",
                "Location: a\nLocation: a\n",
                "Location:\n",
                "Content-Length: 1\nContent-Length: 1\n",
                "Content-Length: -1\n",
                "Content-Length: +1\n",
                "Content-Length: 1,1\n",
                "Content-Length:\n",
                "Content-Length: 1000000000000000000\n",
                "Status: 100\n",
                "Status: 199\n",
                "Status: 600\n",
                "Status: 20\n",
                "Status: 2000\n",
                "Status: OK\n",
                "Status:\n",
                "Transfer-Encoding: chunked\n",
                "HTTP/1.1 200 OK\n",
                "{\"json\": true}\n"
            })
    void malformedHeadIsRejectedHoweverItIsSplit(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        for (int split = 0; split <= bytes.length; split++) {
            var reader = new ScriptHeadReader(HEAD_MAX);
            int at = reader.read(bytes, 0, split);
            reader.read(bytes, at, bytes.length);
            assertNotNull(reader.error(), "split at " + split);
            assertFalse(reader.isComplete());
        }
    }

    @Test
    void headIsReadUpToTheLimitOnly() {
        String most = "Status: 200\nX: " + "a".repeat(HEAD_MAX - 17) + "\n\n";
        assertEquals(HEAD_MAX, most.length());
        assertTrue(read(most).isComplete());
        assertEquals("its head is longer than 512 bytes", read("Y" + most).error());
    }

    @Test
    void tooManyHeadersAreRejected() {
        String headers = "X:\n".repeat(199);
        assertTrue(read("Status: 200\n" + headers + "\n", 8192).isComplete());
        assertNotNull(read("Status: 200\nX:\n" + headers + "\n", 8192).error());
    }

    @Test
    void incompleteHeadIsReported() {
        assertEquals("it printed nothing", read("").incompleteReason());
        assertEquals("its output ended within the head", read("Status: 2").incompleteReason());
    }

    @Test
    void onlyALoneLocationPathIsALocalRedirect() {
        assertEquals("/a", read("Location: /a\n\n").head().localRedirect());
        assertEquals("/a", read("Content-Type: a/b\nLocation: /a\n\n").head().localRedirect());
        assertNull(read("Location: //a\n\n").head().localRedirect());
        assertNull(read("Location: a\n\n").head().localRedirect());
        assertNull(read("Location: /a\nStatus: 301\n\n").head().localRedirect());
        assertNull(read("Location: /a\nSet-Cookie: b\n\n").head().localRedirect());
    }

    /// For any input: nothing is thrown, bounds hold, everything accepted is valid for a client,
    /// and one byte at a time gives the same result.
    @Test
    void randomBytesAreAcceptedOrRejected() {
        var random = new Random(SEED);
        int doneCount = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = mutated(random);
            var whole = new ScriptHeadReader(HEAD_MAX);
            int at = whole.read(bytes, 0, bytes.length);
            var bytewise = new ScriptHeadReader(HEAD_MAX);
            for (int i = 0; i < at; i++) {
                bytewise.read(bytes, i, i + 1);
            }
            assertEquals(whole.error(), bytewise.error(), "round " + round);
            assertEquals(whole.isComplete(), bytewise.isComplete(), "round " + round);
            assertTrue(at <= HEAD_MAX + 1);
            if (whole.isComplete()) {
                doneCount++;
                assertEquals(whole.head(), bytewise.head());
                assertFit(whole.head(), round);
            }
        }
        assertTrue(doneCount > 1_000, "only " + doneCount + " heads were good: it looks at little");
    }

    @Test
    void invalidHeadWouldBeDetected() {
        var unfit = new ScriptHead(200, null, -1, List.of("X-A", "b\r\nSet-Cookie: c"));
        assertThrows(AssertionError.class, () -> assertFit(unfit, 0));
    }

    private static void assertFit(ScriptHead head, int round) {
        for (int i = 0; i < head.headers().size(); i += 2) {
            assertTrue(FieldSyntax.isToken(head.headers().get(i)), "round " + round);
            assertTrue(FieldSyntax.isValue(head.headers().get(i + 1)), "round " + round);
        }
        assertTrue(head.responseStatus() >= 200 && head.responseStatus() <= 599);
        assertTrue(head.length() >= -1);
    }

    private static byte[] mutated(Random random) {
        List<Good> all = goods();
        byte[] bytes =
                all.get(random.nextInt(all.size())).text.getBytes(StandardCharsets.ISO_8859_1);
        String signs = "\r\n: \t\0A0/\u00ff";
        for (int i = random.nextInt(4); i > 0; i--) {
            bytes[random.nextInt(bytes.length)] =
                    (byte) signs.charAt(random.nextInt(signs.length()));
        }
        return bytes;
    }

    private static ScriptHeadReader read(String text) {
        return read(text, HEAD_MAX);
    }

    private static ScriptHeadReader read(String text, int headMax) {
        var reader = new ScriptHeadReader(headMax);
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        reader.read(bytes, 0, bytes.length);
        return reader;
    }
}
