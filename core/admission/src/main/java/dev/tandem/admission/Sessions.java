package dev.tandem.admission;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Sessions by the cookie that names them. A cookie that is not known here gives no advantage.
///
/// There are two tables, so that made-up cookies push out no real session: one that has had a
/// single request is on probation, and only such sessions are removed for another one. Guarded by
/// the admission's lock.
final class Sessions {
    /// 50,000 in each table, about 100 bytes each.
    static final int PART_MAX = Tuning.count("Sessions.PART_MAX", 50_000);

    private final Map<Long, Session> onProbation = new LinkedHashMap<>();
    private final Map<Long, Session> proven = new LinkedHashMap<>(16, 0.75f, true);
    private final int partMax;
    private final Consumer<Session> ended;

    /// @param ended receives each session that is removed
    Sessions(int partMax, Consumer<Session> ended) {
        this.partMax = partMax;
        this.ended = ended;
    }

    @Nullable Session find(long key) {
        Session known = proven.get(key);
        if (known != null) {
            return known;
        }
        Session candidate = onProbation.get(key);
        if (candidate != null && candidate.requests > 1) {
            onProbation.remove(key);
            put(proven, key, candidate);
        }
        return candidate;
    }

    void put(long key, Session session) {
        if (!proven.containsKey(key)) {
            put(onProbation, key, session);
        }
    }

    private void put(Map<Long, Session> table, long key, Session session) {
        table.put(key, session);
        if (table.size() > partMax) {
            Iterator<Session> eldest = table.values().iterator();
            ended.accept(eldest.next());
            eldest.remove();
        }
    }

    int size() {
        return onProbation.size() + proven.size();
    }

    /// Removes sessions whose last request is older than a time: so many at once that a tick is
    /// short.
    void sweep(long lastRequestBefore) {
        sweep(onProbation, lastRequestBefore);
        sweep(proven, lastRequestBefore);
    }

    private void sweep(Map<Long, Session> table, long lastRequestBefore) {
        Iterator<Session> eldest = table.values().iterator();
        for (int i = 0; i < PermitQueue.LOOK_MAX && eldest.hasNext(); i++) {
            Session session = eldest.next();
            if (session.lastAt >= lastRequestBefore) {
                return;
            }
            ended.accept(session);
            eldest.remove();
        }
    }
}
