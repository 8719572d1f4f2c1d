package dev.tandem.auction;

import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Limits the number of sessions: each request for a form begins one, and it takes memory until its
/// half hour is over. The oldest are invalidated for new ones. Anonymous sessions, which hold a
/// form's token only, are counted separately from members', so that no number of anonymous users
/// can sign out a member. Safe for use by any thread.
final class Sessions implements HttpSessionListener, HttpSessionAttributeListener {
    private final int most;
    private final Queue<HttpSession> strangers = new ArrayDeque<>();
    private final Queue<HttpSession> members = new ArrayDeque<>();

    /// @param most of each kind, 1 or more. One that has ended counts until it is the oldest
    Sessions(int most) {
        this.most = most;
    }

    @Override
    public void sessionCreated(HttpSessionEvent event) {
        HttpSession oldest = add(strangers, event.getSession());
        if (oldest != null) {
            end(oldest, false);
        }
    }

    /// Also called for a session that signs in: then it becomes a member's.
    @Override
    public void attributeAdded(HttpSessionBindingEvent event) {
        if (event.getName().equals(PageRequest.MEMBER)) {
            HttpSession oldest = add(members, event.getSession());
            if (oldest != null) {
                end(oldest, true);
            }
        }
    }

    /// @return the session that exceeds the limit
    private synchronized @Nullable HttpSession add(Queue<HttpSession> kind, HttpSession session) {
        kind.add(session);
        return kind.size() > most ? kind.remove() : null;
    }

    private static void end(HttpSession session, boolean isMember) {
        try {
            if (isMember == (session.getAttribute(PageRequest.MEMBER) != null)) {
                session.invalidate();
            }
        } catch (IllegalStateException _) {
            // The session has ended already.
        }
    }
}
