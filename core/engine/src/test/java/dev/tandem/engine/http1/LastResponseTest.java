package dev.tandem.engine.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.Networks;
import dev.tandem.engine.Served;
import dev.tandem.engine.tuning.EngineTuning;
import dev.tandem.net.Network;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The response after which the server closes, while a client that was not notified in time sends
/// more: all of it arrives (RFC 9112, section 9.6).
class LastResponseTest {
    private static final int LENGTH = 300_000;
    private static final String NEXT = "GET /large HTTP/1.1\r\nHost: a\r\n\r\n";

    static Stream<Arguments> cases() {
        String twoEnds =
                "POST /large HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
        return Networks.plain().stream()
                .map(Named::getPayload)
                .flatMap(
                        network ->
                                Stream.of(
                                        Arguments.of(network, twoEnds, NEXT),
                                        Arguments.of(network, "GET /large\r\n", "\r\n")));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void lastResponseIsComplete(Network network, String request, String more) throws IOException {
        var large = new byte[LENGTH];
        Arrays.fill(large, (byte) 'x');
        EngineTuning lenient = EngineTuning.DEFAULT.withContainer(c -> c.withLenient(true));
        try (Served served =
                Served.on(
                        network,
                        Options.DEFAULT,
                        t ->
                                t.tuning(lenient)
                                        .get("/large", x -> x.send(large))
                                        .post("/large", x -> x.send(large)))) {
            RawClient client = served.client(8192);
            client.send(WireText.raw(request));
            byte[] first = client.bytes(4096);
            client.send(WireText.raw(more));
            String rest = new String(client.rest(), java.nio.charset.StandardCharsets.US_ASCII);
            assertTrue(rest.endsWith("x"));
            String all = new String(first, java.nio.charset.StandardCharsets.US_ASCII) + rest;
            int head = all.lastIndexOf("\r\n\r\n");
            assertEquals(LENGTH, all.length() - (head < 0 ? 0 : head + 4));
        }
    }
}
