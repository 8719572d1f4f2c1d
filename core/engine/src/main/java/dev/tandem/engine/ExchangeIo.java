package dev.tandem.engine;

import dev.tandem.http.RequestHead;
import dev.tandem.http.TlsSessionInfo;
import dev.tandem.http.UpgradedConnection;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The protocol's side of one exchange: the source of its request and the destination of its
/// response. The only part of its protocol that a [ServerExchange] knows.
///
/// Confined to the thread that runs the exchange. One of the `send` methods, [#upgrade] or [#begin]
/// is called at most once, and [#finish] once, at the end. An [IOException] means that the client
/// has disconnected or has read nothing for too long: nothing more is sent then. All content is
/// framed here.
public interface ExchangeIo {

    // ---- The request.

    /// Returns the request's head; its target is set.
    RequestHead head();

    /// Returns the request's body; null if it has none.
    @Nullable RequestBody body();

    SocketAddress remote();

    SocketAddress local();

    /// Returns the identifier of the exchange's stream; 0 if the protocol has no streams. May be
    /// called by any thread.
    default int streamId() {
        return 0;
    }

    /// Whether the connection is over TLS.
    boolean isSecure();

    /// Returns the parameters of the TLS session; null if the connection is not over TLS.
    @Nullable TlsSessionInfo security();

    // ---- The thread.

    /// Gives the exchange to a thread, whose context it uses from now on.
    void attach(IoContext context);

    // ---- The response.

    /// Sends an interim response (RFC 9110, section 15.2) before the final one, if the client knows
    /// them.
    ///
    /// @param status 102 to 199
    /// @param headers not changed any more
    default void interim(int status, ResponseHeaders headers) throws IOException {
        // Has no effect where a protocol has none.
    }

    /// Sends a response whose content is in memory, at once. If the head says that it has no
    /// content, none is sent.
    ///
    /// @param length what the head says of the content's length, in bytes; -1: nothing, which is
    ///     for responses without content only
    /// @param content not changed any more
    /// @param count how many bytes of it are sent
    void send(ResponseHead head, long length, byte[] content, int count) throws IOException;

    /// Sends a response whose content comes from a disk or a cache, as the client reads it, also
    /// when the handler has returned.
    ///
    /// @param tail all of the content; closed by the protocol in any case
    void send(ResponseHead head, ResponseTail tail) throws IOException;

    /// Sends a response whose content another component supplies, also when the handler has
    /// returned.
    ///
    /// @param feed ended by the protocol when the response is over, except if this throws
    /// @throws UnsupportedOperationException if the protocol has no such responses
    default void send(ResponseHead head, Feed feed) throws IOException {
        throw new UnsupportedOperationException("no feeds");
    }

    /// Begins a response whose content follows piece by piece; the head is sent with the first.
    ///
    /// @param length of the content in bytes; -1 if it is not known
    void begin(ResponseHead head, long length) throws IOException;

    /// Sends a piece of content, and waits while the client does not read it.
    ///
    /// @param content is consumed
    void write(ByteBuffer content) throws IOException;

    /// Flushes what was begun.
    void flush() throws IOException;

    /// Ends content that was sent in pieces.
    ///
    /// @param trailers null if there are none, or the client does not accept them
    void end(@Nullable ResponseHeaders trailers) throws IOException;

    /// Whether the client accepts trailers (RFC 9110, section 6.5.1).
    boolean takesTrailers();

    /// Whether the protocol can be changed.
    default boolean canUpgrade() {
        return false;
    }

    /// Accepts a change of the protocol (RFC 9110, section 7.8), and returns when it is over.
    ///
    /// @throws UnsupportedOperationException if the protocol has no such change
    void upgrade(String protocol, ResponseHead head, UpgradedConnection.UpgradeHandler talk)
            throws IOException;

    /// Returns the status of the response that begins a WebSocket session; 0 if the protocol has no
    /// sessions.
    default int sessionStatus() {
        return 0;
    }

    /// Begins a WebSocket session on this exchange's connection or stream: sends the head, calls
    /// the handler, and takes over what follows the request when the exchange is over.
    ///
    /// @throws UnsupportedOperationException if the protocol has no sessions
    default void webSocket(ResponseHead head, SessionTerms terms) throws IOException {
        throw new UnsupportedOperationException("no sessions");
    }

    // ---- The loop.

    /// Returns what continues the exchange on its loop; null if the protocol has no such thing.
    default @Nullable LoopSide loopSide() {
        return null;
    }

    // ---- The client.

    /// Whether the client is seen to have disconnected. May cost a system call. May be called by
    /// another thread while the exchange's own waits for something else.
    boolean isDisconnected();

    /// Closes the connection or stream of the exchange, so that a thread that waits for the client
    /// waits no more. May be called by any thread.
    void abort();

    /// Closes idle connections of the same loop, since descriptors are missing.
    ///
    /// @param count number needed
    void freeDescriptors(int count);

    /// Returns the time by the clock of the connection's deadlines.
    long nanos();

    // ---- The end.

    /// The exchange is over, and its response sent or queued. Drops what is left of the body.
    ///
    /// @param isBroken whether the response is incomplete: the client must be able to detect it
    void finish(boolean isBroken);

    /// Notes when the exchange ended: its connection has been used until then.
    ///
    /// @param nanos by [System#nanoTime()]
    default void endedAt(long nanos) {
        // For protocols whose connections may be idle.
    }
}
