package dev.tandem.server;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
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

    static @Nullable RequestEvent begun() {
        var event = new RequestEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    void ended(Http1Exchange x) {
        end();
        if (shouldCommit()) {
            exchange = x.id();
            method = x.method();
            route = x.route();
            status = x.status();
            commit();
        }
    }
}
