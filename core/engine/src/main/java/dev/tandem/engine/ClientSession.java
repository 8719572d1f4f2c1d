package dev.tandem.engine;

import dev.tandem.admission.Session;
import dev.tandem.http.RequestHead;

/// Which session a connection's requests are of: its own, until a cookie tells of one that is
/// known. The connection's owner's.
final class ClientSession {
    private final Dispatcher turns;
    private Session session = new Session();

    /// Of the cookie that the last request brought or an answer set.
    private long key = SessionCookies.NONE;

    private boolean isRemembered;

    /// @param isResumed whether the connection resumed a TLS session
    ClientSession(Dispatcher turns, boolean isResumed) {
        this.turns = turns;
        if (isResumed) {
            session.resumed();
        }
    }

    Session session() {
        return session;
    }

    /// Before a request is decided on.
    void asks(RequestHead head) {
        if (isRemembered) {
            return; // a browser sends the same cookie with every request
        }
        key = turns.cookies().keyOf(head);
        if (key != SessionCookies.NONE) {
            Session known = turns.admission().session(key);
            if (known != null && known != session) {
                turns.admission().end(session);
                session = known;
                isRemembered = true;
            }
        }
    }

    /// After it was answered.
    void answered(ResponseHeaders fields) {
        long set = turns.cookies().keyOf(fields);
        if (set != SessionCookies.NONE) { // a new name, perhaps because the visitor has logged in
            key = set;
            isRemembered = false;
        }
        if (!isRemembered && key != SessionCookies.NONE) {
            turns.admission().remember(key, session);
            isRemembered = true;
        }
    }

    /// The connection has closed.
    void end() {
        turns.admission().end(session);
    }
}
