package dev.tandem.engine.websocket;

import org.jspecify.annotations.Nullable;

/// A session's membership of a group.
final class Membership {
    private final LoopMembers members;
    private final WebSocketSession session;
    private volatile boolean isOver;

    /// Another membership of the session; guarded by the session.
    @Nullable Membership next;

    Membership(LoopMembers members, WebSocketSession session, @Nullable Membership next) {
        this.members = members;
        this.session = session;
        this.next = next;
    }

    LoopMembers members() {
        return members;
    }

    Group group() {
        return members.group();
    }

    WebSocketSession session() {
        return session;
    }

    /// Whether the session is no member any more, and gets nothing.
    boolean isOver() {
        return isOver;
    }

    void end() {
        isOver = true;
    }
}
