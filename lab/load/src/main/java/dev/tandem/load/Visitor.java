package dev.tandem.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Plays one session: hands the calls of each step to its connections and the answers to the
/// session. Confined to its player's thread.
final class Visitor implements Agenda.Due {
    private final Player player;
    private final Session session;
    private final long beganNanos;
    private final Identity identity;
    private final List<Link> links = new ArrayList<>(1);

    /// Where it is in its player's list.
    int place;

    private @Nullable Step step;
    private @Nullable Reply[] replies = {};
    private int handedOut;
    private int answered;

    /// Calls to be made again, before those not made yet.
    private final Asks again = new Asks();

    private int answersInAll;
    private int connectionsInAll;
    /// Whether a call failed for good and the session went on.
    private boolean isFlawed;

    private boolean isOver;

    /// @param beganNanos when it was to begin
    Visitor(Player player, Session session, Identity identity, long beganNanos) {
        this.player = player;
        this.session = session;
        this.identity = identity;
        this.beganNanos = beganNanos;
    }

    void begin() {
        next(List.of(), beganNanos);
    }

    /// @param sinceNanos when the last step ended
    private void next(List<Reply> last, long sinceNanos) {
        Step following = session.next(last);
        if (following == null) {
            end(true);
            return;
        }
        step = following;
        long think = following.think().toNanos();
        if (think > 0) {
            player.agenda().add(sinceNanos + think, this);
        } else {
            play(following, sinceNanos);
        }
    }

    @Override
    public void due(long dueNanos) {
        player.lag(dueNanos);
        Step following = step;
        if (!isOver && following != null) {
            play(following, dueNanos);
        }
    }

    private void play(Step now, long dueNanos) {
        int count = now.calls().size();
        if (replies.length == count) {
            Arrays.fill(replies, null);
        } else {
            replies = new @Nullable Reply[count];
        }
        handedOut = 0;
        answered = 0;
        boolean isParallel = now.shape() == Shape.PARALLEL;
        int lanes = isParallel ? Math.min(count, player.load().client().connectionsMax()) : 1;
        while (links.size() < lanes) {
            links.add(new Link(player, this));
        }
        for (int i = 0; i < lanes && !isOver && step == now; i++) {
            fill(links.get(i), dueNanos);
        }
    }

    /// Gives a connection what it may do now.
    ///
    /// @param dueNanos when that is meant to go out
    void fill(Link link, long dueNanos) {
        Step now = step;
        int most = isPipelining() ? player.load().client().pipelinedMax() : 1;
        while (!isOver && now != null && !link.isResting() && link.size() < most) {
            Ask ask = again.poll();
            if (ask == null) {
                ask = fresh(now, dueNanos);
            }
            if (ask == null) {
                break;
            }
            long gap = now.shape() == Shape.PIPELINED ? 0 : ask.call.gapNanos();
            if (gap > 0 && ask.retries == 0) {
                link.rest(ask, dueNanos + gap);
                return;
            }
            link.add(ask);
        }
        link.flush();
    }

    private @Nullable Ask fresh(Step now, long dueNanos) {
        if (handedOut == now.calls().size()) {
            return null;
        }
        var ask = new Ask(now.calls().get(handedOut), handedOut);
        ask.dueNanos = dueNanos;
        handedOut++;
        return ask;
    }

    // ---- What connections tell.

    /// @param unanswered if the connection is closed by this answer: what it had under way
    void replied(Link link, Ask ask, Reply reply, @Nullable Asks unanswered) {
        answersInAll++;
        if (unanswered != null) {
            again.addFirst(unanswered);
        }
        identity.learn(reply);
        Outcome outcome = outcome(reply);
        if (outcome == Outcome.OK) {
            answered(link, ask, reply);
            return;
        }
        player.error(outcome);
        failed(link, ask, reply.withOutcome(outcome));
    }

    private Outcome outcome(Reply reply) {
        if (player.isFailing(reply.status())) {
            return Outcome.BAD_STATUS;
        }
        boolean isFine = reply.call().check() == Check.ANY || reply.call().check().accepts(reply);
        return isFine ? Outcome.OK : Outcome.WRONG_CONTENT;
    }

    private void answered(Link link, Ask ask, Reply reply) {
        replies[ask.index] = reply;
        answered++;
        long now = player.clock().nanos();
        if (answered < replies.length) {
            fill(link, now);
        } else {
            next(told(), now);
        }
    }

    private List<Reply> told() {
        var told = new ArrayList<Reply>(replies.length);
        for (Reply reply : replies) {
            if (reply != null) {
                told.add(reply);
            }
        }
        return told;
    }

    /// A connection broke while a call was under way.
    ///
    /// @param others that were under way behind it
    void failed(Link link, Ask ask, Asks others, Outcome outcome) {
        again.addFirst(others);
        failed(link, ask, new Reply(ask.call, outcome, 0, "", 0, new byte[0], 0, 0));
    }

    private void failed(Link link, Ask ask, Reply reply) {
        if (ask.retries < player.load().client().retriesMax()) {
            ask.retries++;
            ask.unsend();
            player.tally().retries++;
            var one = new Asks();
            one.add(ask);
            again.addFirst(one);
            link.rest(null, player.clock().nanos());
        } else {
            player.tally().failed(ask.call);
            if (player.load().client().isGoingOn()) {
                goOn(link, ask, reply);
            } else {
                end(false);
            }
        }
    }

    /// By the agenda, so that failures in a row do not pile up on the stack.
    private void goOn(Link link, Ask ask, Reply reply) {
        isFlawed = true;
        player.agenda()
                .add(
                        player.clock().nanos(),
                        _ -> {
                            if (!isOver) {
                                answered(link, ask, reply);
                            }
                        });
    }

    /// The server ended a connection between two pipelined answers.
    void cutOff(Link link, Asks unanswered) {
        again.addFirst(unanswered);
        link.rest(null, player.clock().nanos());
    }

    void connectionBegun() {
        connectionsInAll++;
    }

    // ---- What connections ask.

    boolean isOver() {
        return isOver;
    }

    boolean isPipelining() {
        return step != null && step.shape() == Shape.PIPELINED;
    }

    String ownFields(Call call) {
        return identity.fields(call);
    }

    Use use(Call call) {
        return identity.use(call);
    }

    String tlsPeer() {
        return identity.tlsPeer();
    }

    // ---- The end.

    private void end(boolean isWhole) {
        if (isOver) {
            return;
        }
        boolean isComplete = isWhole && !isFlawed;
        leave();
        long life = player.clock().nanos() - beganNanos;
        player.tally().sessionEnded(isComplete, life, answersInAll, connectionsInAll);
        player.left(this, isComplete);
    }

    /// Closes all, without counting.
    void leave() {
        isOver = true;
        for (Link link : links) {
            link.close();
        }
    }
}
