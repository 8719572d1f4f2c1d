package dev.tandem;

import dev.tandem.engine.websocket.Group;
import dev.tandem.http.WebSocket;
import dev.tandem.http.WebSocketMessage;
import dev.tandem.http.websocket.CloseReason;

/// WebSocket sessions that get the same messages: a chat room, the watchers of a price.
///
/// ```java
/// var watchers = new WebSocketGroup(WebSocketGroup.Slow.SKIP);
///
/// Tandem.listen(8080).webSocket("/prices", watchers::add).start();
/// watchers.broadcast("{\"price\":42}");
/// ```
///
/// A message is encoded once, and compressed once, however many members there are. It is sent by
/// the loops that have their connections, so a group has no thread, and a broadcast costs its
/// caller the same whatever the number of members. While loops are busy, several messages go to a
/// member in one call of the kernel.
///
/// All members get the messages of a group in the same order. A member gets those that were
/// broadcast after [#add] had returned, up to its end, when it is removed by itself. What is sent
/// to a session in other ways may come before or after a broadcast of the same time.
///
/// Safe for use by any thread. Never waits.
public final class WebSocketGroup {
    /// What happens to a message for a member that has more than [WebSocketOptions#unsentMax]
    /// waiting, because its client does not read.
    public enum Slow {
        /// It does not get the message: for states of which the next message has a newer one.
        SKIP,

        /// It is closed with 1008, so that its client can connect again and ask for what it has
        /// missed: for messages of which none may be lost without notice.
        CLOSE
    }

    private final Group members;

    public WebSocketGroup(Slow slow) {
        members = new Group(slow == Slow.CLOSE);
    }

    /// Adds a session, until it ends. Does nothing if it is a member, or has ended.
    ///
    /// @param session as a [dev.tandem.http.WebSocketHandler] has it
    /// @throws IllegalArgumentException if it is an object of another kind, such as a wrapper
    public void add(WebSocket session) {
        members.add(session);
    }

    /// Removes a session, which stays open. Does nothing if it is no member.
    public void remove(WebSocket session) {
        members.remove(session);
    }

    /// Returns the number of members.
    public int size() {
        return members.size();
    }

    /// Sends a message to all members.
    ///
    /// @return whether it is accepted. If not, it is sent to no member: more than 1 MiB of earlier
    ///     messages waits for a loop that has not yet begun to send them, so the server cannot keep
    ///     up
    public boolean broadcast(WebSocketMessage message) {
        return members.broadcast(message);
    }

    /// Sends a text to all members; as [#broadcast(WebSocketMessage)].
    public boolean broadcast(String text) {
        return broadcast(WebSocketMessage.text(text));
    }

    /// Returns the number of messages that slow members did not get, each member counted.
    public long skipped() {
        return members.skipped();
    }

    /// Closes the sessions of all members.
    public void close(CloseReason reason) {
        members.close(reason);
    }
}
