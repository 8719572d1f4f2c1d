package dev.tandem.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.reflect.TypeToken;
import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.BodyMapper;
import dev.tandem.http.HttpException;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Bodies as objects, over sockets, by each library.
class MapperTest {
    /// What is ordered.
    public record Order(String name, List<Item> items) {}

    /// A part of it.
    public record Item(String article, int count) {}

    /// Numbers without bounds of their own.
    public record Numbers(BigDecimal price, BigInteger stock) {}

    private static final int BODY_MAX = 200_000;

    private static final String ORDER =
            "{\"name\":\"Änne\",\"items\":[{\"article\":\"nut\",\"count\":3}]}";

    static Stream<BodyMapper> mappers() {
        return Stream.of(new JacksonMapper(), new GsonMapper());
    }

    private static RawResponse post(BodyMapper mapper, String type, String body)
            throws IOException {
        return post(mapper, type, body.getBytes(StandardCharsets.UTF_8));
    }

    private static RawResponse post(BodyMapper mapper, String type, byte[] bytes)
            throws IOException {
        Server server =
                Tandem.listen("127.0.0.1", 0)
                        .options(Options.DEFAULT.withLimits(l -> l.withBodyMax(BODY_MAX)))
                        .mapper(mapper)
                        .post("/orders", x -> x.json(x.body(Order.class)))
                        .start();
        String head =
                "POST /orders HTTP/1.1\nHost: a\nContent-Type: %s\nContent-Length: %d\n\n"
                        .formatted(type, bytes.length);
        try (server;
                var client = RawClient.connect(server.address())) {
            return client.send(head).send(bytes).response();
        }
    }

