package dev.tandem.testkit.interleave;

import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/// Finds data races: two accesses to a plain field, one of them a write, that nothing orders.
/// Vector clocks of
/// actors, of what they synchronize by, and of each field's accesses.
final class Accesses {
    private static final int ACTORS_MAX = 8;

    private final int[][] now = new int[ACTORS_MAX][ACTORS_MAX];
    private final Map<Object, int[]> synchronizers = new IdentityHashMap<>();
    private final Map<Object, Map<String, Field>> fields = new IdentityHashMap<>();

    /// The last accesses of each actor to a field.
    private static final class Field {
        final int[] reads = new int[ACTORS_MAX];
        final int[] writes = new int[ACTORS_MAX];
    }

    Accesses() {
        for (int i = 0; i < ACTORS_MAX; i++) {
            now[i][i] = 1;
        }
    }

    /// An access that orders those before it and those after it of all actors that use the same
    /// object.
    void synchronize(int actor, Object by) {
        acquire(actor, by);
        release(actor, by);
    }

    void acquire(int actor, Object by) {
        int[] seen = synchronizers.get(by);
        if (seen != null) {
            join(now[actor], seen);
        }
    }

    void release(int actor, Object by) {
        join(synchronizers.computeIfAbsent(by, _ -> new int[ACTORS_MAX]), now[actor]);
        now[actor][actor]++;
    }

    /// An actor starts another one.
    void start(int actor, int other) {
        join(now[other], now[actor]);
        now[actor][actor]++;
    }

    private static void join(int[] into, int[] other) {
        for (int i = 0; i < into.length; i++) {
            into[i] = Math.max(into[i], other[i]);
        }
    }

    /// @throws AssertionError if it races with an earlier access
    void plain(int actor, Object of, String name, boolean isWrite) {
        Field field =
                fields.computeIfAbsent(of, _ -> new HashMap<>())
                        .computeIfAbsent(name, _ -> new Field());
        int[] seen = now[actor];
        for (int i = 0; i < ACTORS_MAX; i++) {
            if (i != actor && (field.writes[i] > seen[i] || isWrite && field.reads[i] > seen[i])) {
                throw new AssertionError(
                        "data race: "
                                + of.getClass().getSimpleName()
                                + '.'
                                + name
                                + " of actors "
                                + i
                                + " and "
                                + actor);
            }
        }
        (isWrite ? field.writes : field.reads)[actor] = seen[actor];
    }

    @Override
    public String toString() {
        return Arrays.deepToString(now);
    }
}
