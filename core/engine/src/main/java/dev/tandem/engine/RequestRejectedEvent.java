package dev.tandem.engine;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// A request was rejected by admission.
@Name("dev.tandem.RequestRejected")
@Label("Request Rejected")
@Description("Admission rejected a request with 503")
@Category("Tandem")
@StackTrace(false)
final class RequestRejectedEvent extends Event {
    @Label("Route")
    final String route;

    @Label("Reason")
    final String reason;

    @Label("Retry After")
    @Description("The value of the response's Retry-After")
    @Timespan(Timespan.SECONDS)
    final long retryAfter;

    RequestRejectedEvent(String route, String reason, int retryAfterSeconds) {
        this.route = route;
        this.reason = reason;
        this.retryAfter = retryAfterSeconds;
    }
}
