package dev.tandem.engine.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.admission.ClientNetwork;
import dev.tandem.http.websocket.Deflation;
import dev.tandem.http.websocket.Opcode;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Clients whose messages do not end: one of them must not hold the memory of others, and a few not
/// for long.
class IncompleteMessageTest {
    private static final Duration GRACE = Duration.ofMillis(100);
    private static final int LENGTH = 100_000;
    private static final byte[] FRAME = SessionClient.frame(Opcode.BINARY, true, new byte[LENGTH]);

    /// That of [#open(int)].
    private static final long LOOPBACK = ClientNetwork.of(InetAddress.ofLiteral("127.0.0.1"));

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

    private SessionClient open(String local) throws IOException {
        InetSocketAddress address = Objects.requireNonNull(server).address();
        return SessionClient.openFrom(InetAddress.ofLiteral(local), address, "/length");
    }

    @AfterEach
    void stop() {
        Objects.requireNonNull(server).stop(Duration.ZERO);
        Patience.until("its memory is given back", () -> SessionMemory.INPUT.bytes() == 0);
        Patience.until("and no client is kept", () -> SessionMemory.INPUT.clients() == 0);
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
            try (FullMemory _ = FullMemory.ofInput()) {
                assertEquals("88 1013too little memory", client.frame());
            }
        }
    }

    @Test
    void oneOfAClientThatHasMoreThanIsFreeIsRefusedAndOthersAreNot() throws IOException {
        try (SessionClient client = open(0);
                SessionClient other = open("127.0.0.2")) {
            long all = SessionMemory.INPUT.most() * 3 / 4 + SessionMemory.FREE;
            long filled = SessionMemory.INPUT.count(LOOPBACK, 0, all);
            try {
                client.send(Arrays.copyOf(FRAME, LENGTH / 2));
                assertEquals("88 1013too little memory", client.frame());
                other.send(Arrays.copyOf(FRAME, LENGTH / 2));
                Patience.until("kept", () -> SessionMemory.INPUT.bytes() > filled + LENGTH / 3);
                other.send(Arrays.copyOfRange(FRAME, LENGTH / 2, FRAME.length));
                assertEquals("81 " + LENGTH, other.frame());
            } finally {
                SessionMemory.INPUT.count(LOOPBACK, filled, 0);
            }
        }
    }

    /// It was within its share when it began.
    @Test
    void oneThatLastsBeyondItsClientsShareClosesWith1013() throws IOException {
        try (SessionClient client = open(0);
                SessionClient other = open("127.0.0.2")) {
            client.send(Arrays.copyOf(FRAME, LENGTH / 2));
            other.send(Arrays.copyOf(FRAME, LENGTH / 2));
            Patience.until("held", () -> SessionMemory.INPUT.bytes() > 2 * LENGTH / 3);
            long all = SessionMemory.INPUT.most() * 3 / 4 + SessionMemory.FREE;
            long filled = SessionMemory.INPUT.count(LOOPBACK, 0, all);
            try {
                assertEquals("88 1013too little memory", client.frame());
                other.send(Arrays.copyOfRange(FRAME, LENGTH / 2, FRAME.length));
                assertEquals("81 " + LENGTH, other.frame());
            } finally {
                SessionMemory.INPUT.count(LOOPBACK, filled, 0);
            }
        }
    }

    private static byte[] compressed(int length) {
        try (var deflation = new Deflation(6)) {
            byte[] deflated = deflation.deflate(ByteBuffer.allocate(length), 15);
            byte[] frame = SessionClient.frame(Opcode.BINARY, true, deflated);
            frame[0] |= 0x40;
            return frame;
        }
    }

    /// It is complete, but in some 100 bytes: what it becomes is counted while it is decompressed.
    @Test
    void oneThatIsDecompressedWithoutMemoryClosesWith1013() throws IOException {
        open(0).close();
        String offer = "Sec-WebSocket-Extensions: permessage-deflate\n";
        InetSocketAddress address = Objects.requireNonNull(server).address();
        try (SessionClient client = SessionClient.open(address, "/length", offer)) {
            try (FullMemory _ = FullMemory.ofInput()) {
                client.send(compressed(SessionMemory.FREE));
                assertEquals("81 " + SessionMemory.FREE, client.frame());
                client.send(compressed(LENGTH));
                assertEquals("88 1013too little memory", client.frame());
            }
            Patience.until("it is given back", () -> SessionMemory.INPUT.bytes() == 0);
        }
        try (SessionClient later = SessionClient.open(address, "/length", offer)) {
            later.send(compressed(LENGTH));
            assertEquals("81 " + LENGTH, later.frame());
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
