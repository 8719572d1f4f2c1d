package dev.tandem.net;

import org.jspecify.annotations.Nullable;

/// Deadlines in time buckets: setting, moving and cancelling one takes constant time (Varghese and
/// Lauck, SOSP 1987). Confined to its loop.
///
/// A deadline fires on the first [#advance] at or after the end of its tick: up to one tick late,
/// never early.
public final class TimingWheel {
    /// 16 ms: deadlines are whole seconds, and a loop with timers does not wake up more often.
    static final long TICK_NANOS = 16_000_000L;

    private static final int SLOTS = 1024;

    /// One slot more: the deadlines that are being fired, which may still be moved and cancelled.
    private static final int FIRING = SLOTS;

    private final @Nullable Deadline[] slots = new Deadline[SLOTS + 1];
    private final long originNanos;
    private long tick;
    private int count;

    /// No deadline is set before this tick; there need not be one at it.
    private long earliest = Long.MAX_VALUE;

    private @Nullable Throwable failure;

    public TimingWheel(long nowNanos) {
        this.originNanos = nowNanos;
    }

    /// Sets or moves a deadline.
    public void schedule(Deadline deadline, long atNanos) {
        cancel(deadline);
        long wanted = (atNanos - originNanos + TICK_NANOS - 1) / TICK_NANOS;
        deadline.tick = Math.max(wanted, tick + 1);
        int slot = (int) (deadline.tick % SLOTS);
        deadline.slot = slot;
        deadline.next = slots[slot];
        if (deadline.next != null) {
            deadline.next.previous = deadline;
        }
        slots[slot] = deadline;
        deadline.isScheduled = true;
        earliest = Math.min(earliest, deadline.tick);
        count++;
    }

    /// Cancels a deadline; has no effect if it is not set.
    public void cancel(Deadline deadline) {
        if (!deadline.isScheduled) {
            return;
        }
        unlink(deadline);
        deadline.isScheduled = false;
        count--;
    }

    private void unlink(Deadline deadline) {
        Deadline next = deadline.next;
        Deadline previous = deadline.previous;
        if (next != null) {
            next.previous = previous;
        }
        if (previous != null) {
            previous.next = next;
        } else {
            slots[deadline.slot] = next;
        }
        deadline.next = null;
        deadline.previous = null;
    }

    /// Fires due deadlines. If some fail, the first failure is thrown after all have fired.
    public void advance(long nowNanos) {
        long target = Math.floorDiv(nowNanos - originNanos, TICK_NANOS);
        if (target < earliest) {
            tick = Math.max(tick, target);
            return;
        }
        // After a long sleep each slot is checked once, not once per revolution of the wheel.
        long first = Math.max(tick + 1, target - SLOTS + 1);
        tick = target;
        for (long t = first; t <= target && count > 0; t++) {
            fire((int) (t % SLOTS), target);
        }
        earliest = nextSlot();
        Throwable thrown = failure;
        failure = null;
        if (thrown instanceof Error e) {
            throw e;
        } else if (thrown instanceof RuntimeException e) {
            throw e;
        } else if (thrown != null) {
            throw new IllegalStateException("what a deadline fires failed", thrown);
        }
    }

    /// Returns the tick of the next non-empty slot, whose deadlines may be due in a later
    /// revolution.
    private long nextSlot() {
        for (long t = tick + 1; count > 0 && t <= tick + SLOTS; t++) {
            if (slots[(int) (t % SLOTS)] != null) {
                return t;
            }
        }
        return Long.MAX_VALUE;
    }

    private void fire(int slot, long target) {
        // An action may schedule and cancel others, so those that are due are taken out first: one
        // walk over the slot, however many of a later revolution are in it.
        Deadline last = null;
        Deadline deadline = slots[slot];
        while (deadline != null) {
            Deadline next = deadline.next;
            if (deadline.tick <= target) {
                unlink(deadline);
                linkFiring(deadline, last);
                last = deadline;
            }
            deadline = next;
        }
        for (Deadline due = slots[FIRING]; due != null; due = slots[FIRING]) {
            cancel(due);
            run(due.action);
        }
    }

    private void linkFiring(Deadline deadline, @Nullable Deadline previous) {
        deadline.slot = FIRING;
        deadline.previous = previous;
        if (previous == null) {
            slots[FIRING] = deadline;
        } else {
            previous.next = deadline;
        }
    }

    private void run(Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            failure = failure == null ? e : failure;
        }
    }

    /// Returns how long a loop may sleep, in nanoseconds; -1 if no deadline is set. May be shorter
    /// than the time to the next deadline, never longer.
    public long sleepNanos(long nowNanos) {
        if (count == 0) {
            return -1;
        }
        return Math.max(1, earliest * TICK_NANOS - (nowNanos - originNanos));
    }

    /// Returns the number of deadlines.
    public int count() {
        return count;
    }

    /// A deadline, which can be scheduled repeatedly.
    public static final class Deadline {
        private final Runnable action;
        private @Nullable Deadline next;
        private @Nullable Deadline previous;
        private long tick;
        private int slot;
        private boolean isScheduled;

        /// @param action run by the loop when the deadline has passed
        public Deadline(Runnable action) {
            this.action = action;
        }

        boolean isScheduled() {
            return isScheduled;
        }
    }
}
