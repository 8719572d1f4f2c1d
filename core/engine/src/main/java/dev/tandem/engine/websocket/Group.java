package dev.tandem.engine.websocket;

import dev.tandem.http.WebSocket;
import dev.tandem.http.WebSocketMessage;
import dev.tandem.http.websocket.CloseReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;

/// Sessions that get the same messages ([dev.tandem.WebSocketGroup]). Safe for use by any thread.
///
/// With the lock of a group that of a session may be taken, to join; never the reverse.
public final class Group {
    private final boolean closesSlow;
    private final LongAdder skipped = new LongAdder();

    // ---- Guarded by this.

    private final Map<Executor, LoopMembers> loops = new HashMap<>();
    private int size;

    /// The number of members by their window bits.
    private final int[] windows = new int[Broadcast.WINDOWS];

    /// @param closesSlow whether members that are too slow are closed; else they are skipped
    public Group(boolean closesSlow) {
        this.closesSlow = closesSlow;
    }

    boolean closesSlow() {
        return closesSlow;
    }

    /// @throws IllegalArgumentException if it is not an engine's session
    public void add(WebSocket session) {
        if (!(session instanceof WebSocketSession own)) {
            throw new IllegalArgumentException("not a server's session: " + session.getClass());
        }
        LoopMembers members;
        boolean isToBeNotified;
        synchronized (this) {
            LoopMembers known = loops.get(own.loop());
            members = known == null ? new LoopMembers(this, own.loop()) : known;
            Membership joined = own.join(members);
            if (joined == null) {
                return;
            }
            size++; // first what its end takes back: the rest may fail for lack of memory
            windows[own.windowBits()]++;
            members.joined();
            loops.put(own.loop(), members);
            isToBeNotified = members.add(new GroupAction.Join(joined));
        }
        if (isToBeNotified) {
            members.notifyLoop();
        }
    }

    public void remove(WebSocket session) {
        Membership left = session instanceof WebSocketSession own ? own.leave(this) : null;
        if (left != null) {
            end(left);
        }
    }

    /// Ends the membership of a session that has left.
    void end(Membership left) {
        boolean isToBeNotified;
        synchronized (this) {
            size--;
            windows[left.session().windowBits()]--;
            isToBeNotified = left.members().end(left);
        }
        if (isToBeNotified) {
            left.members().notifyLoop();
        }
    }

    /// Forgets a loop without members. Called with the lock.
    void forget(Executor loop, LoopMembers members) {
        loops.remove(loop, members);
    }

    public synchronized int size() {
        return size;
    }

    void skipped(int messages) {
        skipped.add(messages);
    }

    public long skipped() {
        return skipped.sum();
    }

    /// @return whether the message is accepted
    public boolean broadcast(WebSocketMessage message) {
        return addToAll(new GroupAction.Send(Broadcast.of(message, windows())));
    }

    private synchronized int[] windows() {
        return windows.clone();
    }

    public void close(CloseReason reason) {
        addToAll(new GroupAction.Close(reason));
    }

    /// All loops get it while the lock is held: so all have the same order.
    private boolean addToAll(GroupAction action) {
        List<LoopMembers> notified;
        boolean isAccepted;
        synchronized (this) {
            notified = new ArrayList<>(loops.size());
            isAccepted =
                    !(action instanceof GroupAction.Send)
                            || loops.values().stream().noneMatch(LoopMembers::isFull);
            for (LoopMembers members : loops.values()) {
                // A full one was perhaps not notified, for lack of memory, and would stay full.
                if (isAccepted ? members.add(action) : members.isFull() && members.schedule()) {
                    notified.add(members);
                }
            }
        }
        notifyFrom(notified, 0);
        return isAccepted;
    }

    /// Notifies all, though it may fail for some.
    private static void notifyFrom(List<LoopMembers> notified, int at) {
        if (at < notified.size()) {
            try {
                notified.get(at).notifyLoop();
            } finally {
                notifyFrom(notified, at + 1);
            }
        }
    }
}
