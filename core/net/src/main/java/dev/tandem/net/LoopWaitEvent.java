package dev.tandem.net;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/// A wait of an idle loop. Disabled unless a recording enables it, because there may be many.
@Name("dev.tandem.LoopWait")
@Label("Loop Wait")
@Description("An event loop waits for sockets to be ready")
@Category("Tandem")
@StackTrace(false)
@Enabled(false)
@Threshold("10 us")
final class LoopWaitEvent extends Event {

    /// Creates and begins an event. Call only if Flight Recorder is initialized.
    ///
    /// @return null if it is not recorded
    static @Nullable LoopWaitEvent beginIfEnabled() {
        var event = new LoopWaitEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }
}
