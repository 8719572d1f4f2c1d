package dev.tandem.engine;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// A thread of the server at the moment when a trace begins or ends: its current operation then has
/// no event that begins and ends within the trace.
@Name("dev.tandem.ThreadSeen")
@Label("Thread Seen")
@Description("What a thread of the server did when a trace began or ended")
@Category("Tandem")
@StackTrace(false)
@Enabled(false)
public final class ThreadSeenEvent extends Event {
    @Label("Thread")
    final Thread thread;

    @Label("State")
    @Description("IDLE, RUNNING, BLOCKED_IO or BLOCKED_SYNCH")
    final String state;

    @Label("Is Last")
    final boolean isLast;

    public ThreadSeenEvent(Thread thread, String state, boolean isLast) {
        this.thread = thread;
        this.state = state;
        this.isLast = isLast;
    }
}
