package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.http1.WireCases;
import dev.tandem.engine.tuning.EngineTuning;
import dev.tandem.http.Exchange;
import dev.tandem.net.Network;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A server that has its loops' threads and no others.
class AllOnLoopTest {
    private static final Options ONE = Options.DEFAULT.withThreads(t -> t.withLoops(1));
    private static final EngineTuning TUNING =
            EngineTuning.DEFAULT.withAllOnLoop(true).withLoopBuffer(34_816);

    static List<Named<Network>> networks() {
        return Networks.usable();
    }

    private static Served served(Network network) {
        return Served.on(
                network,
                ONE,
                tandem ->
                        tandem.tuning(TUNING)
                                .get("/thread", x -> x.send(Thread.currentThread().getName()))
                                .get("/stream", AllOnLoopTest::streamWithoutEnd)
                                .post("/body", x -> x.send(x.request().body().readAllBytes())));
    }

    /// Ends when the client does not read it.
    private static void streamWithoutEnd(Exchange x) throws IOException {
        OutputStream out = x.outputStream();
        for (int i = 0; i < 10_000; i++) {
            out.write(new byte[8192]);
        }
    }

    @ParameterizedTest
    @MethodSource("networks")
    void blockingHandlersRunOnTheLoop(Network network) throws IOException {
        try (var served = served(network);
                RawClient client = served.client()) {
            for (int i = 0; i < 3; i++) {
                client.send(WireCases.get("/thread"));
                assertEquals("tandem-loop-1", client.response().text());
            }
            assertEquals(0, served.server().workerCount());
        }
    }

    @ParameterizedTest
    @MethodSource("networks")
    void responseThatWouldHaveToWaitIsTruncated(Network network) throws IOException {
        try (var served = served(network);
                RawClient slow = served.client(4096);
                RawClient other = served.client()) {
            slow.send(WireCases.get("/stream"));
            other.send(WireCases.get("/now"));
            assertEquals("now", other.response().text());
            assertTrue(slow.restOrCut().length < 10_000 * 8192);
        }
    }

    @ParameterizedTest
    @MethodSource("networks")
    void missingBodyDoesNotBlockTheLoop(Network network) throws IOException {
        try (var served = served(network);
                RawClient client = served.client();
                RawClient other = served.client()) {
            client.send("POST /body HTTP/1.1\nHost: a\nContent-Length: 3\n\na");
            other.send("POST /body HTTP/1.1\nHost: a\nContent-Length: 3\n\nabc");
            assertEquals("abc", other.response().text());
            client.send("bc");
            assertEquals("abc", client.response().text());
        }
    }

    @ParameterizedTest
    @MethodSource("networks")
    void bodyThatCameWithItsHeadIsRead(Network network) throws IOException {
        try (var served = served(network);
                RawClient client = served.client()) {
            client.send("POST /body HTTP/1.1\nHost: a\nContent-Length: 3\n\nabc");
            assertEquals("abc", client.response().text());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4095, (1 << 20) + 1})
    void loopBufferOutOfRangeIsRejected(int bytes) {
        assertThrows(IllegalArgumentException.class, () -> TUNING.withLoopBuffer(bytes));
    }

    @Test
    void loopsOutOfRangeAreRejected() {
        assertThrows(
                IllegalArgumentException.class,
                () -> Options.DEFAULT.withThreads(t -> t.withLoops(16_385)));
    }
}
