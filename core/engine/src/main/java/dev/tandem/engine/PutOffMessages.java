package dev.tandem.engine;

import dev.tandem.engine.site.RouteTiming;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Messages of WebSocket sessions that admission has put off, by their routes. Those of a route ask
/// again in the order in which they came, and new ones wait behind them: a session that sends again
/// at once would otherwise take each place that becomes free. Safe for use by any thread.
final class PutOffMessages {

    // ---- Guarded by this.

    private final Map<RouteTiming, Deque<MessageAdmission>> routes = new LinkedHashMap<>();
    private boolean isStopped;

    /// Written with the lock.
    private volatile int size;

    boolean isEmpty() {
        return size == 0;
    }

    /// Adds a new message behind those of its route.
    ///
    /// @return false if there are none: then it asks by itself
    boolean join(MessageAdmission message) {
        if (size == 0) {
            return false;
        }
        synchronized (this) {
            Deque<MessageAdmission> before = routes.get(message.timing());
            if (before == null) {
                return false;
            }
            before.addLast(message);
            size++;
            return true;
        }
    }

    /// Adds a message that has asked, before those of its route that have not.
    ///
    /// @return false if the server has stopped: the message is to be closed
    synchronized boolean add(MessageAdmission message) {
        if (!isStopped) {
            routes.computeIfAbsent(message.timing(), _ -> new ArrayDeque<>()).addFirst(message);
            size++;
        }
        return !isStopped;
    }

    private synchronized List<RouteTiming> routes() {
        return List.copyOf(routes.keySet());
    }

    private synchronized @Nullable MessageAdmission poll(RouteTiming route) {
        Deque<MessageAdmission> waiting = routes.get(route);
        if (waiting == null) {
            return null;
        }
        MessageAdmission first = waiting.remove();
        size--;
        if (waiting.isEmpty()) {
            routes.remove(route);
        }
        return first;
    }

    /// Has the first messages of each route ask again, until one of it is put off once more. Behind
    /// one that is given up, others may be, too.
    ///
    /// @param most how many of a route
    void askAgain(int most) {
        for (RouteTiming route : routes()) {
            for (int i = 0; i < most; i++) {
                MessageAdmission first = poll(route);
                if (first == null || !first.askAgain()) {
                    break;
                }
            }
        }
    }

    /// Takes all out. No more are added.
    synchronized List<MessageAdmission> stop() {
        isStopped = true;
        var all = new ArrayList<MessageAdmission>();
        routes.values().forEach(all::addAll);
        routes.clear();
        size = 0;
        return all;
    }
}
