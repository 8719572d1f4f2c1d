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

/// The sessions of one version of an application. A session of the previous version is migrated
/// when a request first uses it: it is serialized and deserialized, because the versions' classes
/// differ. Changes that a request still running in the old version makes afterwards are lost. Safe
/// for use by several threads.
final class MigratingSessionManager extends StandardManager {
    private static final Log LOG = LogFactory.getLog(MigratingSessionManager.class);

    private volatile @Nullable MigratingSessionManager previous;

    /// @param previous the manager of the previous version; null for the first version
    MigratingSessionManager(@Nullable MigratingSessionManager previous) {
        this.previous = previous;
        setPathname(null); // sessions end with the process
    }

    /// Migrates the remaining sessions, and drops the reference to the previous version.
    void migrateAll() {
        MigratingSessionManager old = previous;
        if (old != null) {
            for (Session session : old.findSessions()) {
                migrate(old, session.getId());
            }
            previous = null;
        }
    }

    /// Expires sessions that have been migrated, without notifying their listeners.
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

    /// Removes the session of the previous version, too: it would be migrated again, and requests
    /// with it would be mapped to that version. First, so that it is not migrated in between.
    @Override
    public void remove(Session session, boolean update) {
        MigratingSessionManager old = previous;
        String id = session.getIdInternal();
        if (old != null && id != null) {
            old.sessions.remove(id);
        }
        super.remove(session, update);
    }

    private synchronized @Nullable Session migrate(MigratingSessionManager old, String id) {
        StandardSession known = (StandardSession) sessions.get(id);
        if (known != null) {
            return known; // migrated concurrently
        }
        try {
            StandardSession session = (StandardSession) old.findSession(id);
            return session == null || !session.isValid() ? null : deserialize(serialize(session));
        } catch (IOException
                | ClassNotFoundException
                | RuntimeException
                | LinkageError
                // Thrown by the application's objects: other sessions must still be migrated.
                | StackOverflowError e) {
            LOG.warn("a session could not be migrated, and ends: " + e);
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
