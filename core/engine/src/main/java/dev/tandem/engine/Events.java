package dev.tandem.engine;

import dev.tandem.admission.Admission;
import dev.tandem.admission.Decision;
import dev.tandem.admission.RouteLoad;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// Tells JDK Flight Recorder of what the server decides. While nobody records, each method costs
/// the look at one field, and no class of events is loaded.
public final class Events {
    /// Workers when they were last told; 0 at first. The heartbeat's.
    private int workers;

    static boolean areRecorded() {
        return FlightRecorder.isInitialized();
    }

    static void refused(RouteLoad route, Decision.Reject shed) {
        if (areRecorded()) {
            new RefusalEvent(route.id(), shed.reason().name(), shed.retryAfterSeconds()).commit();
        }
    }

    public static void gateSwung(boolean isOpen) {
        if (areRecorded()) {
            new GateSwungEvent(isOpen).commit();
        }
    }

    /// A request's run begins.
    ///
    /// @return null if nobody records it
    static @Nullable RequestEvent begins() {
        return areRecorded() ? RequestEvent.begun() : null;
    }

    /// A client's hello has come.
    ///
    /// @return null if nobody records it
    public static @Nullable HandshakeEvent handshakeBegins() {
        return areRecorded() ? HandshakeEvent.begun() : null;
    }

    /// The answer of what the context's thread runs begins.
    public static void answers(IoContext context) {
        if (areRecorded()) {
            context.responds(System.nanoTime());
        }
    }

    /// When something is asked for, if somebody may want to know how long it waits; else 0.
    static long asked() {
        return areRecorded() ? System.nanoTime() : 0;
    }

    /// Admission has adapted its limits.
    void adapted(Admission admission) {
        if (!areRecorded()) {
            return;
        }
        var counters = admission.counters();
        if (counters.workers() != workers) {
            new WorkersChangedEvent(workers, counters.workers(), counters.running()).commit();
            workers = counters.workers();
        }
    }
}
