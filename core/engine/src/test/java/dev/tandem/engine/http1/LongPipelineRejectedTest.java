package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.Served;
import dev.tandem.http.Exchange;
import dev.tandem.net.Network;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A pipeline that is longer than what is kept of one, whose first request is rejected after it has
/// waited.
@Timeout(60)
class LongPipelineRejectedTest {
    private static final String REQUEST = get("/gate");

    /// More than is kept, 64 KiB, and as is read at once.
    private static final int REQUESTS = 140_000 / REQUEST.length();

    private final Semaphore gate = new Semaphore(0);

    private void pass(Exchange x) throws IOException, InterruptedException {
        gate.acquire();
        x.send("passed");
    }

    private Served serve(Network network) {
        return Served.on(
                network,
                Options.DEFAULT.withThreads(t -> t.withWorkersMax(1).withInPlace(false)),
                t -> t.get("/gate", this::pass));
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void eachRequestGetsAResponse(Network network) throws IOException {
        try (var log = LogCapture.of("dev.tandem");
                Served served = serve(network)) {
            RawClient running = served.client();
            running.send(REQUEST);
            RawClient client = served.client();
            client.send(REQUEST.repeat(REQUESTS));
            assertEquals(503, client.response().status());
            gate.release(2 * REQUESTS);
            for (int i = 1; i < REQUESTS; i++) {
                RawResponse next = client.response();
                assertTrue(next.status() == 200 || next.status() == 503, next.toString());
            }
            assertEquals(List.of(), log.messages(line -> line.contains("failed")));
        } finally {
            gate.release(2 * REQUESTS);
        }
    }
}
