package dev.tandem.engine;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// A request was refused.
@Name("dev.tandem.Refusal")
@Label("Refusal")
@Description("A request was refused by admission: 503")
@Category("Tandem")
@StackTrace(false)
final class RefusalEvent extends Event {
    @Label("Route")
    final String route;

    @Label("Reason")
    final String reason;

    @Label("Retry After")
    @Description("What the client was told to wait")
    @Timespan(Timespan.SECONDS)
    final long retryAfter;

    RefusalEvent(String route, String reason, int retryAfterSeconds) {
        this.route = route;
        this.reason = reason;
        this.retryAfter = retryAfterSeconds;
    }
}
