package dev.tandem.load;

import java.time.Duration;
import java.util.List;

/// A user's page, burst or single request.
///
/// @param think how long the user waits before it, from the last response of the step before; not
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

    /// Returns a step with one call and no think time.
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
