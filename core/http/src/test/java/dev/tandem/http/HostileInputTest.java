package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Passes hostile input to every parser of this module. `-Dtandem.fuzz.seed=SEED` sets another
/// seed, which a failure names, and `-Dtandem.fuzz.rounds=N` the number of rounds.
class HostileInputTest {
    private static final long SEED = Long.getLong("tandem.fuzz.seed", 1);
    private static final String PART = "\r\n--b\r\nContent-Disposition: form-data; name=a\r\n\r\n";

    private static final int ROUNDS = Integer.getInteger("tandem.fuzz.rounds", 2_000);

    @Test
    void targetsAreRejectedOrClean() {
        fuzz(
                ROUNDS,
                gibberish -> {
                    String raw =
                            gibberish.oneOf("/", "/", "/", "http://h", "*", "[::1]:80", "h@x:1")
                                    + gibberish.of(
                                            10, "/", "/", "/", "a", "bc", ".", ".", "..", "%2e",
                                            "/%2E", "/%2e.", "%61", "%c3%bc", "%25", "?", "=", "&",
                                            ";", "%2f", "%c0%ae", "%e");
                    String method = gibberish.below(8) == 0 ? "CONNECT" : "GET";
                    if (parse(method, raw) instanceof RequestTarget target) {
                        assertEquals(raw, target.raw());
                        assertClean(target.path());
                    }
                });
    }

    @Test
    void encodedPathsAreParsedToTheSamePath() {
        fuzz(
                ROUNDS,
                gibberish -> {
                    String raw =
                            "/"
                                    + gibberish.of(
                                            8, "/", "a", ".", "..", "%2e", "%25", "%3f", "%c3%bc");
                    if (parse("GET", raw) instanceof RequestTarget target) {
                        String again = encode(target.path());
                        assertEquals(
                                target.path(),
                                assertInstanceOf(RequestTarget.class, parse("GET", again)).path());
                    }
                });
    }

    @Test
    void queriesAreDecodedOrRejected() {
        fuzz(
                ROUNDS,
                gibberish -> {
                    String raw =
                            gibberish.of(20, "a", "=", "&", "%", "%4", "%41", "+", "%ff", "\u00fc");
                    var query = Query.parse(raw);
                    assertTrue(query.size() <= 20, raw);
                });
    }

    @Test
    void cookiesAreTokensWithoutControls() {
        fuzz(
                ROUNDS,
                gibberish -> {
                    String field =
                            gibberish.of(15, "a", "b", "=", "=", ";", "; ", "\"", " ", ",", "%");
                    var headers = Headers.of(new String[] {"Cookie"}, new String[] {field}, 1);
                    var cookies = Cookies.parse(headers);
                    for (String name : cookies.names()) {
                        assertTrue(FieldSyntax.isToken(name), name);
                        assertTrue(cookies.all(name).stream().allMatch(FieldSyntax::isValue), name);
                    }
                });
    }

    @Test
    void rangesAreDisjointAndWithinRepresentation() {
        fuzz(
                ROUNDS,
                gibberish -> {
                    String field =
                            "bytes="
                                    + gibberish.of(
                                            30,
                                            "0",
                                            "1",
                                            "9",
                                            "55",
                                            "300",
                                            "-",
                                            "-",
                                            ",",
                                            ",",
                                            " ",
                                            "9223372036854775807");
                    long size = gibberish.below(1_000);
                    if (ByteRanges.parse(field, size) instanceof ByteRanges.Parts parts) {
                        assertApart(parts, size);
                    }
                });
    }

    @Test
    void listAndDateParsersNeverThrow() {
        fuzz(
                ROUNDS,
                gibberish -> {
                    String field =
                            gibberish.of(
                                    15, "gzip", "*", "q=", "0.", "1", ";", ",", "\"", "\\", "W/",
                                    "text/", "html", "Sun, ", "06", " Nov ", "1994", ":", "GMT");
                    int weight = Accept.codingWeight(field, "gzip");
                    assertTrue(0 <= weight && weight <= 1_000, () -> "weight " + weight);
                    Accept.bestMediaType(field, List.of("text/html"));
                    HttpDate.parse(field);
                    EntityTags.has(field, "\"gzip\"", true);
                    MediaType.parse(field);
                });
    }

