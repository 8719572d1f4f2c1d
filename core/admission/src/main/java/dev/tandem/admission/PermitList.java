package dev.tandem.admission;

import org.jspecify.annotations.Nullable;

/// Permits in the order they came. The links are the permits' own, so that one in the middle
/// leaves at once and nothing is allocated. Guarded by the admission's lock.
final class PermitList {
    private @Nullable Permit first;
    private @Nullable Permit last;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    @Nullable Permit first() {
        return first;
    }

    void add(Permit permit) {
        permit.before = last;
        permit.after = null;
        if (last == null) {
            first = permit;
        } else {
            last.after = permit;
        }
        last = permit;
        size++;
    }

    /// Before all others.
    void addFirst(Permit permit) {
        permit.before = null;
        permit.after = first;
        if (first == null) {
            last = permit;
        } else {
            first.before = permit;
        }
        first = permit;
        size++;
    }

    void remove(Permit permit) {
        Permit before = permit.before;
        Permit after = permit.after;
        if (before == null) {
            first = after;
        } else {
            before.after = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.before = before;
        }
        permit.before = null;
        permit.after = null;
        size--;
    }
}
