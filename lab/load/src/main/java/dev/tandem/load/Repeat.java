package dev.tandem.load;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Repeats one step.
///
/// @param name for reports
/// @param step what is repeated; its think time does not precede the first
/// @param times per session; 0 for without end, on one connection for as long as it lasts
public record Repeat(String name, Step step, long times) implements Workload {

    public Repeat {
        if (times < 0) {
            throw new IllegalArgumentException("times must not be negative, was " + times);
        }
    }

    /// Calls without end: in a closed loop, so many persistent connections.
    public static Repeat endless(Call call) {
        return new Repeat(call.page(), Step.of(call), 0);
    }

    /// Sessions of some calls, with time to think between them.
    public static Repeat sessions(Call call, long calls, Duration think) {
        return new Repeat(call.page(), Step.inTurn(think, List.of(call)), calls);
    }

    @Override
    public Session begin(long number, RandomGenerator random) {
        return new Repeated();
    }

    private final class Repeated implements Session {
        private long done;

        @Override
        public @Nullable Step next(List<Reply> replies) {
            if (times > 0 && done == times) {
                return null;
            }
            done++;
            return done == 1 ? new Step(Duration.ZERO, step.shape(), step.calls()) : step;
        }
    }
}
