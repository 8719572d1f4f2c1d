package dev.tandem.engine;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/// A request that ran. Off unless a recording asks for it: there may be many.
@Name("dev.tandem.Request")
@Label("Request")
@Description("The run of a request on a worker, or on the thread that has a loop")
@Category("Tandem")
@StackTrace(false)
@Enabled(false)
@Threshold("20 ms")
final class RequestEvent extends Event {
    @Label("Exchange")
    @Description("Its id in logs and on error pages")
    String exchange = "";

    @Label("Method")
    String method = "";

    @Label("Route")
    String route = "";

    @Label("Protocol")
    String protocol = "";

    @Label("Stream")
    @Description("Its identifier in a connection of HTTP/2; 0 for HTTP/1")
    int stream;

    @Label("Status")
    int status;

    @Label("Waited")
    @Description("From the decision that it waits to its start")
    @Timespan(Timespan.NANOSECONDS)
    long waited;

    @Label("Time To Response")
    @Description("From the run's start to the response's; the whole run if there was none")
    @Timespan(Timespan.NANOSECONDS)
    long timeToResponse;

    private transient long begunNanos;

    static @Nullable RequestEvent begun() {
        var event = new RequestEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begunNanos = System.nanoTime();
        event.begin();
        return event;
    }

    /// @param respondedNanos when the response started, 0 if it did not
    /// @param askedNanos when admission decided, 0 if that was not noted
    void ended(RunningExchange x, long respondedNanos, long askedNanos) {
        end();
        if (shouldCommit()) {
            exchange = x.id();
            method = x.method();
            route = x.routePattern();
            protocol = x.version().protocol();
            stream = x.streamId();
            status = x.status();
            waited = askedNanos == 0 ? 0 : Math.max(0, begunNanos - askedNanos);
            timeToResponse =
                    (respondedNanos == 0 ? System.nanoTime() : respondedNanos) - begunNanos;
            commit();
        }
    }
}
