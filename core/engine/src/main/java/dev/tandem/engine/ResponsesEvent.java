package dev.tandem.engine;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// The responses counted until a trace begins or ends: those made on a loop have no event of their
/// own.
@Name("dev.tandem.Responses")
@Label("Responses")
@Description("Responses since the server's start, without rejections, when a trace began or ended")
@Category("Tandem")
@StackTrace(false)
@Enabled(false)
public final class ResponsesEvent extends Event {
    @Label("Count")
    final long count;

    @Label("Is Last")
    final boolean isLast;

    public ResponsesEvent(long count, boolean isLast) {
        this.count = count;
        this.isLast = isLast;
    }
}
