package dev.tandem.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Runs one session: passes the calls of each step to its lanes and the responses to the
/// session. Confined to one load context.
final class VirtualUser implements LaneUser, TimerQueue.Timer {
    private final LoadThread thread;
    private final LoadContext context;
    private final Session session;
    private final long beganNanos;
    private final UserState identity;
    private final UserLanes lanes;
    private final List<CallLane> open = new ArrayList<>(1);

    /// The index in the load thread's list.
    int index;

    private @Nullable Step step;
    private @Nullable Reply[] replies = {};
    private int nextIndex;
    private int completedCalls;

    /// Calls to repeat, before those not made yet.
    private final CallQueue retryQueue = new CallQueue();

    private int responsesTotal;
    private int connectionsTotal;
    /// Whether a call failed for good and the session continued.
    private boolean hasFailedCall;

    private boolean isOver;

    /// @param beganNanos when it was scheduled to start
    VirtualUser(
            LoadThread thread,
            Session session,
            UserState identity,
            UserLanes lanes,
            long beganNanos) {
        this.thread = thread;
        this.context = thread.context();
        this.session = session;
        this.identity = identity;
        this.lanes = lanes;
        this.beganNanos = beganNanos;
    }

    void begin() {
        next(List.of(), beganNanos);
    }

    /// @param sinceNanos when the last step ended
    private void next(List<Reply> last, long sinceNanos) {
        Step following = session.next(last);
        if (following == null) {
            end(true);
            return;
        }
        step = following;
        long think = following.think().toNanos();
        if (think > 0) {
            // A lane that waits for a repeated call, which another lane has made since, asks before
            // the step begins.
            nextIndex = following.calls().size();
            context.timers().add(sinceNanos + think, this);
        } else {
            runStep(following, sinceNanos);
        }
    }

    @Override
    public void fire(long dueNanos) {
        context.recordLag(dueNanos);
        Step following = step;
        if (!isOver && following != null) {
            runStep(following, dueNanos);
        }
    }

    private void runStep(Step now, long dueNanos) {
        int count = now.calls().size();
        if (replies.length == count) {
            Arrays.fill(replies, null);
        } else {
            replies = new @Nullable Reply[count];
        }
        nextIndex = 0;
        completedCalls = 0;
        boolean isParallel = now.shape() == Shape.PARALLEL;
        int most = isParallel ? Math.min(count, lanes.parallelMax()) : 1;
        while (open.size() < most) {
            open.add(lanes.open(this));
        }
        for (int i = 0; i < most && !isOver && step == now; i++) {
            sendCalls(open.get(i), dueNanos);
        }
    }

    @Override
    public void sendCalls(CallLane lane, long dueNanos) {
        Step now = step;
        int most = isPipelining() ? context.client().pipelinedMax() : 1;
        while (!isOver && now != null && !lane.isScheduled() && lane.size() < most) {
            PendingCall pending = retryQueue.poll();
            if (pending == null) {
                pending = nextCall(now, dueNanos);
            }
            if (pending == null) {
                break;
            }
            long gap = now.shape() == Shape.PIPELINED ? 0 : pending.call.gap().toNanos();
            if (gap > 0 && pending.retries == 0) {
                lane.schedule(pending, dueNanos + gap);
                return;
            }
            lane.add(pending);
        }
        lane.flush();
    }

    private @Nullable PendingCall nextCall(Step now, long dueNanos) {
        if (nextIndex == now.calls().size()) {
            return null;
        }
        var pending = new PendingCall(now.calls().get(nextIndex), nextIndex);
        pending.dueNanos = dueNanos;
        nextIndex++;
        return pending;
    }

    // ---- Events from lanes.

    @Override
    public void onResponse(
            CallLane lane, PendingCall pending, Reply reply, @Nullable CallQueue unanswered) {
        responsesTotal++;
        if (unanswered != null) {
            retryQueue.addFirst(unanswered);
        }
        identity.learn(reply);
        Outcome outcome = outcome(reply);
        if (outcome == Outcome.OK) {
            completeCall(lane, pending, reply);
            return;
        }
        context.error(outcome);
        retryOrFail(lane, pending, reply.withOutcome(outcome));
    }

    private Outcome outcome(Reply reply) {
        if (context.isFailing(reply.status())) {
            return Outcome.BAD_STATUS;
        }
        boolean isFine = reply.call().check() == Check.ANY || reply.call().check().accepts(reply);
        return isFine ? Outcome.OK : Outcome.WRONG_CONTENT;
    }

    private void completeCall(CallLane lane, PendingCall pending, Reply reply) {
        replies[pending.index] = reply;
        completedCalls++;
        long now = context.clock().nanos();
        if (completedCalls < replies.length) {
            sendCalls(lane, now);
        } else {
            next(completedReplies(), now);
        }
    }

    private List<Reply> completedReplies() {
        var completed = new ArrayList<Reply>(replies.length);
        for (Reply reply : replies) {
            if (reply != null) {
                completed.add(reply);
            }
        }
        return completed;
    }

    @Override
    public void onFailure(CallLane lane, PendingCall pending, CallQueue others, Outcome outcome) {
        retryQueue.addFirst(others);
        retryOrFail(lane, pending, new Reply(pending.call, outcome, 0, "", 0, new byte[0], 0, 0));
    }

    private void retryOrFail(CallLane lane, PendingCall pending, Reply reply) {
        if (pending.retries < context.client().retriesMax()) {
            pending.retries++;
            pending.resetToUnsent();
            context.tally().retries++;
            var one = new CallQueue();
            one.add(pending);
            retryQueue.addFirst(one);
            lane.schedule(null, context.clock().nanos());
        } else {
            context.tally().failed(pending.call);
            if (context.client().isContinuingAfterFailure()) {
                continueAfterFailure(lane, pending, reply);
            } else {
                end(false);
            }
        }
    }

    /// Runs by a timer, so that consecutive failures do not grow the stack.
    private void continueAfterFailure(CallLane lane, PendingCall pending, Reply reply) {
        hasFailedCall = true;
        context.timers()
                .add(
                        context.clock().nanos(),
                        _ -> {
                            if (!isOver) {
                                completeCall(lane, pending, reply);
                            }
                        });
    }

    @Override
    public void onPipelineCut(CallLane lane, CallQueue unanswered) {
        retryQueue.addFirst(unanswered);
        lane.schedule(null, context.clock().nanos());
    }

    @Override
    public void connectionBegun() {
        connectionsTotal++;
    }

    // ---- For lanes.

    @Override
    public boolean isOver() {
        return isOver;
    }

    @Override
    public boolean isPipelining() {
        return step != null && step.shape() == Shape.PIPELINED;
    }

    @Override
    public String ownHeaders(Call call) {
        return identity.fields(call);
    }

    @Override
    public Use use(Call call) {
        return identity.use(call);
    }

    @Override
    public String tlsPeer() {
        return identity.tlsPeer();
    }

    // ---- End.

    private void end(boolean isWhole) {
        if (isOver) {
            return;
        }
        boolean isComplete = isWhole && !hasFailedCall;
        abort();
        long life = context.clock().nanos() - beganNanos;
        context.tally().sessionEnded(isComplete, life, responsesTotal, connectionsTotal);
        thread.sessionEnded(this, isComplete);
    }

    /// Ends all calls, without counting.
    void abort() {
        isOver = true;
        for (CallLane lane : open) {
            lane.abandon();
        }
        lanes.close();
    }
}
