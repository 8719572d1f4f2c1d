package dev.tandem.auction;

import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Bounds how many sessions there are at a time: whoever asks for a form begins one, and it takes
/// memory until its half hour is over. The oldest end in favour of new ones. Strangers' sessions,
/// which hold a form's token only, are counted apart from members', so that no crowd of strangers
/// signs anybody out. Safe for use by any thread.
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

    /// Of those who sign in, too: then it becomes a member's.
    @Override
    public void attributeAdded(HttpSessionBindingEvent event) {
        if (event.getName().equals(Visit.MEMBER)) {
            HttpSession oldest = add(members, event.getSession());
            if (oldest != null) {
                end(oldest, true);
            }
        }
    }

    /// @return the one that is too many
    private synchronized @Nullable HttpSession add(Queue<HttpSession> kind, HttpSession session) {
        kind.add(session);
        return kind.size() > most ? kind.remove() : null;
    }

    private static void end(HttpSession session, boolean isMember) {
        try {
            if (isMember == (session.getAttribute(Visit.MEMBER) != null)) {
                session.invalidate();
            }
        } catch (IllegalStateException _) {
            // It has ended by itself.
        }
    }
}
