package dev.tandem.fleet;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

/// Sessions of several pages at twice the capacity, in virtual time: a balancer with a queue for
/// each instance, in the order of arrival, in front of instances that let live sessions go first
/// and reject new ones that would wait for too long. That new sessions are held back by what live
/// ones will request is left out: it needs a capacity that was measured. The room that an instance
/// reports decides what chooses: the queue, which knows no sessions, or admission.
class BalancerQueueTest {
    private static final double STEP = 0.002;
    private static final int INSTANCES = 3;
    private static final double CAPACITY = 200;
    private static final int PAGES = 10;
    private static final double THINK_SECONDS = 0.35;

    /// Longer ones are rejected by admission, or by the balancer.
    private static final double WAIT_NEW = 0.15;

    private static final double WAIT_BALANCER = 2;
    private static final int WORKERS = 2;

    private final PriorityQueue<Session> thinking =
            new PriorityQueue<>((a, b) -> Double.compare(a.at, b.at));
    private final List<Instance> instances = new ArrayList<>();
    private int completed;

    private static final class Session {
        final Instance home;
        int pages;
        double at;

        Session(Instance home) {
            this.home = home;
        }
    }

    private static final class Instance {
        final RoomForAdmission room = new RoomForAdmission();
        final Deque<Session> atBalancer = new ArrayDeque<>();
        final Deque<Session> live = new ArrayDeque<>();
        final Deque<Session> fresh = new ArrayDeque<>();
        int servedInSecond;
        int sentMax;
        double credit;

        int inside() {
            return live.size() + fresh.size();
        }

        boolean admits() {
            return inside() / CAPACITY < WAIT_NEW;
        }
    }

    @Test
    void sessionsAreFinishedWhereAdmissionSeesWhatWaits() {
        double part = completedPart(0);
        assertTrue(part >= 0.95, "completed " + part + " of what is possible");
    }

    @Test
    void fewerSessionsAreFinishedWhereABalancerQueuesInstead() {
        double part = completedPart(WORKERS);
        assertTrue(part < 0.9, "completed " + part + " of what is possible");
    }

    /// @param fixed requests at once; 0 for those that an instance reports
    private double completedPart(int fixed) {
        for (int i = 0; i < INSTANCES; i++) {
            var instance = new Instance();
            instance.sentMax = fixed > 0 ? fixed : instance.room.requests(WORKERS, 0);
            instances.add(instance);
        }
        double sessionsPerSecond = 2 * INSTANCES * CAPACITY / PAGES;
        double due = 0;
        int next = 0;
        int seconds = 60;
        int warm = 20;
        for (int step = 0; step < seconds / STEP; step++) {
            double now = step * STEP;
            if (step == (int) (warm / STEP)) {
                completed = 0;
            }
            due += sessionsPerSecond * STEP;
            for (; due >= 1; due--) {
                var session = new Session(instances.get(next++ % INSTANCES));
                session.at = now;
                session.home.atBalancer.add(session);
            }
            while (!thinking.isEmpty() && thinking.peek().at <= now) {
                Session back = thinking.remove();
                back.home.atBalancer.add(back);
            }
            for (Instance instance : instances) {
                step(instance, now);
                if (step % (int) (1 / STEP) == 0 && fixed == 0) {
                    instance.sentMax = instance.room.requests(WORKERS, instance.servedInSecond);
                    instance.servedInSecond = 0;
                }
            }
        }
        double possible = INSTANCES * CAPACITY / PAGES * (seconds - warm);
        return completed / possible;
    }

    private void step(Instance instance, double now) {
        while (instance.inside() < instance.sentMax && !instance.atBalancer.isEmpty()) {
            Session sent = instance.atBalancer.remove();
            if (now - sent.at > WAIT_BALANCER) {
                continue; // 503 of the balancer
            }
            if (sent.pages > 0) {
                instance.live.add(sent);
            } else if (instance.admits()) {
                instance.fresh.add(sent);
            }
        }
        instance.credit = Math.min(instance.credit + CAPACITY * STEP, 2);
        while (instance.credit >= 1 && instance.inside() > 0) {
            instance.credit--;
            instance.servedInSecond++;
            Session served =
                    instance.live.isEmpty() ? instance.fresh.remove() : instance.live.remove();
            served.pages++;
            served.at = now + THINK_SECONDS;
            if (served.pages == PAGES) {
                completed++;
            } else {
                thinking.add(served);
            }
        }
    }
}
