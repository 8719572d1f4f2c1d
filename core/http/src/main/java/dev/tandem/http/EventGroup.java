package dev.tandem.http;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The subscribers of a channel whose connections have one event loop: one task of the loop sends a
/// new event to all of them.
///
/// Guarded by this object, which is held for no call of others: mostly by the loop, but a handler
/// that fails behind its subscription ends it on its own thread.
final class EventGroup implements Runnable {
    /// How many subscribers get an event before the loop serves other connections: 256, about a
    /// millisecond.
    private static final int BATCH = 256;

    private final Executor loop;

    /// Whether there is an event that not all members were sent.
    private final AtomicBoolean hasNews = new AtomicBoolean();

    /// Whether the loop has this as a task, which it has once at most.
    private final AtomicBoolean isQueued = new AtomicBoolean();

    private final List<EventSubscription> members = new ArrayList<>();

    /// How many members are still to be served: the first ones. They are served from the last one
    /// on, so that what takes the place of a member that has left was served already.
    private int left;

    EventGroup(Executor loop) {
        this.loop = loop;
    }

    Executor loop() {
        return loop;
    }

    /// There is an event. May be called by any thread.
    void wake() {
        hasNews.set(true);
        queue();
    }

    private void queue() {
        if (!isQueued.get() && !isQueued.getAndSet(true)) {
            execute();
        }
    }

    /// If this fails, as for lack of memory, the next event queues the task.
    private void execute() {
        try {
            loop.execute(this);
        } catch (Throwable e) {
            isQueued.set(false);
            throw e;
        }
    }

    @Override
    public void run() {
        boolean isMore = true;
        try {
            isMore = serveSome();
        } finally {
            if (isMore) {
                execute();
            } else {
                isQueued.set(false);
                if (hasNews.get()) {
                    queue();
                }
            }
        }
    }

    /// @return whether others are still to be served
    private boolean serveSome() {
        synchronized (this) {
            if (left == 0 && hasNews.getAndSet(false)) {
                left = members.size();
            }
        }
        for (int i = 0; i < BATCH; i++) {
            EventSubscription next = next();
            if (next == null) {
                return false;
            }
            next.send();
        }
        return hasMore();
    }

    /// Returns the next member to be served; null if all were. It is served without the lock: one
    /// that is disconnected meanwhile leaves its channel, which has a lock of its own.
    private synchronized @Nullable EventSubscription next() {
        if (left == 0) {
            return null;
        }
        left--;
        return members.get(left);
    }

    private synchronized boolean hasMore() {
        return left > 0;
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
        left = Math.min(left, members.size());
        return members.isEmpty();
    }
}
