package dev.tandem.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Runs one session: passes the calls of each step to its connections and the responses to the
/// session. Confined to one load thread.
final class VirtualUser implements TimerQueue.Timer {
    private final LoadThread thread;
    private final Session session;
    private final long beganNanos;
    private final UserState identity;
    private final List<ClientConnection> connections = new ArrayList<>(1);

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
    VirtualUser(LoadThread thread, Session session, UserState identity, long beganNanos) {
        this.thread = thread;
        this.session = session;
        this.identity = identity;
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
            thread.timers().add(sinceNanos + think, this);
        } else {
            runStep(following, sinceNanos);
        }
    }

    @Override
    public void fire(long dueNanos) {
        thread.recordLag(dueNanos);
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
        int lanes = isParallel ? Math.min(count, thread.load().client().connectionsMax()) : 1;
        while (connections.size() < lanes) {
            connections.add(new ClientConnection(thread, this));
        }
        for (int i = 0; i < lanes && !isOver && step == now; i++) {
            sendCalls(connections.get(i), dueNanos);
        }
    }

    /// Gives a connection the calls that it may make now.
    ///
    /// @param dueNanos when they are scheduled
    void sendCalls(ClientConnection connection, long dueNanos) {
        Step now = step;
        int most = isPipelining() ? thread.load().client().pipelinedMax() : 1;
        while (!isOver && now != null && !connection.isScheduled() && connection.size() < most) {
            PendingCall pending = retryQueue.poll();
            if (pending == null) {
                pending = nextCall(now, dueNanos);
            }
            if (pending == null) {
                break;
            }
            long gap = now.shape() == Shape.PIPELINED ? 0 : pending.call.gap().toNanos();
            if (gap > 0 && pending.retries == 0) {
                connection.schedule(pending, dueNanos + gap);
                return;
            }
            connection.add(pending);
        }
        connection.flush();
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

    // ---- Events from connections.

    /// @param unanswered if the connection is closed by this response: its other calls under way
    void onResponse(
            ClientConnection connection,
            PendingCall pending,
            Reply reply,
            @Nullable CallQueue unanswered) {
        responsesTotal++;
        if (unanswered != null) {
            retryQueue.addFirst(unanswered);
        }
        identity.learn(reply);
        Outcome outcome = outcome(reply);
        if (outcome == Outcome.OK) {
            completeCall(connection, pending, reply);
            return;
        }
        thread.error(outcome);
        retryOrFail(connection, pending, reply.withOutcome(outcome));
    }

    private Outcome outcome(Reply reply) {
        if (thread.isFailing(reply.status())) {
            return Outcome.BAD_STATUS;
        }
        boolean isFine = reply.call().check() == Check.ANY || reply.call().check().accepts(reply);
        return isFine ? Outcome.OK : Outcome.WRONG_CONTENT;
    }

    private void completeCall(ClientConnection connection, PendingCall pending, Reply reply) {
        replies[pending.index] = reply;
        completedCalls++;
        long now = thread.clock().nanos();
        if (completedCalls < replies.length) {
            sendCalls(connection, now);
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

    /// A connection broke while a call was under way.
    ///
    /// @param others that were under way behind it
    void onFailure(
            ClientConnection connection, PendingCall pending, CallQueue others, Outcome outcome) {
        retryQueue.addFirst(others);
        retryOrFail(
                connection, pending, new Reply(pending.call, outcome, 0, "", 0, new byte[0], 0, 0));
    }

    private void retryOrFail(ClientConnection connection, PendingCall pending, Reply reply) {
        if (pending.retries < thread.load().client().retriesMax()) {
            pending.retries++;
            pending.resetToUnsent();
            thread.tally().retries++;
            var one = new CallQueue();
            one.add(pending);
            retryQueue.addFirst(one);
            connection.schedule(null, thread.clock().nanos());
        } else {
            thread.tally().failed(pending.call);
            if (thread.load().client().isContinuingAfterFailure()) {
                continueAfterFailure(connection, pending, reply);
            } else {
                end(false);
            }
        }
    }

    /// Runs by a timer, so that consecutive failures do not grow the stack.
    private void continueAfterFailure(
            ClientConnection connection, PendingCall pending, Reply reply) {
        hasFailedCall = true;
        thread.timers()
                .add(
                        thread.clock().nanos(),
                        _ -> {
                            if (!isOver) {
                                completeCall(connection, pending, reply);
                            }
                        });
    }

    /// The server ended a connection between two pipelined responses.
    void onPipelineCut(ClientConnection connection, CallQueue unanswered) {
        retryQueue.addFirst(unanswered);
        connection.schedule(null, thread.clock().nanos());
    }

    void connectionBegun() {
        connectionsTotal++;
    }

    // ---- For connections.

    boolean isOver() {
        return isOver;
    }

    boolean isPipelining() {
        return step != null && step.shape() == Shape.PIPELINED;
    }

    String ownHeaders(Call call) {
        return identity.fields(call);
    }

    Use use(Call call) {
        return identity.use(call);
    }

    String tlsPeer() {
        return identity.tlsPeer();
    }

    // ---- End.

    private void end(boolean isWhole) {
        if (isOver) {
            return;
        }
        boolean isComplete = isWhole && !hasFailedCall;
        abort();
        long life = thread.clock().nanos() - beganNanos;
        thread.tally().sessionEnded(isComplete, life, responsesTotal, connectionsTotal);
        thread.sessionEnded(this, isComplete);
    }

    /// Closes all connections, without counting.
    void abort() {
        isOver = true;
        for (ClientConnection connection : connections) {
            connection.close();
        }
    }
}
