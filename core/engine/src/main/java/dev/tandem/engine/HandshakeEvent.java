package dev.tandem.engine;

import dev.tandem.admission.HandshakeResult;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/// A TLS handshake, from the client's hello to its end. Off unless a recording asks for it: there
/// may be many.
@Name("dev.tandem.TlsHandshake")
@Label("TLS Handshake")
@Description("From a client's hello until the connection is open, or given up")
@Category("Tandem")
@StackTrace(false)
@Enabled(false)
public final class HandshakeEvent extends Event {
    @Label("Claims To Resume")
    boolean isClaimed;

    @Label("Is Resumed")
    boolean isResumed;

    @Label("Is Done")
    @Description("Whether the connection is open now")
    boolean isDone;

    @Label("CPU Time")
    @Description("What the key work used of a processor; 0 if there was none")
    @Timespan
    long cpuTime;

    static @Nullable HandshakeEvent begun() {
        var event = new HandshakeEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    public void ended(HandshakeResult result, boolean isDone) {
        end();
        if (shouldCommit()) {
            isClaimed = result.isResumptionClaimed();
            isResumed = result.isResumed();
            cpuTime = result.cpuNanos();
            this.isDone = isDone;
            commit();
        }
    }
}