    @Test
    void formResultsDoNotDependOnInputSplits(@TempDir Path directory) throws IOException {
        fuzz(
                ROUNDS / 10,
                gibberish -> {
                    String body =
                            gibberish.of(
                                    30,
                                    "--b",
                                    "\r\n--b",
                                    PART,
                                    PART,
                                    PART,
                                    "\r\n--b\r\n",
                                    "\r\n--b--",
                                    "\r",
                                    "\n",
                                    "\r\n",
                                    "\r\n\r\n",
                                    "Content-Disposition: form-data; name=a",
                                    "; filename=\"x",
                                    "\"",
                                    "-",
                                    "xyz");
                    var bytes =
                            ("--b\r\nContent-Disposition: form-data; name=a\r\n\r\n" + body)
                                    .getBytes(StandardCharsets.ISO_8859_1);
                    int first = 1 + gibberish.below(20);
                    int others = 1 + gibberish.below(40);
                    String whole = outcome(new PiecewiseStream(bytes, 1 << 20, 1), directory);
                    String pieces = outcome(new PiecewiseStream(bytes, first, others), directory);
                    assertEquals(whole, pieces, body);
                });
        try (var left = Files.list(directory)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void formContentIsPreserved(@TempDir Path directory) {
        fuzz(
                ROUNDS / 10,
                gibberish -> {
                    String content =
                            gibberish.of(30, "\r\n--", "\r\n-", "\r", "\n", "--", "c", "xyz");
                    String form =
                            "--bcd\r\nContent-Disposition: form-data; name=a\r\n\r\n"
                                    + content.replace("\r\n--bcd", "")
                                    + "\r\n--bcd--";
                    var expected =
                            content.replace("\r\n--bcd", "").getBytes(StandardCharsets.ISO_8859_1);
                    var in =
                            new PiecewiseStream(
                                    form.getBytes(StandardCharsets.ISO_8859_1),
                                    1 + gibberish.below(20),
                                    1 + gibberish.below(40));
                    assertArrayEquals(expected, content(in, directory));
                });
    }

    private static void fuzz(int rounds, Consumer<HostileInput> round) {
        for (int i = 0; i < rounds; i++) {
            long seed = SEED + i;
            try {
                round.accept(new HostileInput(seed));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("with -Dtandem.fuzz.seed=" + seed + ": " + e, e);
            }
        }
    }

    private static void assertClean(String path) {
        assertTrue(path.startsWith("/"), path);
        assertFalse(path.contains("//"), path);
        assertFalse((path + "/").contains("/../"), path);
        assertFalse((path + "/").contains("/./"), path);
        assertFalse(path.contains("\\"), path);
        assertTrue(path.chars().noneMatch(Character::isISOControl), path);
    }

    private static void assertApart(ByteRanges.Parts parts, long size) {
        var ranges = parts.ranges();
        assertTrue(ranges.size() <= ByteRanges.COUNT_MAX && !ranges.isEmpty(), parts::toString);
        for (int i = 0; i < ranges.size(); i++) {
            assertTrue(ranges.get(i).last() < size, parts::toString);
            for (int j = 0; j < i; j++) {
                assertFalse(ranges.get(i).isWithinGap(ranges.get(j), 0), parts::toString);
            }
        }
    }

    private static ParsedTarget parse(String method, String raw) {
        var bytes = raw.getBytes(StandardCharsets.ISO_8859_1);
        return RequestTarget.parse(method, bytes, 0, bytes.length);
    }

    /// Percent-encodes every byte except letters and slashes.
    private static String encode(String path) {
        var encoded = new StringBuilder();
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            boolean isPlain = b == '/' || b >= 'a' && b <= 'z';
            encoded.append(isPlain ? String.valueOf((char) b) : "%%%02x".formatted(b & 0xff));
        }
        return encoded.toString();
    }

    /// Returns the content of a form, or the status with which it is rejected.
    private static String outcome(InputStream body, Path directory) {
        var limits = FormLimits.DEFAULT.withPartMemoryMaxBytes(4).withPartHeadMaxBytes(128);
        var text = new StringBuilder();
        try (var form = Form.read("multipart/form-data; boundary=b", body, limits, directory)) {
            for (Part part : form.parts()) {
                text.append(part.headers()).append(part.fileName()).append(part.text());
            }
        } catch (HttpException e) {
            assertTrue(e.status() == 400 || e.status() == 413, e::toString);
            return e.status() + " " + e.getMessage();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return text.toString();
    }

    private static byte[] content(InputStream body, Path directory) {
        var limits = FormLimits.DEFAULT.withPartMemoryMaxBytes(16);
        try (var form = Form.read("multipart/form-data; boundary=bcd", body, limits, directory)) {
            return form.parts().getFirst().bytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
