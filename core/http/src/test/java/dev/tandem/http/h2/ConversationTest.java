package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.http.Headers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A client and a server of the codec exchange many messages through windows, tables and pieces of
/// random sizes.
class ConversationTest {

    private record Message(Headers headers, byte[] content, Headers trailers) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void responsesHaveTheContentOfTheirRequests(long seed) {
        var random = new Random(seed);
        var client = new Endpoint(Role.CLIENT, settings(Settings.CLIENT, random), table(random));
        var server = new Endpoint(Role.SERVER, settings(Settings.SERVER, random), table(random));
        Map<Integer, Message> requests = new HashMap<>();
        for (int round = 0; round < 400 || client.open() > 0 && round < 100_000; round++) {
            if (round < 200 && client.open() < 30 && random.nextInt(3) == 0) {
                var message = new Message(headers(random), content(random), trailers(random));
                int id = client.request(message.headers, message.content, message.trailers);
                requests.put(id, message);
            }
            transfer(client, server, random);
            transfer(server, client, random);
        }
        assertEquals(0, client.open());
        assertEquals(0, server.open());
        assertEquals(requests.keySet(), client.ended.keySet());
        requests.forEach(
                (id, request) -> {
                    Endpoint.Exchange x = Objects.requireNonNull(client.ended.get(id));
                    assertArrayEquals(request.content, x.received.toByteArray());
                    assertEquals(request.headers.toString(), x.heads.getFirst().toString());
                    assertEquals(request.trailers.toString(), x.trailers.toString());
                });
    }

    private static void transfer(Endpoint from, Endpoint to, Random random) {
        byte[] bytes = from.takeOutput();
        int at = 0;
        while (at < bytes.length) {
            int most = random.nextInt(20) == 0 ? 3 : 5_000;
            int end = Math.min(bytes.length, at + 1 + random.nextInt(most));
            to.receive(bytes, at, end);
            at = end;
        }
    }

    private static Settings settings(Settings settings, Random random) {
        int[] windows = {20, 1_000, 65_535, 1_000_000};
        int[] tables = {0, 100, 4_096, 10_000};
        return settings.withMaxHeaderListSize(200_000)
                .withInitialWindowSize(windows[random.nextInt(windows.length)])
                .withHeaderTableSize(tables[random.nextInt(tables.length)])
                .withMaxFrameSize(random.nextBoolean() ? 16_384 : 30_000);
    }

    private static int table(Random random) {
        return random.nextBoolean() ? 4_096 : random.nextInt(300);
    }

    private static Headers headers(Random random) {
        var fields = new ArrayList<String>();
        for (int i = random.nextInt(8); i > 0; i--) {
            int length = random.nextInt(40) == 0 ? 30_000 : random.nextInt(60);
            fields.add("x-" + random.nextInt(5));
            fields.add("v".repeat(length) + random.nextInt(3));
        }
        return Headers.of(fields.toArray(new String[0]));
    }

    private static Headers trailers(Random random) {
        return random.nextInt(4) == 0 ? Headers.of("x-sum", "1") : Headers.EMPTY;
    }

    private static byte[] content(Random random) {
        byte[] content = new byte[random.nextInt(random.nextInt(10) == 0 ? 100_000 : 500)];
        random.nextBytes(content);
        return content;
    }
}
