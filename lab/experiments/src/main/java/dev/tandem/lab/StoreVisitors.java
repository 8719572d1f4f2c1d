package dev.tandem.lab;

import dev.tandem.lab.shops.BookstoreVisitors;
import dev.tandem.load.Call;
import dev.tandem.load.Reply;
import dev.tandem.load.Session;
import dev.tandem.load.Step;
import dev.tandem.load.Workload;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The emulated browsers of TPC-W, whose pages are logged. They do not come all at once, and one
/// whose page was refused or failed asks for it again a second later, as TPC-W's do.
///
/// @param stagger over which the first ones come
/// @param pause before a page is asked for again
record StoreVisitors(BookstoreVisitors visitors, PageLog log, Duration stagger, Duration pause)
        implements Workload {
    /// What pictures are called.
    private static final String PICTURE = "picture";

    @Override
    public String name() {
        return visitors.name();
    }

    @Override
    public Session begin(long number, RandomGenerator random) {
        return new Visit(visitors.begin(number, random), random);
    }

    private final class Visit implements Session {
        private final Session inner;
        private final RandomGenerator random;
        private PageLog.@Nullable Asked current;

        Visit(Session inner, RandomGenerator random) {
            this.inner = inner;
            this.random = random;
        }

        @Override
        public @Nullable Step next(List<Reply> replies) {
            if (replies.isEmpty()) {
                Step first = inner.next(replies);
                return first == null ? null : asks(first.calls(), stagger());
            }
            PageLog.Asked asked = current;
            if (asked != null) {
                current = null;
                Reply reply = replies.getFirst();
                asked.answered(reply.status(), reply.isOk(), System.nanoTime());
                if (!reply.isOk()) {
                    return asks(List.of(reply.call()), pause);
                }
            }
            Step next = inner.next(replies);
            if (next == null || next.calls().getFirst().page().equals(PICTURE)) {
                return next;
            }
            return asks(next.calls(), next.think());
        }

        private Duration stagger() {
            return Duration.ofNanos((long) (random.nextDouble() * stagger.toNanos()));
        }

        private Step asks(List<Call> calls, Duration think) {
            current = log.asks(calls.getFirst().page(), System.nanoTime() + think.toNanos());
            return Step.inTurn(think, calls);
        }
    }
}
