package dev.tandem.engine.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionMemoryTest {
    private static final long MOST = 1_000_000;
    private static final int PIECE = 1000;

    private final SessionMemory memory = new SessionMemory(MOST);

    /// Has a client take pieces until it may have no more.
    ///
    /// @return what it has then
    private long fill(long client, long counted) {
        long now = counted;
        while (memory.hasRoom(client)) {
            now = memory.count(client, now, SessionMemory.FREE + now + PIECE);
        }
        return now;
    }

    @Test
    void sessionsOfLittleMemoryAreNotCounted() {
        assertEquals(0, memory.count(1, 0, SessionMemory.FREE));
        assertEquals(0, memory.bytes());
        assertEquals(0, memory.clients());
    }

    @Test
    void oneClientHasHalfAndTheNextHalfOfTheRest() {
        assertEquals(MOST / 2, fill(1, 0), PIECE);
        assertEquals(MOST / 4, fill(2, 0), PIECE);
        assertEquals(MOST / 8, fill(3, 0), PIECE);
        assertFalse(memory.hasRoom(1));
        assertTrue(memory.hasRoom(4));
    }

    @Test
    void clientsThatAskAtTheSameTimeHaveEqualShares() {
        long first = 0;
        long second = 0;
        while (memory.hasRoom(1) || memory.hasRoom(2)) {
            first = memory.hasRoom(1) ? memory.count(1, first, take(first)) : first;
            second = memory.hasRoom(2) ? memory.count(2, second, take(second)) : second;
        }
        assertEquals(MOST / 3, first, PIECE);
        assertEquals(MOST / 3, second, PIECE);
    }

    private static long take(long counted) {
        return SessionMemory.FREE + counted + PIECE;
    }

    @Test
    void sessionsOfAClientShareWhatItHas() {
        long half = MOST / 2;
        memory.count(1, 0, SessionMemory.FREE + half / 2);
        memory.count(1, 0, SessionMemory.FREE + half / 2);
        assertFalse(memory.hasRoom(1));
        assertTrue(memory.hasRoom(2));
    }

    @Test
    void noClientHasRoomWhenAllIsUsed() {
        memory.count(1, 0, SessionMemory.FREE + MOST);
        assertFalse(memory.hasRoom(2));
    }

    @Test
    void clientThatHasGivenAllBackIsForgotten() throws InterruptedException {
        var threads = new ArrayList<Thread>();
        for (long client : List.of(1L, 2L, 1L, 2L)) {
            threads.add(Thread.ofPlatform().start(() -> takeAndGiveBack(client)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(0, memory.bytes());
        assertEquals(0, memory.clients());
    }

    private void takeAndGiveBack(long client) {
        for (int i = 0; i < 10_000; i++) {
            long counted = memory.count(client, 0, SessionMemory.FREE + 1);
            counted = memory.count(client, counted, SessionMemory.FREE + PIECE);
            memory.count(client, counted, 0);
        }
    }
}
