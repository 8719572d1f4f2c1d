package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.Served;
import dev.tandem.engine.loop.LoopExchange;
import dev.tandem.engine.loop.LoopHandler;
import dev.tandem.http.Exchange;
import dev.tandem.http.HttpException;
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.Settings;
import dev.tandem.net.Network;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Exchanges of streams that continue on their loop.
@Timeout(60)
class LoopExchangeTest {
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicLong written = new AtomicLong();
    private Served served;
    private Http2Client client;

    /// Sends back what it receives.
    private final class Echo implements LoopHandler {
        private final Exchange x;
        private final byte[] buffer = new byte[10_000];
        private @Nullable OutputStream out;

        Echo(Exchange x) {
            this.x = x;
        }

        @Override
        public void proceed(LoopExchange on) throws IOException {
            OutputStream to = out == null ? x.outputStream() : out;
            out = to;
            while (!on.isHeldUp()) {
                int count = on.read(buffer, 0, buffer.length);
                if (count <= 0) {
                    if (count < 0) {
                        on.end();
                    } else {
                        to.flush();
                    }
                    return;
                }
                to.write(buffer, 0, count);
            }
        }

        @Override
        public void ended() {
            ended.incrementAndGet();
        }
    }

    /// Never ends, but for its client.
    private final class Endless implements LoopHandler {
        private final Exchange x;
        private @Nullable OutputStream out;

        Endless(Exchange x) {
            this.x = x;
        }

        @Override
        public void proceed(LoopExchange on) throws IOException {
            OutputStream to = out == null ? x.outputStream() : out;
            out = to;
            while (!on.isHeldUp()) {
                to.write(new byte[10_000]);
                written.addAndGet(10_000);
            }
        }

        @Override
        public void ended() {
            ended.incrementAndGet();
        }
    }

    private final class Failing implements LoopHandler {
        @Override
        public void proceed(LoopExchange on) {
            throw new HttpException(502, "no upstream");
        }

        @Override
        public void ended() {
            ended.incrementAndGet();
        }
    }

    @BeforeEach
    void start() throws IOException {
        served =
                Served.on(
                        Network.best(),
                        Options.DEFAULT,
                        t ->
                                t.post("/echo", x -> LoopExchange.begin(x, new Echo(x)))
                                        .get("/endless", x -> LoopExchange.begin(x, new Endless(x)))
                                        .get("/fail", x -> LoopExchange.begin(x, new Failing())));
        client =
                Http2Client.to(
                                new Socket(
                                        served.server().address().getAddress(),
                                        served.server().port()),
                                Settings.CLIENT)
                        .hello();
    }

    /// The client first: a server that stops waits for a client that does not close.
    @AfterEach
    void stop() throws IOException {
        client.close();
        served.close();
    }

    @Test
    void streamsAreEchoedAtTheSameTime() throws IOException {
        var content = new byte[30_000];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) (i * 31 >>> 5);
        }
        int one = client.post("/echo");
        int other = client.post("/echo");
        client.data(one, content, false);
        client.data(other, content, true);
        assertArrayEquals(content, client.response(other).content.toByteArray());
        client.data(one, new byte[0], true);
        assertArrayEquals(content, client.response(one).content.toByteArray());
        Patience.until("both are over", () -> ended.get() == 2);
    }

    @Test
    void clientThatDoesNotReadHoldsLittleAndAResetEndsTheExchange() throws IOException {
        client.keepWindows();
        int id = client.get("/endless");
        client.until("it begins", () -> client.expect(id).content.size() >= 60_000);
        long least = written.get();
        assertTrue(least < 400_000, least + " bytes");
        client.reset(id, ErrorCode.CANCEL);
        Patience.until("it is over", () -> ended.get() == 1);
        assertTrue(written.get() < 400_000, written + " bytes");
    }

    @Test
    void failureBeforeTheResponseIsAnErrorPage() throws IOException {
        assertEquals(502, client.fetch("/fail").status);
        assertEquals("Hello, World!", client.fetch("/hello").text());
        Patience.until("it is over", () -> ended.get() == 1);
    }

    @Test
    void closedConnectionEndsTheExchange() throws IOException {
        client.keepWindows();
        int id = client.get("/endless");
        client.until("it begins", () -> client.expect(id).content.size() >= 60_000);
        client.close();
        Patience.until("it is over", () -> ended.get() == 1);
    }
}
