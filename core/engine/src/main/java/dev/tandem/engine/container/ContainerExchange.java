package dev.tandem.engine.container;

import dev.tandem.http.Headers;
import dev.tandem.http.TlsSessionInfo;
import dev.tandem.http.h1.Http1RequestHead;
import dev.tandem.http.h1.ResponseHeadWriter;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// One request and its answer as a [Container] has them: the head as it lies in the bytes that
/// came, an answer that the container frames, and a life that may be longer than the call that
/// began it.
///
/// Confined to the thread that [Container#serve] is called on, until [#share()]. From then on any
/// thread may use it, and nobody holds a thread for it. One may read while another waits for a
/// client that does not take what it writes; what two write at once may come mixed.
///
/// ```
///   serve --return--> over                       share, in serve
///     |                                                |
///     +--return--> PARKED --resume, an event--> a step on a worker --> PARKED
///                                                      |
///                                                    end() --> over
/// ```
public interface ContainerExchange {

    /// The request's head, with bytes of its own.
    Http1RequestHead head();

    SocketAddress remote();

    SocketAddress local();

    /// What was agreed on, if the connection is over TLS; else null.
    @Nullable TlsSessionInfo security();

    /// What the container keeps with the connection, for all that is asked over it.
    @Nullable Object attachment();

    void attach(Object attachment);

    /// Whether another request may follow: the client means to send one, and the server goes on.
    boolean mayKeep();

    // ---- The request's body.

    /// Reads some of the body; after [#upgrade()], of whatever the client sends.
    ///
    /// @param waits whether to wait until something has come
    /// @return how many bytes; 0 if none has come, -1 at the end
    /// @throws IOException if the client is gone
    /// @throws dev.tandem.http.HttpException 400 if the body breaks the framing, 408 if it comes
    ///     too slowly
    int read(byte[] to, int offset, int length, boolean waits) throws IOException;

    /// How many bytes can be read without asking the kernel for more.
    int available();

    /// Whether the body is read to its end.
    boolean isBodyOver();

    /// The fields after a chunked body; empty until it is read to its end.
    Headers trailers();

    /// Tells a client that waits for it (RFC 9110, section 10.1.1) to send the body. Reading does
    /// so, too.
    void sayContinue() throws IOException;

    // ---- The answer.

    /// To write heads with. The thread's own; valid until the wire is used otherwise.
    ResponseHeadWriter headWriter();

    /// The `Date` line of this second, with its CRLF.
    byte[] dateLine();

    /// Sends an answer's head, together with what is written next.
    ///
    /// @param status the final one
    void begin(int status, ResponseHeadWriter head) throws IOException;

    /// Sends a head that is not the answer's: an interim one (RFC 9110, section 15.2).
    void interim(ResponseHeadWriter head) throws IOException;

    /// Writes bytes, framed as they are to be sent. They are copied or gone when it returns.
    ///
    /// @param waits whether to wait while the client does not take what was written; else it is
    ///     kept in memory, and [#isHeldUp()]
    /// @throws IOException if the client is gone, or takes nothing for too long
    void write(byte[] bytes, int offset, int length, boolean waits) throws IOException;

    /// Sends what is written.
    ///
    /// @return whether the client has taken all of it, as far as the kernel tells
    boolean flush(boolean waits) throws IOException;

    /// Whether some of what was written waits for the client.
    boolean isHeldUp();

    /// Sends a stretch of a file, the last of the answer, by sendfile where that can be. It goes on
    /// when the request is over.
    void sendFile(Path file, long offset, long length) throws IOException;

    /// Counts content that was sent, for the access log of the server.
    void sent(long bytes);

    /// Tells that the answer sets a cookie, which may begin a session.
    ///
    /// @param line the value of a `Set-Cookie` field
    void setsCookie(String line);

    /// Whether the connection goes on when the request is over; false unless set.
    void keep(boolean isKept);

    /// Has this thread waited for a client that sends nothing for no longer than that, from now on.
    ///
    /// @param nanos 0: as the options say
    void readTimeout(long nanos);

    /// Has who writes wait for a client that takes nothing for no longer than that, from now on.
    ///
    /// @param nanos 0: as the options say
    void writeTimeout(long nanos);

    // ---- Beyond the call.

    /// From now on the request is over when [#end()] says so. It no longer counts as load.
    void share();

    boolean isShared();

    /// The request is over; after [#share()].
    void end();

    /// Closes the connection without more words. Does nothing if the request is over.
    void close();

    /// Whether the request is over or the connection closed: nothing can be read or written.
    boolean isOver();

    /// Has a step run by a worker, soon; one after the other, in order.
    ///
    /// @return false if the request is over: it will not run
    boolean resume(Step step);

    /// Has a step run when something can be read, once. A later one takes an earlier one's place.
    void awaitInput(Step step);

    /// Has a step run when all that was written is taken, or the client is gone, once.
    void awaitOutput(Step step);

    /// Has a task run by a worker, once, when the client takes some of what is held up, when
    /// nothing is, or when the client is gone: beside the steps, also while one of them goes on.
    void whenTaken(Runnable task);

    /// Runs a task on a worker, beside what goes on here.
    void execute(Runnable task);

    /// From now on bytes are read and written as they are. The answer has been sent; the connection
    /// will be closed in the end.
    void upgrade();

    /// A part of what is done for a request.
    @FunctionalInterface
    interface Step {
        /// @throws Exception whatever went wrong: the connection is closed
        void run() throws Exception;
    }
}
