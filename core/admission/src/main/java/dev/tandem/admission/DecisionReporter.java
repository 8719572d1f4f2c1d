package dev.tandem.admission;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reports a database lane's decisions to permits that waited, without the lane's lock. A listener
/// may release its permit at once, which leads to further decisions: these are reported after it,
/// not in it, or each of thousands would be reported in the call of the one before. Any thread may
/// call it.
final class DecisionReporter {
    /// Decisions made under the lane's lock, to be reported after it.
    static final class Batch {
        private final Queue<Made> decisions = new ArrayDeque<>();

        /// @param now the caller's clock
        void add(DatabasePermit permit, Decision decision, long now) {
            decisions.add(new Made(permit, decision, now));
        }
    }

    private record Made(DatabasePermit permit, Decision decision, long now) {}

    /// The batch that this thread reports.
    private final ThreadLocal<@Nullable Batch> current = new ThreadLocal<>();

    private final Consumer<Failure> failed;

    /// A listener that failed.
    ///
    /// @param batch for the decisions that follow from releasing the permit
    record Failure(DatabasePermit permit, Batch batch) {}

    /// @param failed releases the permit of a listener that has thrown
    DecisionReporter(Consumer<Failure> failed) {
        this.failed = failed;
    }

    /// Reports all of a batch, or adds it to the one that this thread reports already. If listeners
    /// throw, the first exception is thrown when all decisions are reported.
    void report(Batch batch) {
        if (batch.decisions.isEmpty()) {
            return;
        }
        Batch outer = current.get();
        if (outer != null) {
            outer.decisions.addAll(batch.decisions);
            return;
        }
        current.set(batch);
        try {
            reportAll(batch);
        } finally {
            current.remove();
        }
    }

    private void reportAll(Batch batch) {
        @Nullable Throwable failure = null;
        for (Made each = batch.decisions.poll(); each != null; each = batch.decisions.poll()) {
            try {
                each.permit.report(each.decision, each.now);
            } catch (RuntimeException | Error e) {
                failure = failure == null ? e : failure;
                failed.accept(new Failure(each.permit, batch));
            }
        }
        if (failure instanceof Error e) {
            throw e;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
    }
}
