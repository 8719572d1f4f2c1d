package dev.tandem.engine;

import dev.tandem.admission.Session;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.RequestHead;

/// Finds the session of each request of a connection: the connection's own, until a cookie names
/// one that is known. Safe for use by any thread, since requests of one connection may run at the
/// same time.
///
/// A load balancer sends requests of many clients by one connection, so that its connections are no
/// sessions: there each request is identified by its cookies alone, and one without them is a new
/// client's. Where a proxy is not known as such, a cookie that differs from the one before says as
/// much of the request that brings it.
public final class ClientSession {
    private final Dispatcher dispatcher;
    private final boolean isOfBalancer;
    private Identity last;

    /// The value of the `Cookie` header of the last request that was looked up; empty if the next
    /// is looked up, too.
    private String cookie = "";

    /// Whether a mark was found: once for each cookie, since verifying takes a microsecond.
    private boolean isMarked;

    /// The session that a request belongs to.
    ///
    /// @param key of the cookie that the request brought or its response set, or
    ///     [SessionCookies#NONE]
    /// @param isRemembered whether admission finds the session by its key
    record Identity(Session session, long key, boolean isRemembered) {
        static Identity of(Session session) {
            return new Identity(session, SessionCookies.NONE, false);
        }
    }

    /// @param isResumed whether the connection resumed a TLS session
    /// @param isOfBalancer whether the connection carries requests of many clients
    public ClientSession(Dispatcher dispatcher, boolean isResumed, boolean isOfBalancer) {
        this.dispatcher = dispatcher;
        this.isOfBalancer = isOfBalancer;
        boolean isKnown = isResumed && !isOfBalancer; // else it is the balancer that resumes
        this.last = Identity.of(isKnown ? Session.ofResumedTls() : newSession());
    }

    /// Looks up the session of a request. Called before admission decides on it.
    synchronized Identity identify(RequestHead head) {
        if (isOfBalancer) {
            last = Identity.of(newSession());
            isMarked = false;
        } else if (last.isRemembered && isAsBefore(head)) {
            return last; // a browser sends the same cookie with every request
        }
        long key = dispatcher.cookies().keyOf(head);
        if (key != SessionCookies.NONE && !(last.isRemembered && key == last.key)) {
            named(key);
        }
        if (!last.isRemembered && !isMarked) {
            marked(dispatcher.cookies().markOf(head));
        }
        cookie = last.isRemembered && !isOfBalancer ? head.value(KnownHeader.COOKIE) : "";
        return last;
    }

    private Session newSession() {
        return isOfBalancer ? Session.shared(false) : new Session();
    }

    private boolean isAsBefore(RequestHead head) {
        return !head.has(KnownHeader.COOKIE) || head.isExactly(KnownHeader.COOKIE, cookie);
    }

    /// Continues the session of a cookie. One that is not known is proven by the response; until
    /// then, the request is the connection's, or a new client's if that was another's.
    private void named(long key) {
        Session known = dispatcher.admission().session(key);
        if (known != null) {
            replace(known);
        } else if (last.isRemembered) {
            last = Identity.of(newSession());
        }
        last = new Identity(last.session, key, known != null);
    }

    /// Continues a session that another server began: it is live here, too, as after the resumption
    /// of a TLS session. All connections with its mark share it.
    private void marked(long mark) {
        if (mark == SessionCookies.NONE) {
            return;
        }
        isMarked = true;
        Session known = dispatcher.admission().session(mark);
        replace(known == null ? Session.shared(true) : known);
        last = new Identity(last.session, mark, known != null);
    }

    private void replace(Session by) {
        if (by != last.session) {
            dispatcher.admission().closeSession(last.session);
            last = Identity.of(by);
        }
    }

    /// Notes the session that a response begins. Called after the request has run.
    synchronized void responded(Identity of, ResponseHeaders headers) {
        long set = dispatcher.cookies().keyOf(headers);
        boolean isNew = set != SessionCookies.NONE; // perhaps because the user has logged in
        long key = isNew ? set : of.key;
        if ((isNew || !of.isRemembered) && key != SessionCookies.NONE) {
            dispatcher.admission().remember(key, of.session);
            if (of == last) {
                last = new Identity(of.session, key, true);
            }
        } else if (isOfBalancer) {
            dispatcher.admission().closeSession(of.session); // by what should it be recognised?
        }
    }

    /// Ends the session: the connection has closed.
    public synchronized void end() {
        dispatcher.admission().closeSession(last.session);
    }
}