    @ParameterizedTest
    @MethodSource("mappers")
    void objectIsReadAndWritten(BodyMapper mapper) throws IOException {
        RawResponse response = post(mapper, "application/json; charset=utf-8", ORDER);
        assertEquals(200, response.status(), response.text());
        assertEquals("application/json", response.field("Content-Type"));
        assertEquals(ORDER, new String(response.body(), StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @MethodSource("mappers")
    void bodyThatDoesNotMapIs400WithPathAndReason(BodyMapper mapper) throws IOException {
        String wrong = "{\"name\":\"a\",\"items\":[{\"article\":\"nut\",\"count\":\"many\"}]}";
        RawResponse response = post(mapper, "application/json", wrong);
        assertEquals(400, response.status());
        assertTrue(response.text().contains("items[0].count"), response.text());
        assertFalse(response.text().contains("Exception"), response.text());
        assertFalse(response.text().contains("\tat "), response.text());
    }

    @ParameterizedTest
    @MethodSource("mappers")
    void malformedBodyIs400(BodyMapper mapper) throws IOException {
        for (String wrong :
                List.of("{", "{\"name\":", "null", ORDER + "x", "[]", "", "{'name':1}")) {
            assertEquals(400, post(mapper, "application/json", wrong).status(), wrong);
        }
    }

    @ParameterizedTest
    @MethodSource("mappers")
    void bodyOfAnotherTypeIs415(BodyMapper mapper) throws IOException {
        assertEquals(415, post(mapper, "text/plain", ORDER).status());
        assertEquals(200, post(mapper, "application/vnd.order+json", ORDER).status());
    }

    @ParameterizedTest
    @MethodSource("mappers")
    void bodyMustBeUtf8(BodyMapper mapper) throws IOException {
        for (String charset : List.of("iso-8859-1", "utf-16", "no-such-charset")) {
            String type = "application/json; charset=" + charset;
            assertEquals(415, post(mapper, type, ORDER).status(), charset);
        }
        assertEquals(200, post(mapper, "application/json; charset=\"UTF8\"", ORDER).status());
        byte[] latin = ORDER.getBytes(StandardCharsets.ISO_8859_1);
        RawResponse response = post(mapper, "application/json", latin);
        assertEquals(400, response.status());
        assertTrue(response.text().contains("UTF-8"), response.text());
    }

    /// RFC 8259, section 8.1. An overlong form means a character that a filter before the server
    /// has not seen.
    @ParameterizedTest
    @MethodSource("mappers")
    void otherCharsetsAreNotGuessed(BodyMapper mapper) throws IOException {
        for (Charset charset :
                List.of(
                        StandardCharsets.UTF_16,
                        StandardCharsets.UTF_16LE,
                        StandardCharsets.UTF_32BE)) {
            byte[] body = ORDER.getBytes(charset);
            assertEquals(400, post(mapper, "application/json", body).status(), charset.name());
        }
        for (String overlong :
                List.of("\u00c0\u00af", "\u00e0\u0080\u00af", "\u00ed\u00a0\u0080")) {
            byte[] body =
                    ("{\"name\":\"" + overlong + "\",\"items\":[]}")
                            .getBytes(StandardCharsets.ISO_8859_1);
            RawResponse response = post(mapper, "application/json", body);
            assertEquals(400, response.status(), response.text());
            assertTrue(response.text().contains("UTF-8"), response.text());
        }
    }

    /// Nesting deeper than a thread's stack must not end the thread.
    @ParameterizedTest
    @MethodSource("mappers")
    void deeplyNestedBodyIs400(BodyMapper mapper) throws IOException {
        for (String begin : List.of("[", "{\"unknown\":", "[{\"items\":")) {
            String nested = "{\"name\":\"a\",\"items\":[{\"unknown\":" + begin.repeat(10_000);
            RawResponse response = post(mapper, "application/json", nested);
            assertEquals(400, response.status());
            assertTrue(response.body().length < 600, response.text());
        }
    }

    /// The limits of the libraries, too.
    @ParameterizedTest
    @MethodSource("mappers")
    void longNumbersAre400(BodyMapper mapper) throws IOException {
        for (String number : List.of("1".repeat(100_000), "\"" + "1".repeat(100_000) + "\"")) {
            String body = "{\"name\":\"a\",\"items\":[{\"count\":" + number + "}]}";
            assertEquals(400, post(mapper, "application/json", body).status());
        }
    }

    /// A number of few characters must not become one of many digits, here or where it is used.
    @ParameterizedTest
    @MethodSource("mappers")
    void hugeExponentsAre400(BodyMapper mapper) throws IOException {
        for (String body :
                List.of(
                        "{\"price\":1e10001}",
                        "{\"price\":1e999999999}",
                        "{\"price\":\"1e-999999999\"}",
                        "{\"stock\":1e100000}",
                        "{\"stock\":\"1e100000\"}")) {
            var from = new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
            var rejected =
                    assertThrows(HttpException.class, () -> mapper.read(from, Numbers.class), body);
            assertEquals(400, rejected.status());
        }
        var usual = "{\"price\":12.50,\"stock\":123456789012345678901234567890}";
        assertEquals(
                new Numbers(
                        new BigDecimal("12.50"), new BigInteger("123456789012345678901234567890")),
                mapper.read(
                        new ByteArrayInputStream(usual.getBytes(StandardCharsets.UTF_8)),
                        Numbers.class));
    }

    /// What is done with a key, such as rounding it, may take as long as with a value.
    @ParameterizedTest
    @MethodSource("mappers")
    void hugeNumbersAsKeysAre400(BodyMapper mapper) throws IOException {
        Type decimals = new TypeToken<Map<BigDecimal, Integer>>() {}.getType();
        Type integers = new TypeToken<Map<BigInteger, Integer>>() {}.getType();
        for (String key : List.of("1e10001", "1e999999999", "1e-999999999", "1".repeat(40_000))) {
            var rejected =
                    assertThrows(
                            HttpException.class,
                            () -> mapper.read(keyed(key), decimals),
                            mapper.toString());
            assertEquals(400, rejected.status());
        }
        for (String key : List.of("1".repeat(40_000), "1e100000", "many")) {
            var rejected =
                    assertThrows(HttpException.class, () -> mapper.read(keyed(key), integers));
            assertEquals(400, rejected.status());
        }
        assertEquals(Map.of(new BigDecimal("12.50"), 1), mapper.read(keyed("12.50"), decimals));
        assertEquals(Map.of(new BigInteger("125"), 1), mapper.read(keyed("125"), integers));
    }

    /// What rejects values by itself.
    public record Link(URI to, int count) {
        /// @throws IllegalArgumentException if the count is negative
        public Link {
            if (count < 0) {
                throw new IllegalArgumentException("the count is negative");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("mappers")
    void valuesThatTheirTypesRejectAre400(BodyMapper mapper) throws IOException {
        for (String body :
                List.of(
                        "{\"to\":\"no URI\",\"count\":1}",
                        "{\"to\":\"http://[\",\"count\":1}",
                        "{\"to\":\"/\",\"count\":-1}",
                        "{\"to\":\"/\",\"count\":null}")) {
            var from = new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
            var rejected =
                    assertThrows(HttpException.class, () -> mapper.read(from, Link.class), body);
            assertEquals(400, rejected.status());
        }
    }

    @ParameterizedTest
    @MethodSource("mappers")
    void valuesThatACollectionRejectsAre400(BodyMapper mapper) throws IOException {
        Type map = new TypeToken<ConcurrentHashMap<String, String>>() {}.getType();
        Type queue = new TypeToken<ArrayDeque<String>>() {}.getType();
        var nullInMap = new ByteArrayInputStream("{\"a\":null}".getBytes());
        assertEquals(
                400, assertThrows(HttpException.class, () -> mapper.read(nullInMap, map)).status());
        var nullInQueue = new ByteArrayInputStream("[null]".getBytes());
        assertEquals(
                400,
                assertThrows(HttpException.class, () -> mapper.read(nullInQueue, queue)).status());
    }

    private static InputStream keyed(String key) {
        return new ByteArrayInputStream(("{\"" + key + "\":1}").getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @MethodSource("mappers")
    void messageRepeatsLittleOfTheBody(BodyMapper mapper) throws IOException {
        String name = "\\u001b\\n" + "k".repeat(40_000);
        String body = "{\"" + name + "\":{\"count\":\"many\"}}";
        var from = new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
        Type items = new TypeToken<Map<String, Item>>() {}.getType();
        var rejected = assertThrows(HttpException.class, () -> mapper.read(from, items));
        assertEquals(400, rejected.status());
        String message = String.valueOf(rejected.getMessage());
        assertTrue(message.length() < 500, message);
        assertFalse(message.chars().anyMatch(Character::isISOControl), message);
    }

    @ParameterizedTest
    @MethodSource("mappers")
    void bodyBeyondTheLimitIs413(BodyMapper mapper) throws IOException {
        String large = "{\"name\":\"" + "a".repeat(BODY_MAX) + "\",\"items\":[]}";
        assertEquals(413, post(mapper, "application/json", large).status());
    }

    /// Its length is known when it was read, which is in the middle of an object.
    @ParameterizedTest
    @MethodSource("mappers")
    void bodyThatBecomesTooLongIs413(BodyMapper mapper) throws IOException {
        String begin = "{\"name\":\"a\",\"items\":[{\"article\":\"";
        var body =
                new InputStream() {
                    private int at;

                    @Override
                    public int read() {
                        if (at == 100_000) {
                            throw new HttpException(413, "the body is too long");
                        }
                        at++;
                        return at <= begin.length() ? begin.charAt(at - 1) : 'x';
                    }
                };
        var rejected = assertThrows(HttpException.class, () -> mapper.read(body, Order.class));
        assertEquals(413, rejected.status());
    }

    @Test
    void presentLibraryIsFound() {
        BodyMapper found = ServiceLoader.load(BodyMapper.class).findFirst().orElseThrow();
        assertInstanceOf(PresentMapper.class, found);
        assertTrue(found.canRead("application/json"));
    }

    @ParameterizedTest
    @MethodSource("mappers")
    void documentOfManyTokensIs400(BodyMapper mapper) {
        for (String many :
                List.of(
                        "[" + "[],".repeat(600_000) + "0]",
                        "[" + "{},".repeat(600_000) + "0]",
                        "[" + "0,".repeat(1_000_000) + "0]")) {
            var from = new ByteArrayInputStream(many.getBytes(StandardCharsets.UTF_8));
            var rejected = assertThrows(HttpException.class, () -> mapper.read(from, Object.class));
            assertEquals(400, rejected.status());
        }
    }

    @ParameterizedTest
    @MethodSource("mappers")
    void documentOfFewerTokensIsRead(BodyMapper mapper) throws IOException {
        byte[] many = ("[" + "[],".repeat(400_000) + "0]").getBytes(StandardCharsets.UTF_8);
        var read = (List<?>) mapper.read(new ByteArrayInputStream(many), Object.class);
        assertEquals(400_001, read.size());
    }
}
