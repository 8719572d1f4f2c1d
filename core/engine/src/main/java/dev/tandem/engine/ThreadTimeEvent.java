package dev.tandem.engine;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// What the kernel has counted of a thread since it was started; emitted while a trace is recorded.
@Name("dev.tandem.ThreadTime")
@Label("Thread Time")
@Description("The time that a thread has had a processor, and waited for one (Linux)")
@Category("Tandem")
@StackTrace(false)
@Enabled(false)
public final class ThreadTimeEvent extends Event {
    @Label("OS Thread")
    final long osThread;

    @Label("Running")
    @Timespan(Timespan.NANOSECONDS)
    final long running;

    @Label("Ready")
    @Timespan(Timespan.NANOSECONDS)
    final long ready;

    public ThreadTimeEvent(long osThread, long running, long ready) {
        this.osThread = osThread;
        this.running = running;
        this.ready = ready;
    }
}
