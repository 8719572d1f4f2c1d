package dev.tandem.engine.container;

import dev.tandem.http.Headers;
import dev.tandem.http.TlsSessionInfo;
import dev.tandem.http.h1.Http1RequestHead;
import dev.tandem.http.h1.ResponseHeadWriter;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A request that a [Container] owns, and its response: the head as received bytes, a response that
/// the container frames, and a life that may be longer than the call that began it.
///
/// Confined to the thread that [Container#serve] is called on, until [#share()]. From then on any
/// thread may use it, and no thread is held for it. One may read while another waits for a client
/// that does not read what it writes; output of two concurrent writers may be interleaved.
///
/// ```
///   serve --return--> over
///                       share, in serve
///     |                                                |
///     +--return--> PARKED --resume, an event--> a step on a worker --> PARKED
///                                                      |
///                                                    end() --> over
/// ```
public interface ContainerExchange {

    /// Returns the request's head, with bytes of its own.
    Http1RequestHead head();

    SocketAddress remote();

    SocketAddress local();

    /// Returns the parameters of the TLS session; null if the connection is not over TLS.
    @Nullable TlsSessionInfo security();

    /// Attaches an object of the container to the connection, for all requests over it.
    @Nullable Object attachment();

    void attach(Object attachment);

    /// Whether another request may follow: the client intends to send one, and the server is not
    /// stopping.
    boolean mayKeep();

    // ---- The request's body.

    /// Reads some of the body; after [#upgrade()], of whatever the client sends.
    ///
    /// @param waits whether to wait until something is received
    /// @return number of bytes; 0 if none was received, -1 at the end
    /// @throws IOException if the client has disconnected
    /// @throws dev.tandem.http.HttpException 400 if the body's framing is malformed, 408 if it is
    ///     received too slowly
    int read(byte[] to, int offset, int length, boolean waits) throws IOException;

    /// Returns the number of bytes that can be read without a system call.
    int available();

    /// Whether the body is read to its end.
    boolean isBodyOver();

    /// Returns the trailers of a chunked body; empty until it is read to its end.
    Headers trailers();

    /// Sends 100 Continue to a client that waits for it (RFC 9110, section 10.1.1). Reading does
    /// so, too.
    void sendContinue() throws IOException;

    // ---- The response.

    /// Returns a writer for heads. It is the thread's own, and valid until the next use of this
    /// exchange.
    ResponseHeadWriter headWriter();

    /// Returns the `Date` line of this second, with its CRLF.
    byte[] dateLine();

    /// Sends the response's head, together with what is written next.
    ///
    /// @param status the final one
    void begin(int status, ResponseHeadWriter head) throws IOException;

    /// Sends an interim response (RFC 9110, section 15.2).
    void interim(ResponseHeadWriter head) throws IOException;

    /// Writes bytes, already framed. They are copied or sent when it returns.
    ///
    /// @param waits whether to wait while the client does not read; else the bytes are kept in
    ///     memory, and [#isHeldUp()]
    /// @throws IOException if the client has disconnected, or reads nothing for too long
    void write(byte[] bytes, int offset, int length, boolean waits) throws IOException;

    /// Sends what was written.
    ///
    /// @return whether the kernel has taken all of it
    boolean flush(boolean waits) throws IOException;

    /// Whether some of what was written waits for the client.
    boolean isHeldUp();

    /// Sends a range of a file as the last part of the response, by sendfile where possible. It
    /// continues when the request is over.
    void sendFile(Path file, long offset, long length) throws IOException;

    /// Counts content that was sent, for the server's access log.
    void sent(long bytes);

    /// Reports that the response sets a cookie, which may begin a session.
    ///
    /// @param line the value of a `Set-Cookie` field
    void cookieSet(String line);

    /// Sets whether the connection is kept when the request is over; false by default.
    void keep(boolean isKept);

    /// Sets how long a thread waits for a client that sends nothing, from now on.
    ///
    /// @param nanos 0: as in the options
    void readTimeout(long nanos);

    /// Sets how long a writer waits for a client that reads nothing, from now on.
    ///
    /// @param nanos 0: as in the options
    void writeTimeout(long nanos);

    // ---- Beyond the call.

    /// Shares the exchange among threads: from now on the request lasts until [#end()]. It no
    /// longer counts as load.
    void share();

    boolean isShared();

    /// Ends the request; after [#share()].
    void end();

    /// Closes the connection without further output. Does nothing if the request is over.
    void close();

    /// Whether the request is over or the connection closed: nothing can be read or written.
    boolean isOver();

    /// Has a worker run a step, soon; steps run one after the other, in order.
    ///
    /// @return false if the request is over: it will not run
    boolean resume(Step step);

    /// Runs a step when something can be read, once. It replaces an earlier one.
    void awaitInput(Step step);

    /// Runs a step when all that was written is taken, or the client has disconnected, once.
    void awaitOutput(Step step);

    /// Has a worker run a task, once, when the client takes some of what is held up, when nothing
    /// is, or when the client has disconnected: concurrently to steps.
    void whenTaken(Runnable task);

    /// Has a worker run a task, concurrently to steps.
    void execute(Runnable task);

    /// Switches to raw bytes: from now on they are read and written unframed. The response was
    /// sent; the connection will be closed in the end.
    void upgrade();

    /// A part of the work for a request.
    @FunctionalInterface
    interface Step {
        /// @throws Exception on any failure: the connection is closed
        void run() throws Exception;
    }
}
