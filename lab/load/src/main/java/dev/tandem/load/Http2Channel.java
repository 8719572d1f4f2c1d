package dev.tandem.load;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The way of one or several users' calls to the server: an HTTP/2 connection that is opened when a
/// call needs it, and again after it has ended. After GOAWAY the former connection completes its
/// streams while its successor has the new ones. Confined to one load context.
final class Http2Channel {
    private final LoadContext context;
    private final String tlsPeer;

    /// Calls that wait for a stream, in order.
    private final ArrayDeque<Http2Stream> waiting = new ArrayDeque<>(2);

    /// The connection for new streams, if there is one.
    private @Nullable Http2Connection current;

    /// Connections that the server accepts no new streams on.
    private final List<Http2Connection> former = new ArrayList<>(0);

    /// How many users have it, if it is shared.
    int users;

    /// @param tlsPeer the name that TLS sessions are stored by; empty for none
    Http2Channel(LoadContext context, String tlsPeer) {
        this.context = context;
        this.tlsPeer = tlsPeer;
    }

    /// Makes a lane of a user's calls.
    CallLane lane(LaneUser user) {
        return new Http2Lane(context, user, this);
    }

    // ---- For lanes.

    /// Adds a call; [#flush()] sends it.
    void add(Http2Stream stream) {
        stream.progressNanos = context.clock().nanos();
        waiting.add(stream);
    }

    /// Sends added calls at the end of the load thread's turn, once a connection is established.
    void flush() {
        if (waiting.isEmpty()) {
            return;
        }
        Http2Connection open = current;
        if (open == null) {
            open = new Http2Connection(context, this, tlsPeer);
            current = open;
            open.open();
        } else {
            open.flushLater();
        }
    }

    /// Ends all calls of a lane, without an event.
    void cancel(Http2Stream.Owner owner) {
        waiting.removeIf(stream -> stream.owner == owner);
        Http2Connection open = current;
        if (open != null) {
            open.cancel(owner);
        }
        former.forEach(connection -> connection.cancel(owner));
    }

    /// Closes all connections, without counting.
    void close() {
        waiting.clear();
        Http2Connection open = current;
        current = null;
        if (open != null) {
            open.close();
        }
        List<Http2Connection> others = List.copyOf(former);
        former.clear();
        others.forEach(Http2Connection::close);
    }

    // ---- For connections.

    /// Returns the next call to send, or null.
    @Nullable Http2Stream poll() {
        return waiting.poll();
    }

    /// Returns the call that waits for longest, or null.
    @Nullable Http2Stream first() {
        return waiting.peek();
    }

    /// Puts calls back that were not processed, before all others.
    void addFirst(List<Http2Stream> streams) {
        long now = context.clock().nanos();
        for (Http2Stream stream : streams.reversed()) {
            stream.progressNanos = now;
            waiting.addFirst(stream);
        }
    }

    /// A connection has no new streams from now on, but completes those that it has.
    void retire(Http2Connection connection) {
        if (current == connection) {
            current = null;
            former.add(connection);
        }
    }

    /// A connection was closed. Calls that wait get another.
    void closed(Http2Connection connection) {
        if (current == connection) {
            current = null;
        } else {
            former.remove(connection);
        }
    }
}
