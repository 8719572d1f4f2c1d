package dev.tandem.lab.papers;

import dev.tandem.lab.Form;
import dev.tandem.lab.RunResult;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The state of a job: what was measured, if anything.
///
/// @param result null if there is none, or none that is readable
/// @param file that it was read from; null without a result
/// @param problem why it is not complete; empty if it is
record Part(@Nullable RunResult result, @Nullable Path file, String problem) {
    static final Part NONE = new Part(null, null, "not run yet");

    /// Returns the result if it is complete: only that may be published.
    @Nullable RunResult complete() {
        return result != null && result.isComplete() ? result : null;
    }

    boolean isComplete() {
        return complete() != null;
    }

    /// Whether it is complete, in the full form.
    boolean isFull() {
        RunResult its = complete();
        return its != null && its.form().equals(Form.FULL.toString());
    }

    /// Whether a run began.
    boolean isBegun() {
        return this != NONE;
    }
}
