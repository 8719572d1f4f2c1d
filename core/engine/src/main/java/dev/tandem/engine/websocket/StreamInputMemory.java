package dev.tandem.engine.websocket;

import dev.tandem.admission.ClientNetwork;
import java.net.SocketAddress;

/// The memory of what a stream of HTTP/2 has received for its session, and the session has not
/// decoded: the client may send as much as the stream's window, which cannot be taken back. Counted
/// as other input of sessions. Guarded by the stream's body.
public final class StreamInputMemory {
    private final long client;
    private long counted;

    public StreamInputMemory(SocketAddress client) {
        this.client = ClientNetwork.of(client);
    }

    public void count(int bytes) {
        counted = SessionMemory.INPUT.count(client, counted, bytes);
    }

    /// Whether it is more than each session may have, and there is no memory.
    public boolean isTooMuch() {
        return counted > 0 && !SessionMemory.INPUT.hasRoom(client);
    }
}
