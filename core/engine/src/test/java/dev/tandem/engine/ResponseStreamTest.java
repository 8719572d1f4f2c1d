package dev.tandem.engine;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.Options;
import dev.tandem.http.Exchange;
import dev.tandem.net.Network;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ResponseStreamTest {
    private static final int LENGTH = 20_000;

    private final BlockingQueue<Integer> left = new LinkedBlockingQueue<>();

    /// Through a channel, like content outside of the heap.
    private void write(Exchange x) throws IOException {
        ByteBuffer content = ByteBuffer.allocateDirect(LENGTH);
        try (var out = x.outputStream()) {
            assertEquals(LENGTH, ((WritableByteChannel) out).write(content));
        }
        left.add(content.remaining());
    }

    /// Callers of a channel try again until all is taken.
    @Test
    void channelConsumesAllWhereNothingIsSent() throws Exception {
        try (Served served =
                        Served.on(Network.best(), Options.DEFAULT, t -> t.get("/", this::write));
                RawClient client = served.client()) {
            assertEquals(LENGTH, client.send(get("/")).response().body().length);
            assertEquals(0, left.poll(20, TimeUnit.SECONDS));
            String head = get("/").replaceFirst("GET", "HEAD");
            assertEquals(200, client.send(head).responseToHead().status());
            assertEquals(0, left.poll(20, TimeUnit.SECONDS));
        }
    }
}
