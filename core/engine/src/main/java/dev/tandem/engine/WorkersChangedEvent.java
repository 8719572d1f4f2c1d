package dev.tandem.engine;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// Admission changed the number of requests that may run at once.
@Name("dev.tandem.WorkersChanged")
@Label("Workers Changed")
@Description("How many requests may run at once has changed")
@Category("Tandem")
@StackTrace(false)
final class WorkersChangedEvent extends Event {
    @Label("Before")
    @Description("0 in the first event")
    final int before;

    @Label("Now")
    final int now;

    @Label("Running")
    final int running;

    WorkersChangedEvent(int before, int now, int running) {
        this.before = before;
        this.now = now;
        this.running = running;
    }
}
