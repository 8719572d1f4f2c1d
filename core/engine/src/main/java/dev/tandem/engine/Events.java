package dev.tandem.engine;

import dev.tandem.admission.Admission;
import dev.tandem.admission.Decision;
import dev.tandem.admission.RouteLoad;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// Reports to JDK Flight Recorder what the server decides. While nothing is recorded, each method
/// costs one read of a field, and no class of events is loaded.
public final class Events {
    /// The number of workers that was reported last; 0 at first. Confined to the heartbeat.
    private int workers;

    static boolean areRecorded() {
        return FlightRecorder.isInitialized();
    }

    static void rejected(RouteLoad route, Decision.Reject rejection) {
        if (areRecorded()) {
            new RequestRejectedEvent(
                            route.id(), rejection.reason().name(), rejection.retryAfterSeconds())
                    .commit();
        }
    }

    public static void acceptGateChanged(boolean isOpen) {
        if (areRecorded()) {
            new AcceptGateChangedEvent(isOpen).commit();
        }
    }

    /// Begins the event of a request's run.
    ///
    /// @return null if it is not recorded
    static @Nullable RequestEvent begins() {
        return areRecorded() ? RequestEvent.begun() : null;
    }

    /// Begins the event of a handshake, whose ClientHello has come.
    ///
    /// @return null if it is not recorded
    public static @Nullable HandshakeEvent handshakeBegins() {
        return areRecorded() ? HandshakeEvent.begun() : null;
    }

    /// Notes that the response of what the context's thread runs begins.
    public static void responds(IoContext context) {
        if (areRecorded()) {
            context.responds(System.nanoTime());
        }
    }

    /// Returns the time when something is asked for, if its wait is recorded; else 0.
    static long asked() {
        return areRecorded() ? System.nanoTime() : 0;
    }

    /// Reports a changed number of workers. Called when admission has adapted its limits.
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
