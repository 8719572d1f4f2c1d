package dev.tandem.load;

import org.jspecify.annotations.Nullable;

/// The user whose calls a lane sends: has more of them, and receives their outcomes. Apart from the
/// session, so that lanes do not depend on it. Confined to one load thread.
interface LaneUser {

    /// Whether the session has ended.
    boolean isOver();

    /// Whether calls of a step are under way together.
    boolean isPipelining();

    /// Returns the header lines that this user adds to a call, each with its end; mostly none.
    String ownHeaders(Call call);

    /// Returns which part of a response must be kept.
    Use use(Call call);

    /// The name that the user's TLS sessions are stored by; empty for none.
    String tlsPeer();

    void connectionBegun();

    /// Gives a lane the calls that it may make now.
    ///
    /// @param dueNanos when they are scheduled
    void sendCalls(CallLane lane, long dueNanos);

    /// @param unanswered if the connection is closed by this response: its other calls under way
    void onResponse(
            CallLane lane, PendingCall pending, Reply reply, @Nullable CallQueue unanswered);

    /// A call has failed, or its connection while it was under way.
    ///
    /// @param others that were under way behind it
    void onFailure(CallLane lane, PendingCall pending, CallQueue others, Outcome outcome);

    /// The server ended a connection between two pipelined responses.
    void onPipelineCut(CallLane lane, CallQueue unanswered);
}
