package dev.tandem.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class AddressOrderTest {
    /// Its value may overflow.
    private static final long START = Long.MAX_VALUE - 1;

    private static final SocketAddress A = new InetSocketAddress("127.0.0.1", 1);
    private static final SocketAddress B = new InetSocketAddress("127.0.0.2", 1);
    private static final SocketAddress C = new InetSocketAddress("127.0.0.3", 1);
    private static final List<SocketAddress> ALL = List.of(A, B, C);

    private final AddressOrder order = new AddressOrder(10);

    @Test
    void addressThatFailedComesLast() {
        order.recordFailure(A, START);
        assertEquals(List.of(B, C, A), order.of(ALL, START + 9));
        order.recordFailure(B, START);
        order.recordFailure(C, START);
        assertEquals(ALL, order.of(ALL, START + 9));
        order.recordSuccess(A);
        order.recordSuccess(B);
        order.recordSuccess(C);
        assertEquals(ALL, order.of(ALL, START + 9));
    }

    /// Else each request would wait for one that does not respond at all.
    @Test
    void oneRequestInAWhileTriesIt() {
        order.recordFailure(A, START);
        assertEquals(ALL, order.of(ALL, START + 10));
        assertEquals(List.of(B, C, A), order.of(ALL, START + 10));
        assertEquals(List.of(B, C, A), order.of(ALL, START + 19));
        assertEquals(ALL, order.of(ALL, START + 20));
    }

    /// It was not tried, and may work again.
    @Test
    void addressThatIsNotTheFirstIsStillTriedWhenTheFirstFails() {
        order.recordFailure(B, START);
        assertEquals(ALL, order.of(ALL, START + 10));
        order.recordFailure(A, START + 10);
        assertEquals(List.of(B, C, A), order.of(ALL, START + 10));
    }

    @Test
    void addressesThatTheNameNoLongerHasAreForgotten() {
        order.recordFailure(A, START);
        assertEquals(List.of(B, C), order.of(List.of(B, C), START));
        assertEquals(ALL, order.of(ALL, START));
    }
}
