package dev.tandem.engine;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// Admission lets another number of requests run at once.
@Name("dev.tandem.WorkersChanged")
@Label("Workers Changed")
@Description("How many requests may run at once has changed")
@Category("Tandem")
@StackTrace(false)
final class WorkersChangedEvent extends Event {
    @Label("Before")
    @Description("0 where it is told for the first time")
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
