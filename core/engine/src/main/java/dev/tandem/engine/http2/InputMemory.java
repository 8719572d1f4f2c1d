package dev.tandem.engine.http2;

import dev.tandem.engine.MemoryBudget;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// What a connection holds for requests of its client that are not over: heads, bodies that were
/// not read, and what the server itself keeps of each. Counts, with what all connections hold, in
/// the engine's budget for input. Safe for use by any thread.
///
/// A client that holds the budget must not keep others out: so a connection has a little whatever
/// others hold, and only one that has more than that is refused further requests and bodies.
///
/// | held by all                | a connection may have |
/// |----------------------------|-----------------------|
/// | less than the budget       | any                   |
/// | up to twice the budget     | 64 KiB                |
/// | more                       | 16 KiB                |
///
/// A connection that has nothing may always begin a request, as one of HTTP/1.1 may.
final class InputMemory {
    /// 64 KiB: a body that is collected first.
    private static final int SHARE = 65_536;

    /// 16 KiB: a long head, or some short requests.
    private static final int SCARCE_SHARE = 16_384;

    private static final VarHandle HELD;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(InputMemory.class, "held", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MemoryBudget budget;

    @SuppressWarnings("unused") // by HELD
    private volatile long held;

    /// @param budget of all connections
    InputMemory(MemoryBudget budget) {
        this.budget = budget;
    }

    /// Counts what is held.
    ///
    /// @param count in bytes; negative for what is no longer held
    void hold(long count) {
        HELD.getAndAdd(this, count);
        budget.add(count);
    }

    /// Whether the connection may not have more: neither a request with a body, nor more of a body
    /// that no handler reads.
    ///
    /// @param more in bytes
    boolean isFull(int more) {
        if (budget.hasRoom()) {
            return false;
        }
        long most = budget.isFarExceeded() ? SCARCE_SHARE : SHARE;
        return held > 0 && held + more > most;
    }

    /// Whether the connection may not even have another request without a body, which is soon over,
    /// unless many are.
    ///
    /// @param more in bytes
    boolean isFarFull(int more) {
        return budget.isFarExceeded() && isFull(more);
    }
}
