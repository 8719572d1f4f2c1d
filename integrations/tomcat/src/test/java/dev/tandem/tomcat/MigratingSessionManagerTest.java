package dev.tandem.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import org.apache.catalina.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A session that cannot be migrated does not affect others, and one that has ended does not come
/// back.
@Timeout(60)
class MigratingSessionManagerTest {
    private static final int DEPTH = 50_000;

    /// Like a list that another request is changing.
    private static final class Changing implements Serializable {
        private static final long serialVersionUID = 1L;

        private void writeObject(ObjectOutputStream out) {
            throw new ConcurrentModificationException("changed meanwhile");
        }
    }

    private static Serializable deep() {
        var outer = new ArrayList<Object>();
        for (int i = 0; i < DEPTH; i++) {
            outer = new ArrayList<>(List.of(outer));
        }
        return outer;
    }

    private static Session with(MigratingSessionManager sessions, Object attribute) {
        Session session = sessions.createSession(null);
        session.getSession().setAttribute("kept", attribute);
        return session;
    }

    @Test
    void sessionThatCannotBeSerializedEndsAlone() throws Exception {
        try (TestTomcat site = new TestTomcat()) {
            var old = new MigratingSessionManager(null);
            var next = new MigratingSessionManager(old);
            site.context.setManager(old);
            site.tomcat.addContext("/next", null).setManager(next);
            site.start();
            Session changing = with(old, new Changing());
            Session nested = with(old, deep());
            Session good = with(old, "cart");
            assertNull(next.findSession(changing.getId()), "asked for by a request");
            next.migrateAll();
            old.expireAll();
            assertNull(next.findSession(nested.getId()));
            Session carried = next.findSession(good.getId());
            assertNotNull(carried);
            assertEquals("cart", carried.getSession().getAttribute("kept"));
        }
    }

    /// By a logout, an invalidation, or its inactivity.
    @Test
    void sessionThatEndsInTheNewVersionIsNotMigratedAgain() throws Exception {
        try (TestTomcat site = new TestTomcat()) {
            var old = new MigratingSessionManager(null);
            var next = new MigratingSessionManager(old);
            site.context.setManager(old);
            site.tomcat.addContext("/next", null).setManager(next);
            site.start();
            String id = with(old, "user").getId();
            Session carried = next.findSession(id);
            assertNotNull(carried);
            carried.expire();
            assertNull(next.findSession(id));
            assertNull(old.findSession(id), "requests with it are mapped to the new version");
            next.migrateAll();
            assertNull(next.findSession(id));
        }
    }

    /// As at a login: requests with the identifier of before find none.
    @Test
    void sessionWhoseIdentifierChangesIsNotMigratedAgain() throws Exception {
        try (TestTomcat site = new TestTomcat()) {
            var old = new MigratingSessionManager(null);
            var next = new MigratingSessionManager(old);
            site.context.setManager(old);
            site.tomcat.addContext("/next", null).setManager(next);
            site.start();
            String before = with(old, "user").getId();
            Session carried = next.findSession(before);
            assertNotNull(carried);
            String after = next.rotateSessionId(carried);
            assertNull(next.findSession(before));
            next.migrateAll();
            assertNull(next.findSession(before));
            assertSame(carried, next.findSession(after));
        }
    }
}
