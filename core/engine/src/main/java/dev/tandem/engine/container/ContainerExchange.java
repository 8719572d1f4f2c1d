package dev.tandem.engine.container;

import dev.tandem.http.Body;
import dev.tandem.http.Headers;
import dev.tandem.http.RequestHead;
import dev.tandem.http.TlsSessionInfo;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A request that a [Container] owns, and its response, with any protocol: a life that may be
/// longer than the call that began it. Over HTTP/1.1 it has the connection, over HTTP/2 a stream.
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

    /// Returns the request's head. Over HTTP/1.1 it is a [dev.tandem.http.h1.Http1RequestHead] with
    /// bytes of its own, over HTTP/2 a [dev.tandem.http.h2.Http2RequestHead].
    RequestHead head();

    /// Whether the connection has other requests at the same time: HTTP/2. Then the request has a
    /// stream, which alone ends where the documentation says that the connection is closed.
    boolean isMultiplexed();

    /// Returns the number of the stream; 0 if the connection has none.
    int streamId();

    SocketAddress remote();

    SocketAddress local();

    /// Returns the parameters of the TLS session; null if the connection is not over TLS.
    @Nullable TlsSessionInfo security();

    /// Returns the container's object of the connection, for all requests over it; safe for use by
    /// any thread if the connection is multiplexed.
    ///
    /// @param maker creates it at the first call
    Object attachment(Supplier<Object> maker);

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

    /// Whether trailers may follow the body.
    boolean mayHaveTrailers();

    /// Returns the trailers of the body; empty until it is read to its end.
    Headers trailers();

    /// Sends 100 Continue to a client that waits for it (RFC 9110, section 10.1.1). Reading does
    /// so, too.
    void sendContinue() throws IOException;

    // ---- The response.

    /// Returns the beginning of a head.
    ///
    /// @param status of a final or an interim response; what the protocol cannot send becomes 500
    ContainerHead newHead(int status);

    /// Sends the response's head, together with what is written next.
    void begin(ContainerHead head) throws IOException;

    /// Sends an interim response (RFC 9110, section 15.2), if the client knows them.
    void interim(ContainerHead head) throws IOException;

    /// Writes content, which is framed as the head says; after [#upgrade()], raw bytes. They are
    /// copied or sent when it returns.
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

    /// Ends the content. Not called for a response that is incomplete, nor for a file or segments.
    ///
    /// @param trailers empty for none; those of a response that is not chunked are not sent over
    ///     HTTP/1.1
    void endContent(Headers trailers, boolean waits) throws IOException;

    /// Sends a range of a file as the whole content, by sendfile where possible. It continues when
    /// the request is over.
    void sendFile(Path file, long offset, long length) throws IOException;

    /// Sends segments that another component holds as the whole content, as [#sendFile] does.
    ///
    /// @param content closed in any case
    void sendSegments(Body.Segmented content) throws IOException;

    /// Reports that the response sets a cookie, which may begin a session.
    ///
    /// @param line the value of a `Set-Cookie` field
    void cookieSet(String line);

    /// Sets whether the connection is kept when the request is over; false by default. A connection
    /// that is multiplexed is kept by default; if not, GOAWAY has its client use another,
    /// and its running requests are completed.
    void keep(boolean isKept);

    /// Reports that the request was not processed: over HTTP/2 the client may repeat it
    /// (REFUSED_STREAM).
    void refuse();

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

    /// Runs a step when the client has reset the request or its connection is closed, before the
    /// response has ended, once; it replaces the steps that wait for input or output. HTTP/1.1
    /// notices that only where what was written is sent by no caller that could be notified.
    void awaitReset(Step step);

    /// Has a worker run a task, once, when the client takes some of what is held up, when nothing
    /// is, or when the client has disconnected: concurrently to steps.
    void whenTaken(Runnable task);

    /// Has a worker run a task, concurrently to steps.
    void execute(Runnable task);

    /// Switches to raw bytes: from now on they are read and written unframed. The response was
    /// sent; the connection will be closed in the end.
    ///
    /// @throws UnsupportedOperationException if the connection is multiplexed
    void upgrade();

    /// A part of the work for a request.
    @FunctionalInterface
    interface Step {
        /// @throws Exception on any failure: the connection is closed
        void run() throws Exception;
    }
}
