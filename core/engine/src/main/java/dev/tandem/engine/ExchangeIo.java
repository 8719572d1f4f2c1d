package dev.tandem.engine;

import dev.tandem.http.RequestHead;
import dev.tandem.http.TlsSessionInfo;
import dev.tandem.http.UpgradedConnection;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// How a protocol carries one exchange: where its request comes from and its response goes. The
/// only thing that a [ServerExchange] knows of its protocol.
///
/// Confined to the thread that runs the exchange. One of the `send` methods, [#upgrade] or
/// [#begin] is called at most once, and [#finish] once, at the end. An [IOException] says that the
/// client is gone or takes nothing for too long: nothing more is sent then. All content is framed
/// here.
public interface ExchangeIo {

    // ---- The request.

    /// Returns the request's head; its target is set.
    RequestHead head();

    /// Returns the request's body; null if it has none.
    @Nullable RequestBody body();

    SocketAddress remote();

    SocketAddress local();

    /// Whether the connection is over TLS.
    boolean isSecure();

    /// Returns what was agreed on, if the connection is over TLS; else null.
    @Nullable TlsSessionInfo security();

    // ---- The thread.

    /// Gives the exchange to a thread, whose context it uses from now on.
    void attach(IoContext context);

    // ---- The response.

    /// Sends a response whose content is in memory, at once. If the head says that it has no
    /// content, none is sent.
    ///
    /// @param length what the head says of the content's length, in bytes; -1: nothing, which is
    ///     for responses without content only
    /// @param content not changed any more
    /// @param count how many bytes of it are sent
    void send(ResponseHead head, long length, byte[] content, int count) throws IOException;

    /// Sends a response whose content comes from a disk or a cache, as often as the client takes
    /// more of it, also when the handler has returned.
    ///
    /// @param tail all of the content; closed by the protocol in any case
    void send(ResponseHead head, ResponseTail tail) throws IOException;

    /// Begins a response whose content follows piece by piece; the head is sent with the first.
    ///
    /// @param length of the content in bytes; -1 if it is not known
    void begin(ResponseHead head, long length) throws IOException;

    /// Sends a piece of content, and waits while the client does not take it.
    ///
    /// @param content is taken to its end
    void write(ByteBuffer content) throws IOException;

    /// Sends what was begun.
    void flush() throws IOException;

    /// Ends content that followed piece by piece.
    ///
    /// @param trailers null if there are none, or the client does not take them
    void end(@Nullable ResponseHeaders trailers) throws IOException;

    /// Whether the client takes trailers (RFC 9110, section 6.5.1).
    boolean takesTrailers();

    /// Accepts a change of the protocol (RFC 9110, section 7.8), and returns when it is over.
    ///
    /// @throws UnsupportedOperationException if the protocol has no such change
    void upgrade(String protocol, ResponseHead head, UpgradedConnection.UpgradeHandler talk)
            throws IOException;

    // ---- The client.

    /// Whether the client is seen to have disconnected. Costs a system call, perhaps. By another
    /// thread, too, while the exchange's waits for something else.
    boolean isDisconnected();

    /// Closes what carries the exchange, so that a thread that waits for the client waits no more.
    /// May be called by any thread.
    void cut();

    /// Has connections of this one's loop that are idle closed, as descriptors are missing.
    ///
    /// @param count how many are needed
    void freeDescriptors(int count);

    /// Returns the time by the clock of the connection's deadlines.
    long nanos();

    // ---- The end.

    /// The exchange is over, and its response sent or on its way. Drops what is left of the body.
    ///
    /// @param isBroken whether the response is incomplete: the client must be able to tell
    void finish(boolean isBroken);
}
