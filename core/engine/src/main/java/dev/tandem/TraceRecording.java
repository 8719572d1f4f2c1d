package dev.tandem;

import dev.tandem.engine.manage.ThreadTrace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/// A recording of what each thread of a server does, by JDK Flight Recorder: all waits that the JVM
/// knows of, requests with their steps, and what the kernel counts. A server that is not recorded
/// pays for the read of a field.
///
/// Created by [Server#record()]; ended by [#stop] or [#close]. Safe for use by any thread.
public final class TraceRecording implements AutoCloseable {
    /// Maximum length, 5 minutes: a forgotten recording ends by itself.
    public static final Duration LENGTH_MAX = ThreadTrace.LENGTH_MAX;

    private final ThreadTrace trace;

    TraceRecording(ThreadTrace trace) {
        this.trace = trace;
    }

    /// Lets the JVM write the recording if the process ends first: a shutdown hook cannot, as
    /// Flight Recorder ends at the same time.
    ///
    /// @param file as in [#stop]
    /// @throws IOException if it cannot be written to
    public void writeAtExit(Path file) throws IOException {
        trace.writeAtExit(file);
    }

    /// Ends the recording and writes it; takes some hundred milliseconds.
    ///
    /// @param file for `tandem trace --read`, or JDK Mission Control; an existing one is
    ///     overwritten
    /// @throws IOException if it cannot be written, or the recording was ended before
    public void stop(Path file) throws IOException {
        trace.stop(file);
    }

    /// Ends the recording, if it has not ended, and drops it.
    @Override
    public void close() {
        trace.close();
    }
}
