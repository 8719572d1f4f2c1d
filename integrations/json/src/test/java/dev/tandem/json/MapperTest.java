package dev.tandem.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.BodyMapper;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.ServiceLoader;
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

    private static final String ORDER =
            "{\"name\":\"Änne\",\"items\":[{\"article\":\"nut\",\"count\":3}]}";

    static Stream<BodyMapper> mappers() {
        return Stream.of(new JacksonMapper(), new GsonMapper());
    }

    private static RawResponse post(BodyMapper mapper, String type, String body)
            throws IOException {
        Server server =
                Tandem.listen("127.0.0.1", 0)
                        .mapper(mapper)
                        .post("/orders", x -> x.json(x.body(Order.class)))
                        .start();
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
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

    @Test
    void presentLibraryIsFound() {
        BodyMapper found = ServiceLoader.load(BodyMapper.class).findFirst().orElseThrow();
        assertInstanceOf(PresentMapper.class, found);
        assertTrue(found.canRead("application/json"));
    }
}
