package dev.tandem.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdleListTest {
    private final Loop loop = new Loop(new ScriptedPoller(), () -> 0);
    private final IdleList tested = new IdleList();

    /// Compares with an ordinary list, in seeded random order.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void listBehavesLikeReferenceList(long seed) {
        var random = new Random(seed);
        var model = new ArrayList<Connection>();
        for (int step = 0; step < 5_000; step++) {
            int action = model.isEmpty() ? 0 : random.nextInt(4);
            switch (action) {
                case 0 -> {
                    var c = new Connection(new ScriptedSocket(), loop, RecordingProtocol::new);
                    model.add(c);
                    tested.add(c);
                }
                case 1 -> {
                    Connection c = model.remove(random.nextInt(model.size()));
                    model.add(c);
                    tested.moveToYoungest(c);
                }
                case 2 -> tested.remove(model.remove(random.nextInt(model.size())));
                default -> {
                    assertEquals(1, tested.evict(1));
                    Connection evicted = model.removeFirst();
                    assertTrue(evicted.isClosed());
                    tested.remove(evicted);
                }
            }
            assertEquals(model.size(), tested.size());
        }
        for (Connection c : List.copyOf(model)) {
            assertEquals(1, tested.evict(1));
            assertTrue(c.isClosed(), "not in order");
            tested.remove(c);
        }
        assertEquals(0, tested.size());
    }

    @Test
    void busyConnectionsAreNotEvicted() {
        var idle = new Connection(new ScriptedSocket(), loop, RecordingProtocol::new);
        tested.add(busy());
        tested.add(idle);
        assertEquals(1, tested.evict(2));
        assertTrue(idle.isClosed());
    }

    /// Else each new connection would cost a walk over all of them.
    @Test
    void busyConnectionsAreSkippedOnceForSeveralEvictions() {
        for (int i = 0; i < 2 * IdleList.SKIPPED_MAX; i++) {
            tested.add(busy());
        }
        var idle = new Connection(new ScriptedSocket(), loop, RecordingProtocol::new);
        tested.add(idle);
        assertFalse(tested.makeRoom());
        assertTrue(tested.makeRoom());
        assertTrue(idle.isClosed());
    }

    /// Without memory or descriptors.
    @Test
    void allAreLookedAtForMoreThanOneNewConnection() {
        for (int i = 0; i < 2 * IdleList.SKIPPED_MAX; i++) {
            tested.add(busy());
        }
        var idle = new Connection(new ScriptedSocket(), loop, RecordingProtocol::new);
        tested.add(idle);
        assertEquals(1, tested.evict(1));
        assertTrue(idle.isClosed());
    }

    /// Those that stall, such as clients that read nothing, fill the memory.
    @Test
    void longestUnusedAreClosedFirstAfterAnEvictionWithoutIdleOnes() {
        List<Connection> stalled = new ArrayList<>();
        for (int i = 0; i < 2 * IdleList.SKIPPED_MAX; i++) {
            Connection c = busy();
            stalled.add(c);
            tested.add(c);
        }
        tested.evict(100);
        tested.evict(100);
        assertEquals(2, tested.closeOwned(2));
        assertTrue(stalled.get(0).isClosed());
        assertTrue(stalled.get(1).isClosed());
        assertFalse(stalled.get(2).isClosed());
    }

    private Connection busy() {
        return new Connection(
                new ScriptedSocket(),
                loop,
                c -> {
                    var protocol = new RecordingProtocol(c);
                    protocol.busy(true);
                    return protocol;
                });
    }
}
