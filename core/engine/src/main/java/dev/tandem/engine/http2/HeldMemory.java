package dev.tandem.engine.http2;

import dev.tandem.engine.MemoryBudget;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Counts what a connection holds, for itself and in a budget of all connections. Safe for use by
/// any thread.
abstract sealed class HeldMemory permits InputMemory, OutputMemory {
    // A field in place of an atomic object, which an idle connection would keep.
    private static final VarHandle HELD;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(HeldMemory.class, "held", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MemoryBudget budget;

    @SuppressWarnings("unused") // by HELD
    private volatile long held;

    /// @param budget of all connections
    HeldMemory(MemoryBudget budget) {
        this.budget = budget;
    }

    /// Counts what is held.
    ///
    /// @param count in bytes; negative for what is no longer held
    final void hold(long count) {
        HELD.getAndAdd(this, count);
        budget.add(count);
    }

    /// Returns what the connection holds, in bytes.
    final long held() {
        return held;
    }

    /// Whether all connections together hold less than they may.
    final boolean hasRoom() {
        return budget.hasRoom();
    }

    /// Whether they hold so many times as much.
    final boolean isExceeded(int times) {
        return budget.isExceeded(times);
    }

    /// Whether the connection may keep what it holds though its client does not take it.
    final boolean mayWait() {
        return budget.mayWait(held);
    }
}
