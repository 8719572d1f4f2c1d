package dev.tandem.engine.websocket;

import dev.tandem.http.websocket.CloseReason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// The members of a group that have their connections on one loop, and what they are to be sent.
///
/// Each run sends one batch to some members, and lets the loop do other work before the next ones:
/// a write takes some microseconds, so ten thousand members would stop the loop for long.
final class LoopMembers implements Runnable {
    /// Members that are written to in one run: 64, which takes less than a millisecond.
    private static final int RUN = 64;

    /// Most bytes of a batch of several messages: 16 KiB, so that it fits a buffer.
    private static final int BATCH_BYTES = 16_384;

    /// Most bytes that wait for the loop: 1 MiB.
    private static final long UNSENT_MAX = 1 << 20;

    private final Group group;
    private final Executor loop;

    // ---- Guarded by the group.

    /// What the loop has to do next. One queue, so that a member gets what was broadcast after it
    /// had joined.
    private final ArrayDeque<GroupAction> queue = new ArrayDeque<>();

    private long unsent;
    private boolean isScheduled;
    private int count;

    /// Members that have left and are still in the list.
    private int over;

    // ---- Confined to the loop.

    private final ArrayList<Membership> members = new ArrayList<>();
    private final Batch batch = new Batch();

    /// The next member that gets the batch.
    private int at;

    LoopMembers(Group group, Executor loop) {
        this.group = group;
        this.loop = loop;
    }

    Group group() {
        return group;
    }

    // ---- Called with the group's lock.

    boolean isFull() {
        return unsent > UNSENT_MAX;
    }

    /// A session has joined. Counted before its [GroupAction.Join] is queued: that may fail for
    /// lack of memory, and the membership ends all the same.
    void joined() {
        count++;
    }

    /// @return whether the loop has to be notified ([#notifyLoop])
    boolean add(GroupAction action) {
        queue.add(action); // first, as it may fail for lack of memory
        if (action instanceof GroupAction.Send(Broadcast message)) {
            unsent += message.memory();
        }
        return schedule();
    }

    /// Ends a membership. Its place is cleared before the next batch; at once if as many have left
    /// as remain.
    ///
    /// @return whether the loop has to be notified
    boolean end(Membership member) {
        member.end();
        count--;
        over++;
        return over > count && schedule();
    }

    /// @return whether the loop has to be notified, which it was not for what waits
    boolean schedule() {
        boolean wasScheduled = isScheduled;
        isScheduled = true;
        return !wasScheduled;
    }

    // ---- Called by any thread, without the lock.

    /// If this fails, as for lack of memory, the next action has to notify the loop.
    void notifyLoop() {
        try {
            loop.execute(this);
        } catch (Throwable e) {
            synchronized (group) {
                isScheduled = false;
            }
            throw e;
        }
    }

    // ---- Called on the loop.

    @Override
    public void run() {
        boolean isMore = true;
        try {
            if (at < members.size()) {
                sendToSome();
            }
            if (at == members.size()) {
                isMore = next();
            }
        } finally {
            if (isMore) {
                notifyLoop();
            }
        }
    }

    private void sendToSome() {
        int last = Math.min(at + RUN, members.size());
        while (at < last) {
            Membership member = members.get(at++); // before it can fail, or it would be repeated
            if (!member.isOver() && !member.session().broadcast(batch, group.closesSlow())) {
                group.skipped(batch.count());
            }
        }
    }

    /// Takes the next batch.
    ///
    /// @return whether there is more to do
    private boolean next() {
        CloseReason closing;
        boolean isMore;
        synchronized (group) {
            if (over > 0) {
                members.removeIf(Membership::isOver);
                over = 0;
            }
            closing = takeActions();
            isMore = batch.count() > 0 || !queue.isEmpty();
            isScheduled = isMore;
            if (!isMore && count == 0) {
                group.forget(loop, this);
            }
        }
        if (closing != null) {
            members.forEach(member -> member.session().close(closing));
        }
        at = batch.count() > 0 ? 0 : members.size();
        return isMore;
    }

    /// Takes actions up to the end of a batch, or a closing. One that cannot be taken, as without
    /// memory, stays queued behind those that were.
    private @Nullable CloseReason takeActions() {
        batch.clear();
        try {
            return takeSome();
        } catch (Throwable e) {
            if (batch.count() == 0) {
                throw e;
            }
            return null;
        }
    }

    private @Nullable CloseReason takeSome() {
        int bytes = 0;
        while (queue.peek() instanceof GroupAction action) {
            switch (action) {
                case GroupAction.Send(Broadcast message) -> {
                    bytes += message.plain().remaining();
                    if (batch.count() > 0 && bytes > BATCH_BYTES) {
                        return null;
                    }
                    batch.add(message);
                    unsent -= message.memory();
                }
                case GroupAction.Join(Membership member) -> {
                    if (batch.count() > 0) {
                        return null;
                    }
                    members.add(member);
                }
                case GroupAction.Close(CloseReason reason) -> {
                    if (batch.count() == 0) {
                        queue.remove();
                        return reason;
                    }
                    return null;
                }
            }
            queue.remove();
        }
        return null;
    }
}
