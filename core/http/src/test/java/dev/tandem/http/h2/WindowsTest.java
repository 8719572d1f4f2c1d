package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9113, section 6.9.
class WindowsTest {

    @Test
    void sendWindowLimitsContent() {
        var window = new SendWindow(100);
        window.send(60);
        assertEquals(40, window.available());
        assertThrows(IllegalArgumentException.class, () -> window.send(41));
        window.send(40);
        assertEquals(0, window.available());
        assertTrue(window.increase(5));
        assertEquals(5, window.available());
    }

    /// Section 6.9.2 has this example.
    @Test
    void sendWindowMayBecomeNegative() {
        var window = new SendWindow(65_535);
        window.send(60_000);
        assertTrue(window.adjust(16_384 - 65_535));
        assertEquals(-43_616, window.size());
        assertEquals(0, window.available());
        assertTrue(window.increase(43_616));
        assertEquals(0, window.available());
        assertTrue(window.increase(1));
        assertEquals(1, window.available());
    }

    @Test
    void sendWindowHasAMaximum() {
        var window = new SendWindow(65_535);
        assertTrue(window.increase(Integer.MAX_VALUE - 65_535));
        assertEquals(Integer.MAX_VALUE, window.available());
        assertFalse(window.increase(1));
        var other = new SendWindow(Integer.MAX_VALUE);
        assertFalse(other.adjust(1));
        var least = new SendWindow(0);
        assertTrue(least.adjust(-Integer.MAX_VALUE));
        assertTrue(least.increase(Integer.MAX_VALUE));
        assertTrue(least.increase(Integer.MAX_VALUE));
        assertFalse(least.increase(1));
    }

    @Test
    void receiveWindowIsExceededByMoreThanItsSize() {
        var window = new ReceiveWindow(10);
        assertTrue(window.receive(10));
        assertTrue(window.receive(0));
        assertFalse(window.receive(1));
    }

    @Test
    void halfOfTheWindowIsAnnounced() {
        var window = new ReceiveWindow(100);
        assertTrue(window.receive(100));
        assertEquals(0, window.consume(49));
        assertEquals(50, window.consume(1));
        assertEquals(50, window.available());
        assertTrue(window.receive(50));
        assertEquals(100, window.consume(100));
        assertEquals(100, window.available());
    }

    @Test
    void windowOfOneByteIsAnnounced() {
        var window = new ReceiveWindow(1);
        assertTrue(window.receive(1));
        assertEquals(1, window.consume(1));
    }

    @Test
    void windowOpensWhenItIsEnlarged() {
        var window = new ReceiveWindow(0);
        assertFalse(new ReceiveWindow(0).receive(1));
        assertEquals(65_535, window.resize(65_535));
        assertTrue(window.receive(65_535));
        assertEquals(1_000_000 - 65_535, window.resize(1_000_000));
        assertEquals(1_000_000 - 65_535, window.available());
    }

    @Test
    void windowShrinksByWhatIsConsumed() {
        var window = new ReceiveWindow(100);
        assertTrue(window.receive(100));
        assertEquals(0, window.resize(40));
        assertEquals(0, window.consume(60));
        assertEquals(0, window.consume(19));
        assertEquals(20, window.consume(1));
        assertEquals(20, window.consume(20));
        assertEquals(40, window.available());
    }

    @Test
    void acknowledgedSettingChangesTheWindow() {
        var window = new ReceiveWindow(65_535);
        assertTrue(window.receive(60_000));
        window.adjust(16_384 - 65_535);
        assertEquals(-43_616, window.available());
        assertEquals(16_384, window.capacity());
        assertFalse(window.receive(1));
    }

    @Test
    void announcedWindowHasAMaximum() {
        var window = new ReceiveWindow(65_535);
        assertEquals(Integer.MAX_VALUE - 65_535, window.resize(Integer.MAX_VALUE));
        assertEquals(Integer.MAX_VALUE, window.available());
    }

    /// The windows of the two endpoints stay equal, and the sender can always continue when all is
    /// consumed.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void sendAndReceiveWindowsAgree(long seed) {
        var random = new Random(seed);
        int initial = random.nextInt(100);
        var send = new SendWindow(initial);
        var receive = new ReceiveWindow(initial);
        long buffered = 0;
        for (int i = 0; i < 50_000; i++) {
            int increment = 0;
            switch (random.nextInt(10)) {
                case 0 -> increment = receive.resize(random.nextInt(200));
                case 1, 2, 3, 4 -> {
                    int length = random.nextInt(1 + send.available());
                    send.send(length);
                    assertTrue(receive.receive(length));
                    buffered += length;
                }
                default -> {
                    int length = random.nextInt((int) buffered + 1);
                    increment = receive.consume(length);
                    buffered -= length;
                }
            }
            if (increment > 0) {
                assertTrue(send.increase(increment));
            }
            assertEquals(send.size(), receive.available());
            if (buffered == 0 && receive.capacity() > 0) {
                assertTrue(send.available() > 0, "capacity " + receive.capacity());
            }
        }
    }
}
