package dev.tandem.engine.loop;

import dev.tandem.http.Exchange;
import dev.tandem.http.ExchangeWrapper;
import dev.tandem.http.HttpException;
import dev.tandem.net.Loop;
import dev.tandem.net.Network;
import java.io.IOException;

/// An exchange that continues on the event loop of its connection when its handler has returned: it
/// holds no thread while it waits, and does not count as load. For handlers that wait for other
/// servers. All methods except [#begin] are called on the loop.
///
/// The handler responds by its [Exchange] as before, on the loop: writing to the output stream
/// never waits, and what the client does not take is kept in memory. So a handler stops writing
/// while [#isHeldUp()]. Files, and streams of other kinds, cannot be sent.
///
/// ```
///   handler: begin --return--> proceed (on the loop), again after each event
///                                 |  end, fail, or the client disconnects
///                                 +------------------------------------> ended
/// ```
public interface LoopExchange {

    /// Has the exchange continue on its loop as soon as the handler, and the filters before it,
    /// have returned. Called by the handler's thread, which must not use the exchange afterwards.
    ///
    /// @throws HttpException 501 if the exchange cannot continue on a loop
    /// @throws IllegalStateException if the response is already committed
    static void begin(Exchange x, LoopHandler handler) {
        Exchange inner = x;
        while (inner instanceof ExchangeWrapper wrapper) {
            inner = wrapper.wrapped();
        }
        if (!(inner instanceof Origin origin)) {
            throw new HttpException(501, "the exchange has no event loop");
        }
        origin.continueOnLoop(handler);
    }

    /// The server's side of an exchange.
    interface Origin {
        /// See [LoopExchange#begin].
        void continueOnLoop(LoopHandler handler);
    }

    /// Returns the loop of the client's connection.
    Loop loop();

    /// Returns the network whose sockets the loop's poller can watch.
    Network network();

    /// Calls [LoopHandler#proceed]: something that it waits for has happened.
    void proceed();

    /// Reads some of the request's body, or after [#upgrade] of what the client sends. If it is
    /// incomplete and nothing was received, the handler proceeds when there is more; a client that
    /// sends too slowly gets 408.
    ///
    /// @return the number of bytes; 0 if none was received, -1 at the end
    /// @throws IOException if the client has disconnected
    /// @throws HttpException 400 or 413 if the body is malformed or too long
    int read(byte[] to, int offset, int length) throws IOException;

    /// Counts memory in which the handler keeps what the client has sent, in place of what it
    /// counted before, until the exchange ends.
    ///
    /// @param bytes 0 for none
    /// @return false, and nothing is changed, if clients make the server hold too much already: the
    ///     handler should keep little
    boolean tryHoldInput(int bytes);

    /// Returns whether some of what was written waits for the client. The handler proceeds when the
    /// client takes more; a client that takes nothing for too long is disconnected.
    boolean isHeldUp();

    /// Switches to raw bytes, as [Exchange#upgrade] does: responds with 101 and the headers that
    /// are set. Counts as long-lived from now on.
    ///
    /// @param protocol the value of the `Upgrade` header
    /// @throws HttpException 501 if the connection cannot switch protocols, 503 if there are too
    ///     many long-lived exchanges
    void upgrade(String protocol) throws IOException;

    /// Writes raw bytes, after [#upgrade]; they are copied or sent when it returns.
    void write(byte[] bytes, int offset, int length) throws IOException;

    /// Ends the exchange: its response is complete.
    void end();

    /// Ends the exchange: responds with an error if nothing was sent, else truncates the response.
    void fail(Throwable e);
}
