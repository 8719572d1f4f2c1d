package dev.tandem.engine;

import dev.tandem.admission.Session;
import dev.tandem.http.RequestHead;

/// The session that a connection's requests belong to: its own, until a cookie names one that is
/// known. Safe for use by any thread, since requests of one connection may run at the same time.
public final class ClientSession {
    private final Dispatcher dispatcher;
    private Session session;

    /// Of the cookie that the last request brought or a response set.
    private long key = SessionCookies.NONE;

    private boolean isRemembered;

    /// Whether a mark was found: once for each connection, since verifying takes a microsecond.
    private boolean isMarked;

    /// @param isResumed whether the connection resumed a TLS session
    public ClientSession(Dispatcher dispatcher, boolean isResumed) {
        this.dispatcher = dispatcher;
        this.session = isResumed ? Session.ofResumedTls() : new Session();
    }

    synchronized Session session() {
        return session;
    }

    /// Looks up the session of a request. Called before admission decides on it.
    synchronized void identify(RequestHead head) {
        if (isRemembered) {
            return; // a browser sends the same cookie with every request
        }
        key = dispatcher.cookies().keyOf(head);
        if (key != SessionCookies.NONE) {
            Session known = dispatcher.admission().session(key);
            if (known != null && known != session) {
                dispatcher.admission().closeSession(session);
                session = known;
                isRemembered = true;
            }
        }
        if (!isRemembered && !isMarked) {
            recognise(dispatcher.cookies().markOf(head));
        }
    }

    /// Continues a session that another server began: it is live here, too, as after the resumption
    /// of a TLS session. All connections with its mark share it.
    private void recognise(long mark) {
        if (mark == SessionCookies.NONE) {
            return;
        }
        isMarked = true;
        key = mark;
        Session known = dispatcher.admission().session(mark);
        dispatcher.admission().closeSession(session);
        session = known == null ? Session.ofResumedTls() : known;
        isRemembered = known != null;
    }

    /// Notes the session that a response begins. Called after the request has run.
    synchronized void responded(ResponseHeaders fields) {
        long set = dispatcher.cookies().keyOf(fields);
        if (set != SessionCookies.NONE) { // a new name, perhaps because the user has logged in
            key = set;
            isRemembered = false;
        }
        if (!isRemembered && key != SessionCookies.NONE) {
            dispatcher.admission().remember(key, session);
            isRemembered = true;
        }
    }

    /// Ends the session: the connection has closed.
    public synchronized void end() {
        dispatcher.admission().closeSession(session);
    }
}
