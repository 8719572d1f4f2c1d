package dev.tandem.lab;

import dev.tandem.lab.shops.BookstoreClients;
import dev.tandem.load.Call;
import dev.tandem.load.Reply;
import dev.tandem.load.Session;
import dev.tandem.load.Step;
import dev.tandem.load.Workload;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The emulated browsers of TPC-W, with a log of their pages and pictures. They do not begin all at
/// once, and a browser whose page was rejected or failed retries it a second later, as TPC-W's do.
///
/// @param stagger over which the first ones begin
/// @param pause before a retry
record StoreClients(BookstoreClients clients, PageLog log, Duration stagger, Duration pause)
        implements Workload {
    @Override
    public String name() {
        return clients.name();
    }

    @Override
    public Session begin(long number, RandomGenerator random) {
        return new Browser(clients.begin(number, random), random);
    }

    private final class Browser implements Session {
        private final Session inner;
        private final RandomGenerator random;
        private PageLog.@Nullable Request current;

        Browser(Session inner, RandomGenerator random) {
            this.inner = inner;
            this.random = random;
        }

        @Override
        public @Nullable Step next(List<Reply> replies) {
            if (replies.isEmpty()) {
                Step first = inner.next(replies);
                return first == null ? null : step(first.calls(), stagger());
            }
            PageLog.Request sent = current;
            if (sent != null) {
                current = null;
                Reply reply = replies.getFirst();
                sent.completed(reply.status(), reply.isOk(), System.nanoTime());
                if (!reply.isOk()) {
                    return step(List.of(reply.call()), pause);
                }
            }
            if (sent == null) {
                logPictures(replies);
            }
            Step next = inner.next(replies);
            if (next == null || isPicture(next.calls().getFirst())) {
                return next;
            }
            return step(next.calls(), next.think());
        }

        private void logPictures(List<Reply> replies) {
            long now = System.nanoTime();
            for (Reply reply : replies) {
                log.request(PageLog.PICTURE, now - reply.nanos())
                        .completed(reply.status(), reply.isOk(), now);
            }
        }

        private static boolean isPicture(Call call) {
            return call.page().equals(PageLog.PICTURE);
        }

        private Duration stagger() {
            return Duration.ofNanos((long) (random.nextDouble() * stagger.toNanos()));
        }

        private Step step(List<Call> calls, Duration think) {
            current = log.request(calls.getFirst().page(), System.nanoTime() + think.toNanos());
            return Step.inTurn(think, calls);
        }
    }
}
