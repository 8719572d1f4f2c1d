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

    @Label("Status")
    int status;

    @Label("Waited")
    @Description("For its turn, since admission was asked")
    @Timespan(Timespan.NANOSECONDS)
    long waited;

    @Label("Until Answer")
    @Description("From the run's beginning to the answer's; all of it if there was none")
    @Timespan(Timespan.NANOSECONDS)
    long untilAnswer;

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

    /// @param answeredNanos when the answer began, 0 if it did not
    /// @param askedNanos when admission was asked, 0 if that was not noted
    void ended(RunningExchange x, long answeredNanos, long askedNanos) {
        end();
        if (shouldCommit()) {
            exchange = x.id();
            method = x.method();
            route = x.routePattern();
            status = x.status();
            waited = askedNanos == 0 ? 0 : Math.max(0, begunNanos - askedNanos);
            untilAnswer = (answeredNanos == 0 ? System.nanoTime() : answeredNanos) - begunNanos;
            commit();
        }
    }
}
