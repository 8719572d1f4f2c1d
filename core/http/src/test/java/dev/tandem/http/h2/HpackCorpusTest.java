package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The header blocks of other encoders, from http2jp/hpack-test-case: a few of them, or with
/// `-Dtandem.hpack.corpus=DIRECTORY` all of a checkout. Their lists are encoded here, too.
class HpackCorpusTest {
    private static final Pattern TOKEN =
            Pattern.compile("\"((?:[^\"\\\\]++|\\\\.)*+)\"|[\\[\\]{}]|[0-9]+|null");

    /// @param wire the encoded block, or empty
    /// @param tableSize the setting before it, or -1
    private record Case(String wire, int tableSize, List<String> headers) {}

    static List<Path> stories() throws IOException, URISyntaxException {
        String corpus = System.getProperty("tandem.hpack.corpus");
        URI bundled =
                Objects.requireNonNull(HpackCorpusTest.class.getResource("hpack-test-case"))
                        .toURI();
        Path folder = corpus == null ? Path.of(bundled) : Path.of(corpus);
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("stories")
    void storyIsDecoded(Path story) throws IOException {
        var decoder = new HpackDecoder(4_096);
        List<Case> cases = cases(Files.readString(story));
        assertTrue(cases.size() > 1, story.toString());
        for (Case one : cases) {
            if (one.tableSize() >= 0) {
                decoder.tableSizeMax(one.tableSize());
            }
            if (!one.wire().isEmpty()) {
                byte[] block = Hex.bytes(one.wire());
                var list = new HeaderList();
                list.begin(Integer.MAX_VALUE, 10_000);
                assertNull(decoder.decode(block, 0, block.length, list));
                assertEquals(one.headers(), Lists.headers(list));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("stories")
    void listsOfAStoryAreEncoded(Path story) throws IOException {
        var encoder = new HpackEncoder(4_096);
        var writer = new HeadWriter();
        HpackPeers.Decoder decoder = HpackPeers.ours();
        HpackPeers.Decoder other = HpackPeers.netty();
        for (Case one : cases(Files.readString(story))) {
            writer.start(encoder);
            var expected = new ArrayList<String>();
            for (String header : one.headers()) {
                int colon = header.indexOf(": ", 1);
                String name = header.substring(0, colon);
                String value = header.substring(colon + 2);
                writer.header(name, value);
                if (HeadWriter.isSent(FieldName.of(name), value)) {
                    expected.add(name + ": " + HeadWriter.sentValue(value));
                }
            }
            byte[] block = Arrays.copyOf(writer.bytes(), writer.length());
            assertEquals(expected, decoder.decode(block));
            assertEquals(
                    HpackPeers.pseudoFirst(expected), HpackPeers.pseudoFirst(other.decode(block)));
        }
    }

    /// Reads what the files have: an object with an array of cases.
    private static List<Case> cases(String json) {
        var cases = new ArrayList<Case>();
        Matcher token = TOKEN.matcher(json);
        String wire = "";
        int tableSize = -1;
        while (token.find()) {
            switch (token.group()) {
                case "\"wire\"" -> wire = string(token);
                case "\"header_table_size\"" -> {
                    token.find();
                    boolean isNull = token.group().equals("null");
                    tableSize = isNull ? -1 : Integer.parseInt(token.group());
                }
                case "\"headers\"" -> cases.add(new Case("", -1, headers(token)));
                case "}" -> {
                    // Members of a case may have any order; its end is the first after headers.
                    if (!cases.isEmpty() && isOpen(cases.getLast())) {
                        List<String> headers = cases.removeLast().headers();
                        cases.add(new Case(wire, tableSize, List.copyOf(headers)));
                        wire = "";
                        tableSize = -1;
                    }
                }
                default -> {}
            }
        }
        return cases;
    }

    private static boolean isOpen(Case last) {
        return last.headers() instanceof ArrayList;
    }

    private static List<String> headers(Matcher token) {
        var headers = new ArrayList<String>();
        token.find(); // [
        while (token.find() && !token.group().equals("]")) {
            if (token.group().startsWith("\"")) {
                String name = unescaped(token.group(1));
                headers.add(name + ": " + string(token));
            }
        }
        return headers;
    }

    private static String string(Matcher token) {
        token.find();
        return unescaped(token.group(1));
    }

    private static String unescaped(String text) {
        Matcher unicode = Pattern.compile("\\\\u([0-9a-fA-F]{4})").matcher(text);
        String plain =
                unicode.replaceAll(
                        match ->
                                Matcher.quoteReplacement(
                                        "" + (char) Integer.parseInt(match.group(1), 16)));
        return plain.replace("\\/", "/").translateEscapes();
    }
}
