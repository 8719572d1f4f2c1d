package dev.tandem.engine.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.websocket.Opcode;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Clients whose messages do not end: a few of them must not hold the memory of all for long.
class IncompleteMessageTest {
    private static final Duration GRACE = Duration.ofMillis(100);
    private static final int LENGTH = 100_000;
    private static final byte[] FRAME = SessionClient.frame(Opcode.BINARY, true, new byte[LENGTH]);

    private @Nullable Server server;

    /// @param rateMin in bytes a second
    private SessionClient open(int rateMin) throws IOException {
        Server started =
                Tandem.listen("127.0.0.1", 0)
                        .options(
                                Options.DEFAULT.withTimeouts(
                                        t -> t.withBodyGrace(GRACE).withBodyRateMin(rateMin)))
                        .webSocket(
                                "/length",
                                session ->
                                        session.onBinary(bytes -> session.send("" + bytes.length)))
                        .start();
        server = started;
        return SessionClient.open(started.address(), "/length");
    }

    @AfterEach
    void stop() {
        Objects.requireNonNull(server).stop(Duration.ZERO);
        Patience.until("its memory is given back", () -> SessionMemory.INPUT.bytes() == 0);
    }

    @Test
    void slowOneClosesWith1008() throws IOException {
        try (SessionClient client = open(10_000_000)) {
            client.send(Arrays.copyOf(FRAME, LENGTH / 2));
            assertEquals("88 1008message too slow", client.frame());
        }
    }

    @Test
    void oneThatLastsWithoutMemoryClosesWith1013() throws IOException {
        try (SessionClient client = open(0)) {
            client.send(Arrays.copyOf(FRAME, LENGTH / 2));
            Patience.until("held", () -> SessionMemory.INPUT.bytes() > LENGTH / 3);
            long most = SessionMemory.INPUT.most() + SessionMemory.FREE;
            long filled = SessionMemory.INPUT.count(0, most);
            try {
                assertEquals("88 1013too little memory", client.frame());
            } finally {
                SessionMemory.INPUT.count(filled, 0);
            }
        }
    }

    @Test
    void oneThatIsQuickEnoughIsHandled() throws IOException {
        try (SessionClient client = open(1)) {
            long until = System.nanoTime() + 3 * GRACE.toNanos();
            client.send(Arrays.copyOf(FRAME, LENGTH / 2));
            Patience.until("it was looked at", () -> System.nanoTime() > until);
            client.send(Arrays.copyOfRange(FRAME, LENGTH / 2, FRAME.length));
            assertEquals("81 " + LENGTH, client.frame());
        }
    }
}
