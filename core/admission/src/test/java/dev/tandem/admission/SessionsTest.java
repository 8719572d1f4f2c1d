package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionsTest {
    private final List<Session> ended = new ArrayList<>();
    private final Sessions sessions = new Sessions(10, ended::add);

    @Test
    void madeUpCookiesRemoveNoProvenSession() {
        Session proven = session(2, 0);
        sessions.put(-1, proven);
        sessions.find(-1);
        for (int i = 0; i < 1000; i++) {
            sessions.put(i, session(1, 0));
        }
        assertSame(proven, sessions.find(-1));
        assertEquals(11, sessions.size());
        assertEquals(990, ended.size());
    }

    @Test
    void leastRecentlyUsedProvenSessionIsRemoved() {
        for (int i = 0; i < 11; i++) {
            sessions.put(i, session(2, 0));
            sessions.find(i);
            sessions.find(0);
        }
        assertNull(sessions.find(1));
        assertEquals(0, sessions.find(0) == null ? 1 : 0);
    }

    @Test
    void sweepEndsSessionsWithoutRecentRequests() {
        Session old = session(1, 5);
        sessions.put(1, old);
        sessions.put(2, session(1, 50));
        sessions.sweep(20);
        assertEquals(List.of(old), ended);
        assertEquals(1, sessions.size());
    }

    private static Session session(int requests, long lastAt) {
        var session = new Session();
        session.requests = requests;
        session.lastAt = lastAt;
        return session;
    }
}
