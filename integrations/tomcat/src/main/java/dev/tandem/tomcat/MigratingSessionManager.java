package dev.tandem.tomcat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import org.apache.catalina.Session;
import org.apache.catalina.session.StandardManager;
import org.apache.catalina.session.StandardSession;
import org.apache.catalina.util.CustomObjectInputStream;
import org.apache.juli.logging.Log;
import org.apache.juli.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/// The sessions of one version of an application. Those of the version before are carried over when
/// somebody comes with one: written and read, since the versions' classes are not the same. What a
/// request that still runs in the old version changes afterwards is lost. Safe for use by several
/// threads.
final class MigratingSessionManager extends StandardManager {
    private static final Log LOG = LogFactory.getLog(MigratingSessionManager.class);

    private volatile @Nullable MigratingSessionManager previous;

    /// @param previous of the version that this one follows; null for the first
    MigratingSessionManager(@Nullable MigratingSessionManager previous) {
        this.previous = previous;
        setPathname(null); // they end with the process
    }

    /// Takes what is left, and forgets the version before.
    void migrateAll() {
        MigratingSessionManager old = previous;
        if (old != null) {
            for (Session session : old.findSessions()) {
                migrate(old, session.getId());
            }
            previous = null;
        }
    }

    /// Ends sessions that live on elsewhere: their listeners are not told.
    void expireAll() {
        for (Session session : findSessions()) {
            ((StandardSession) session).expire(false);
        }
    }

    /// Catalina asks the newest version first, before it maps a request with a session.
    @Override
    public @Nullable Session findSession(@Nullable String id) throws IOException {
        Session own = super.findSession(id);
        MigratingSessionManager old = previous;
        return own != null || id == null || old == null ? own : migrate(old, id);
    }

    private synchronized @Nullable Session migrate(MigratingSessionManager old, String id) {
        StandardSession known = (StandardSession) sessions.get(id);
        if (known != null) {
            return known; // somebody else was quicker
        }
        try {
            StandardSession session = (StandardSession) old.findSession(id);
            return session == null || !session.isValid() ? null : deserialize(serialize(session));
        } catch (IOException
                | ClassNotFoundException
                | RuntimeException
                | LinkageError
                | StackOverflowError e) { // the application's: it must not cost others theirs
            LOG.warn("a session could not be carried over, and ends: " + e);
            return null;
        }
    }

    private static byte[] serialize(StandardSession session) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            session.writeObjectData(out);
        }
        return bytes.toByteArray();
    }

    private Session deserialize(byte[] bytes) throws IOException, ClassNotFoundException {
        ClassLoader loader = getContext().getLoader().getClassLoader();
        StandardSession session = getNewSession();
        try (var in = new CustomObjectInputStream(new ByteArrayInputStream(bytes), loader)) {
            session.readObjectData(in);
        }
        session.setManager(this);
        add(session);
        session.activate();
        return session;
    }
}
