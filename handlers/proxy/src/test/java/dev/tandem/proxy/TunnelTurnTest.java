package dev.tandem.proxy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.engine.loop.LoopExchange;
import dev.tandem.engine.loop.LoopHandler;
import dev.tandem.http.Exchange;
import dev.tandem.net.Loop;
import dev.tandem.net.Network;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.server.Web;
import dev.tandem.upstream.Address;
import dev.tandem.upstream.UpstreamOptions;
import dev.tandem.upstream.UpstreamPool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A tunnel whose client has always sent more, and the other connections of its loop.
@Timeout(60)
class TunnelTurnTest {
    private static final String AGREE =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: chat\r\nConnection: Upgrade\r\n\r\n";

    /// 4 MiB.
    private static final int TOTAL = 4 << 20;

    /// 128 KiB.
    private static final int TURN_MAX = 128 << 10;

    private final AtomicLong received = new AtomicLong();
    private final AtomicLong longestTurn = new AtomicLong();

    /// What the tunnel reads is there at once, up to the total. All else is the exchange's.
    private final class Endless implements LoopHandler, LoopExchange {
        private final ProxiedExchange proxied;
        private @Nullable LoopExchange current;
        private long turn;
        private long total;

        Endless(ProxiedExchange proxied) {
            this.proxied = proxied;
        }

        @Override
        public void proceed(LoopExchange running) throws Exception {
            current = running;
            turn = 0;
            proxied.proceed(this);
            longestTurn.accumulateAndGet(turn, Math::max);
        }

        @Override
        public void ended() {
            proxied.ended();
        }

        @Override
        public int read(byte[] to, int offset, int length) {
            if (total == TOTAL) {
                return -1;
            }
            int count = (int) Math.min(length, TOTAL - total);
            total += count;
            turn += count;
            return count;
        }

        private LoopExchange on() {
            return Objects.requireNonNull(current);
        }

        @Override
        public Loop loop() {
            return on().loop();
        }

        @Override
        public Network network() {
            return on().network();
        }

        @Override
        public void proceed() {
            on().proceed();
        }

        @Override
        public boolean tryHoldInput(int bytes) {
            return on().tryHoldInput(bytes);
        }

        @Override
        public boolean isHeldUp() {
            return on().isHeldUp();
        }

        @Override
        public void upgrade(String protocol) throws IOException {
            on().upgrade(protocol);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            on().write(bytes, offset, length);
        }

        @Override
        public void end() {
            on().end();
        }

        @Override
        public void fail(Throwable e) {
            on().fail(e);
        }
    }

    private void receiveAll(ScriptedServer.Talk talk) throws IOException {
        talk.readHead();
        talk.say(AGREE);
        var buffer = new byte[TURN_MAX];
        for (int count = talk.in().read(buffer); count >= 0; count = talk.in().read(buffer)) {
            received.addAndGet(count);
        }
    }

    private void handle(Exchange x, UpstreamPool pool) {
        ProxyOptions options = ProxyOptions.DEFAULT;
        var request = UpstreamRequest.of(x, options, "chat");
        var proxied = new ProxiedExchange(x, pool, options, request, "chat");
        LoopExchange.begin(x, new Endless(proxied));
    }

    /// All of it arrives, but in no turn of the loop more than 128 KiB.
    @Test
    void othersHaveTheLoopAfterSomePieces() throws Exception {
        try (var upstream = new ScriptedServer(this::receiveAll);
                var pool =
                        new UpstreamPool(
                                List.of(Address.of(upstream.address())), UpstreamOptions.DEFAULT);
                var web = new Web(site -> site.get("/", x -> handle(x, pool)));
                RawClient client = RawClient.connect(web.serverAddress())) {
            client.send("GET / HTTP/1.1\nHost: a\nConnection: upgrade\nUpgrade: chat\n\n");
            String all = new String(client.rest(), StandardCharsets.ISO_8859_1);
            assertTrue(all.startsWith("HTTP/1.1 101 "), all);
            Patience.until("all has arrived", () -> received.get() == TOTAL);
            assertTrue(longestTurn.get() <= TURN_MAX, longestTurn + " bytes");
        }
    }
}
