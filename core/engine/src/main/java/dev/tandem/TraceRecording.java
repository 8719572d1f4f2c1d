package dev.tandem;

import dev.tandem.engine.manage.ThreadTrace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/// A recording of what each thread of a server does, by JDK Flight Recorder: all waits that the
/// JVM knows of, requests with their steps, and what the kernel counts. A server that is not
/// recorded pays for the look at a field.
///
/// Made by [Server#record()]; ended by [#stop] or [#close]. Safe for use by any thread.
public final class TraceRecording implements AutoCloseable {
    /// 5 minutes: then it stops by itself, if it was forgotten.
    public static final Duration LENGTH_MAX = ThreadTrace.LENGTH_MAX;

    private final ThreadTrace trace;

    TraceRecording(ThreadTrace trace) {
        this.trace = trace;
    }

    /// Has the JVM write what was recorded if the process ends before the recording does: what
    /// runs at a process's end cannot, as Flight Recorder ends at the same time.
    ///
    /// @param file as of [#stop]
    /// @throws IOException if it cannot be written to
    public void writeAtExit(Path file) throws IOException {
        trace.writeAtExit(file);
    }

    /// Ends it, and writes what was recorded; takes some hundred milliseconds.
    ///
    /// @param file for `tandem trace --read`, or JDK Mission Control; written over if it is there
    /// @throws IOException if it cannot be written, or the recording was ended before
    public void stop(Path file) throws IOException {
        trace.stop(file);
    }

    /// Ends it, if it has not ended, and drops what was recorded.
    @Override
    public void close() {
        trace.close();
    }
}
