package dev.tandem.http;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/// The subscribers of a channel whose connections have one event loop: one task of the loop sends a
/// new event to all of them.
///
/// Guarded by this object, which only the loop locks, except while its server ends.
final class EventGroup implements Runnable {
    /// How many subscribers get an event before the loop serves other connections: 256, about a
    /// millisecond.
    private static final int BATCH = 256;

    private final Executor loop;
    private final AtomicBoolean isWoken = new AtomicBoolean();
    private final List<EventSubscription> members = new ArrayList<>();

    /// How many members are still to be served, from this one on.
    private int left;

    private int next;

    EventGroup(Executor loop) {
        this.loop = loop;
    }

    Executor loop() {
        return loop;
    }

    /// There is an event. May be called by any thread.
    void wake() {
        if (!isWoken.get() && !isWoken.getAndSet(true)) {
            loop.execute(this);
        }
    }

    @Override
    public synchronized void run() {
        if (isWoken.getAndSet(false)) {
            left = members.size();
        }
        for (int i = 0; i < BATCH && left > 0; i++) {
            left--;
            next = next < members.size() ? next : 0;
            members.get(next++).send();
        }
        if (left > 0) {
            loop.execute(this);
        }
    }

    synchronized boolean isEmpty() {
        return members.isEmpty();
    }

    synchronized void add(EventSubscription member) {
        member.place(members.size());
        members.add(member);
    }

    /// @return whether there is no other
    synchronized boolean remove(EventSubscription member) {
        EventSubscription moved = members.removeLast();
        if (moved != member) {
            members.set(member.place(), moved);
            moved.place(member.place());
        }
        // One that was moved may not have had its turn.
        left = left > 0 ? members.size() : 0;
        return members.isEmpty();
    }
}
