package dev.tandem.engine.http2;

import dev.tandem.engine.MemoryBudget;

/// Decides whether a connection's client may begin further requests, and send more of their bodies,
/// by what it holds of requests that are not over: heads, bodies that were not read, and what the
/// server itself keeps of each.
///
/// A client that holds the budget must not keep others out: so a connection has a little whatever
/// others hold, and only one that has more than that is refused further requests and bodies.
///
/// | held by all                | a connection may have |
/// |----------------------------|-----------------------|
/// | less than the budget       | any                   |
/// | up to twice the budget     | 64 KiB                |
/// | up to four times           | 16 KiB                |
/// | more                       | 4 KiB                 |
///
/// A connection that has nothing may always begin a request, but beyond three times the budget its
/// head must not be longer than 4 KiB: thousands of connections with a long head each, which costs
/// their clients little, would fill the heap.
final class InputMemory extends HeldMemory {
    /// 64 KiB: a body that is collected first.
    private static final int SHARE = 65_536;

    /// 16 KiB: a long head, or some short requests.
    private static final int SCARCE_SHARE = 16_384;

    /// 4 KiB: more than the heads of most clients.
    private static final int LEAST_SHARE = 4_096;

    /// @param budget for input, of all connections
    InputMemory(MemoryBudget budget) {
        super(budget);
    }

    /// Whether the connection may not have more: neither a request with a body, nor more of a body
    /// that no handler reads.
    ///
    /// @param more in bytes
    boolean isFull(int more) {
        if (hasRoom()) {
            return false;
        }
        long now = held();
        if (isExceeded(4)) {
            return now + more > LEAST_SHARE;
        }
        if (now == 0) {
            return isExceeded(3) && more > LEAST_SHARE;
        }
        return now + more > (isExceeded(2) ? SCARCE_SHARE : SHARE);
    }

    /// Whether the connection may not even have another request without a body, which is soon over,
    /// unless many are.
    ///
    /// @param more in bytes
    boolean isFarFull(int more) {
        return isExceeded(2) && isFull(more);
    }
}
