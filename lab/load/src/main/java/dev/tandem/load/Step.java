package dev.tandem.load;

import java.time.Duration;
import java.util.List;

/// A page, a burst or a single request of a visitor.
///
/// @param think how long the visitor waits before it, from the last reply of the step before; not
///     negative
/// @param calls at least one
public record Step(Duration think, Shape shape, List<Call> calls) {

    /// @throws IllegalArgumentException if `think` is negative or there is no call
    public Step {
        if (think.isNegative()) {
            throw new IllegalArgumentException("think must not be negative, was " + think);
        }
        if (calls.isEmpty()) {
            throw new IllegalArgumentException("a step needs a call");
        }
        calls = List.copyOf(calls);
    }

    /// One call, at once.
    public static Step of(Call call) {
        return inTurn(Duration.ZERO, List.of(call));
    }

    public static Step inTurn(Duration think, List<Call> calls) {
        return new Step(think, Shape.IN_TURN, calls);
    }

    public static Step pipelined(Duration think, List<Call> calls) {
        return new Step(think, Shape.PIPELINED, calls);
    }

    public static Step parallel(Duration think, List<Call> calls) {
        return new Step(think, Shape.PARALLEL, calls);
    }
}
