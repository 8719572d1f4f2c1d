package dev.tandem.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.engine.loop.LoopExchange;
import dev.tandem.http.Request;
import java.io.IOException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/// What is kept of a body before it has a connection to an upstream.
class BodyPumpTest {
    private static final int LENGTH = 60_000;

    private final byte[] scratch = new byte[BodyPump.BUFFER];
    private final LoopExchange exchange = fake(LoopExchange.class);
    private boolean hasRoom;
    private long announced = LENGTH;

    /// Bytes that the client has sent and the pump has not read.
    private int arrived;

    /// Bytes that are counted as held.
    private int held;

    private <T> T fake(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, arguments) ->
                                switch (method.getName()) {
                                    case "contentLength" -> announced;
                                    case "read" -> read((int) arguments[2]);
                                    case "tryHoldInput" -> tryHold((int) arguments[0]);
                                    default -> throw new UnsupportedOperationException();
                                }));
    }

    private int read(int most) {
        int count = Math.min(most, arrived);
        arrived -= count;
        return count;
    }

    private boolean tryHold(int bytes) {
        if (bytes > held && !hasRoom) {
            return false;
        }
        held = bytes;
        return true;
    }

    private boolean receives() throws IOException {
        return new BodyPump(fake(Request.class)).receiveFirst(exchange, scratch);
    }

    @Test
    void smallBodyIsReceivedAsAWholeAndCounted() throws IOException {
        hasRoom = true;
        arrived = LENGTH - 1;
        assertFalse(receives());
        assertEquals(LENGTH, held);
    }

    @Test
    void withoutMemoryTheFirstBytesOfASmallBodySuffice() throws IOException {
        arrived = LENGTH - 1;
        assertTrue(receives());
        assertEquals(LENGTH - 1 - 1024, arrived);
    }

    @Test
    void bodyOfWhichNothingHasArrivedHoldsNothing() throws IOException {
        hasRoom = true;
        announced = -1;
        assertFalse(receives());
        assertEquals(0, held);
        arrived = 100;
        assertTrue(receives());
        assertEquals(100, held);
    }
}
