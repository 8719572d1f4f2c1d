package dev.tandem.acme;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;

/// Names that clients requested and for which there is no certificate. Bounded, since clients send
/// whatever names they like: what does not fit is forgotten, and requested again. Safe for use by
/// any thread.
final class RequestedNames {
    /// How many names wait for the permission. More are forgotten.
    static final int WAITING_MAX = 100;

    /// How long a name is not asked about again: ten minutes, which one just registered may have to
    /// wait.
    static final Duration REFUSED_FOR = Duration.ofMinutes(10);

    private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(WAITING_MAX);

    /// Those that wait, are being asked about, or are permitted and wait for the thread that
    /// orders: so one name takes one place, and costs the site one question, however often it is
    /// requested.
    private final Set<String> pending = ConcurrentHashMap.newKeySet();

    /// By name: until when. Guarded by itself.
    private final Map<String, Plan> refused = new RecentNames<>();

    /// Called by event loops: returns at once.
    void add(String name) {
        if (AcmeSettings.isHostName(name) && pending.add(name) && !waiting.offer(name)) {
            pending.remove(name);
        }
    }

    /// Returns the next name about which nothing is known, and waits for it. [#decided] must
    /// follow.
    String take(InstantSource clock) throws InterruptedException {
        while (true) {
            String name = waiting.take();
            boolean isTaken = false;
            try {
                isTaken = !isRefused(name, clock.instant());
            } finally {
                if (!isTaken) {
                    pending.remove(name);
                }
            }
            if (isTaken) {
                return name;
            }
        }
    }

    /// A name is refused, or is ordered, or will not be: it may be requested again.
    void decided(String name) {
        pending.remove(name);
    }

    private boolean isRefused(String name, Instant now) {
        synchronized (refused) {
            Plan end = refused.computeIfPresent(name, (_, plan) -> plan.asOf(now));
            return end != null && !end.isReached(now);
        }
    }

    void refuse(String name, Instant now) {
        synchronized (refused) {
            refused.remove(name);
            refused.put(name, new Plan(now, now.plus(REFUSED_FOR)));
        }
    }
}
