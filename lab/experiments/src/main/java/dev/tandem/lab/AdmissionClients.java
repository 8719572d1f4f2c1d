package dev.tandem.lab;

import dev.tandem.load.Call;
import dev.tandem.load.Outcome;
import dev.tandem.load.Reply;
import dev.tandem.load.Session;
import dev.tandem.load.Shape;
import dev.tandem.load.Step;
import dev.tandem.load.Workload;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Clients that disconnect when they are rejected or, in a closed loop, retry a little later. Each
/// request is drawn from a mix.
///
/// @param mix the requests, drawn in proportion to their shares
/// @param calls of a session; 0 for no limit
/// @param think time between the calls of a session
/// @param isStubborn whether rejected clients retry
/// @param tally records the results
record AdmissionClients(
        List<Part> mix, int calls, Duration think, boolean isStubborn, AdmissionTally tally)
        implements Workload {

    /// Pause of a rejected client before it retries, so that rejections are not most of the load.
    private static final Duration PAUSE = Duration.ofMillis(100);

    private static final int OK = 200;
    private static final int REJECTED = 503;

    /// @param share of all calls; those of a mix add up to 1
    record Part(Call call, double share) {}

    AdmissionClients {
        mix = List.copyOf(mix);
    }

    /// Returns clients that send one request each and disconnect.
    static AdmissionClients once(List<Part> mix, AdmissionTally tally) {
        return new AdmissionClients(mix, 1, Duration.ZERO, false, tally);
    }

    /// Returns clients that send requests without end, on persistent connections.
    static AdmissionClients endless(List<Part> mix, AdmissionTally tally) {
        return new AdmissionClients(mix, 0, Duration.ZERO, true, tally);
    }

    /// Returns a mix of one target.
    static List<Part> only(String target) {
        return List.of(new Part(Call.get(target), 1));
    }

    @Override
    public String name() {
        return "admission";
    }

    @Override
    public Session begin(long number, RandomGenerator random) {
        return new ClientSession(random);
    }

    private Call draw(RandomGenerator random) {
        double left = random.nextDouble();
        for (Part part : mix) {
            left -= part.share;
            if (left < 0) {
                return part.call;
            }
        }
        return mix.getLast().call;
    }

    private final class ClientSession implements Session {
        private final RandomGenerator random;
        private int sent;
        private long due;

        ClientSession(RandomGenerator random) {
            this.random = random;
        }

        @Override
        public @Nullable Step next(List<Reply> replies) {
            long now = System.nanoTime();
            if (replies.isEmpty()) {
                return request(Duration.ZERO, now);
            }
            Reply reply = replies.getFirst();
            int status = status(reply);
            if (status > 0) {
                tally.responded(reply.call().page(), status, due, now);
            }
            if (status != OK) {
                if (status > 0 && sent > 1 && !isStubborn) {
                    tally.abandoned(now);
                }
                return isStubborn ? request(PAUSE, now) : null;
            }
            if (calls > 0 && sent == calls) {
                tally.completed(now);
                return null;
            }
            return request(think, now);
        }

        /// A refused stream is a rejection; 0 if there was no response.
        private static int status(Reply reply) {
            return reply.outcome() == Outcome.STREAM_REFUSED ? REJECTED : reply.status();
        }

        private Step request(Duration pause, long now) {
            sent++;
            due = now + pause.toNanos();
            return new Step(pause, Shape.IN_TURN, List.of(draw(random)));
        }
    }
}
