package dev.tandem.engine.websocket;

import dev.tandem.http.websocket.CloseReason;

/// What a group's loops do one after the other.
sealed interface GroupAction {
    record Join(Membership member) implements GroupAction {}

    record Send(Broadcast message) implements GroupAction {}

    /// Closes the sessions of all members.
    record Close(CloseReason reason) implements GroupAction {}
}
