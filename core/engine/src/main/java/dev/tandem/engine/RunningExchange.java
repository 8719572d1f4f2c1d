package dev.tandem.engine;

import dev.tandem.http.HttpVersion;
import java.io.IOException;

/// An exchange that runs, with any protocol and any handler or container: its interface to
/// admission, traces, the console and waits for clients.
///
/// Confined to the thread that runs it, except the methods that other threads call to show it:
/// their documentation says so, and their values may be a moment old.
public interface RunningExchange extends AdmittedRun, WaitingClient {

    /// Runs it, or continues one that outlived an earlier call.
    ///
    /// @param context the calling thread's
    /// @return whether it is over; if not, a later call continues it
    /// @throws IOException if the client has disconnected
    boolean run(IoContext context) throws IOException;

    /// Returns its id in logs; unique in this server for years.
    String id();

    /// Returns the method. May be called by any thread.
    String method();

    /// Returns the request target as it was sent. May be called by any thread.
    String target();

    /// Returns the version of HTTP. May be called by any thread.
    default HttpVersion version() {
        return HttpVersion.HTTP_1_1;
    }

    /// Returns the identifier of its stream; 0 if its protocol has no streams. May be called by any
    /// thread.
    default int streamId() {
        return 0;
    }

    /// Returns the pattern of its route. May be called by any thread.
    String routePattern();

    int status();

    /// Whether the head of its response was sent or queued. May be called by any thread.
    boolean hasResponse();

    /// Returns the headers that were set on the response.
    ResponseHeaders responseHeaders();

    /// Returns when its handler began, by [System#nanoTime()]; 0 before. May be called by any
    /// thread.
    @Override
    long runNanos();

    /// Whether it ended otherwise than its handler intended.
    boolean isFailed();

    /// Whether it is an event stream or a tunnel, which may live for hours.
    boolean isLongLived();

    /// Returns the speed of its client, in bytes a second both ways since the handler began. May be
    /// called by any thread.
    @Override
    double bytesPerSecond(long nowNanos);

    /// Closes the connection or stream, so that a thread that waits for the client waits no more.
    /// May be called by any thread.
    @Override
    void abort();
}
