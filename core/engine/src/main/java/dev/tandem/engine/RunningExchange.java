package dev.tandem.engine;

import dev.tandem.engine.site.RouteTiming;
import java.io.IOException;

/// An exchange that runs, whatever its protocol and whatever responds to it: what admission,
/// traces, the console and waits for clients know of it.
///
/// Confined to the thread that runs it, but for what is read from other threads to show it: those
/// methods say so, and may return what was true a moment ago.
public interface RunningExchange {

    /// Runs it, or goes on with one that outlived an earlier call.
    ///
    /// @param context the calling thread's
    /// @return whether it is over; if not, a later call goes on with it
    /// @throws IOException if the client is gone
    boolean run(IoContext context) throws IOException;

    /// Names it in logs; unique in this server for years.
    String id();

    /// May be called by any thread.
    String method();

    /// Returns the request target as it was sent. May be called by any thread.
    String target();

    /// Returns the pattern of its route. May be called by any thread.
    String routePattern();

    int status();

    /// Whether the head of its response was sent, or is on its way. May be called by any thread.
    boolean hasResponse();

    /// Returns the headers that were set on the response.
    ResponseHeaders responseHeaders();

    /// Returns when its handler began, by [System#nanoTime()]; 0 before. May be called by any
    /// thread.
    long runNanos();

    RouteTiming timing();

    /// Returns what admission has granted it.
    AdmittedRequest admission();

    /// Whether it ended otherwise than its handler meant it to.
    boolean isFailed();

    /// Whether it is an event stream or a tunnel, which may live for hours.
    boolean isLongLived();

    /// Returns how fast its client has been, in bytes a second both ways since the handler began.
    /// May be called by any thread.
    double bytesPerSecond(long nowNanos);

    /// Ends it for its client, so that a thread that waits for the client waits no more. May be
    /// called by any thread.
    void cut();
}
