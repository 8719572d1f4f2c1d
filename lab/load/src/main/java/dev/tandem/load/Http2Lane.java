package dev.tandem.load;

import org.jspecify.annotations.Nullable;

/// Sends calls of a user as streams of its channel, and repeats those that the server refused.
/// Confined to one load context.
final class Http2Lane implements CallLane, Http2Stream.Owner, TimerQueue.Timer {
    /// The pause before a refused call is first repeated; it doubles each time.
    private static final long REFUSED_PAUSE_NANOS = 10_000_000L;

    private static final long REFUSED_PAUSE_MAX_NANOS = 1_000_000_000L;

    private final LoadContext context;
    private final LaneUser user;
    private final Http2Channel channel;

    /// Calls that were added and have no outcome yet, including those that wait to be repeated.
    private int underWay;

    private @Nullable PendingCall scheduled;
    private boolean isAbandoned;

    Http2Lane(LoadContext context, LaneUser user, Http2Channel channel) {
        this.context = context;
        this.user = user;
        this.channel = channel;
    }

    @Override
    public int size() {
        return underWay;
    }

    @Override
    public boolean isScheduled() {
        return scheduled != null;
    }

    @Override
    public void add(PendingCall pending) {
        underWay++;
        enqueue(pending);
    }

    private void enqueue(PendingCall pending) {
        Use use = user.use(pending.call);
        channel.add(new Http2Stream(this, pending, use, context.client().bodyMax()));
    }

    @Override
    public void schedule(@Nullable PendingCall pending, long untilNanos) {
        scheduled = pending;
        context.timers().add(untilNanos, this);
    }

    @Override
    public void fire(long dueNanos) {
        context.recordLag(dueNanos);
        PendingCall pending = scheduled;
        scheduled = null;
        if (isAbandoned) {
            return;
        }
        if (pending != null) {
            pending.dueNanos = dueNanos;
            add(pending);
        }
        user.sendCalls(this, dueNanos);
    }

    @Override
    public void flush() {
        channel.flush();
    }

    @Override
    public void abandon() {
        isAbandoned = true;
        if (underWay > 0) {
            underWay = 0;
            channel.cancel(this);
        }
    }

    // ---- Events of streams.

    @Override
    public String ownHeaders(Call call) {
        return user.ownHeaders(call);
    }

    @Override
    public void responded(PendingCall pending, Reply reply) {
        if (!isAbandoned) {
            underWay--;
            user.onResponse(this, pending, reply, null);
        }
    }

    @Override
    public void failed(PendingCall pending, Outcome outcome) {
        if (isAbandoned) {
            return;
        }
        int repeats = pending.refusedCount;
        if (outcome == Outcome.STREAM_REFUSED
                && repeats < context.client().http2().refusedRetriesMax()) {
            pending.refusedCount++;
            repeatLater(pending, REFUSED_PAUSE_NANOS << Math.min(repeats, 10));
            return;
        }
        underWay--;
        context.error(outcome);
        user.onFailure(this, pending, new CallQueue(), outcome);
    }

    private void repeatLater(PendingCall pending, long pauseNanos) {
        context.tally().http2Repeated++;
        pending.resetToUnsent();
        long at = context.clock().nanos() + Math.min(pauseNanos, REFUSED_PAUSE_MAX_NANOS);
        context.timers()
                .add(
                        at,
                        dueNanos -> {
                            if (!isAbandoned) {
                                context.recordLag(dueNanos);
                                enqueue(pending);
                                flush();
                            }
                        });
    }
}
