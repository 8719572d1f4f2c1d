package dev.tandem.auction;

import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Clock;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The prices of items that browsers show at this moment: each change is sent to all of them.
///
/// A watcher is a WebSocket session or an async request: while it is silent, no thread has it. Safe
/// for use by any thread.
final class LivePrices implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.tandem.auction");

    /// How many browsers may watch: 20,000, since each costs the container some 20 KiB.
    static final int WATCHERS_MAX = 20_000;

    /// After what time a silent watcher is sent something: 15 s, before proxies close the
    /// connection; clients that have vanished are noticed.
    private static final long BEAT_SECONDS = 15;

    /// A browser that watches an item.
    interface Watcher {
        /// Shows the item's state, the last of several that come faster than they are sent. Does
        /// not wait for the browser.
        ///
        /// @param state in JSON, on one line
        void show(String state);

        /// Sends something without a meaning.
        void beat();

        /// Ends it; the browser comes back.
        void end();
    }

    private final Database database;
    private final Clock clock;
    private final Map<Long, Watched> items = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("auction-beats").factory());

    LivePrices(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
        timer.scheduleWithFixedDelay(
                () -> forEach(Watcher::beat), BEAT_SECONDS, BEAT_SECONDS, TimeUnit.SECONDS);
    }

    /// The watchers of one item. Its lock orders what they are shown: the state that was read last
    /// is sent last.
    private static final class Watched {
        final Set<Watcher> watchers = new HashSet<>();
    }

    /// Shows a watcher an item, now and whenever it changes.
    ///
    /// @return false if there is no such item, or there are too many watchers
    boolean watch(long item, Watcher watcher) throws SQLException {
        String state = count.incrementAndGet() > WATCHERS_MAX ? null : add(item, watcher);
        if (state == null) {
            count.decrementAndGet();
        }
        return state != null;
    }

    private @Nullable String add(long item, Watcher watcher) throws SQLException {
        Watched watched =
                items.compute(
                        item,
                        (_, known) -> {
                            Watched some = known == null ? new Watched() : known;
                            synchronized (some) {
                                some.watchers.add(watcher);
                            }
                            return some;
                        });
        String state = null;
        try {
            synchronized (watched) {
                state = state(item);
                if (state != null) {
                    watcher.show(state);
                }
            }
        } finally {
            if (state == null) {
                forget(item, watcher);
            }
        }
        return state;
    }

    /// A watcher is over.
    void leave(long item, Watcher watcher) {
        if (forget(item, watcher)) {
            count.decrementAndGet();
        }
    }

    private boolean forget(long item, Watcher watcher) {
        boolean[] wasThere = {false};
        items.computeIfPresent(
                item,
                (_, known) -> {
                    synchronized (known) {
                        wasThere[0] = known.watchers.remove(watcher);
                        return known.watchers.isEmpty() ? null : known;
                    }
                });
        return wasThere[0];
    }

    /// Shows an item that has changed. Costs nothing if no browser shows it. If the database fails,
    /// the next change is shown.
    void changed(long item) {
        Watched watched = items.get(item);
        if (watched == null) {
            return;
        }
        synchronized (watched) {
            try {
                String state = state(item);
                if (state != null) {
                    Set.copyOf(watched.watchers).forEach(watcher -> watcher.show(state));
                }
            } catch (SQLException e) {
                LOG.log(Level.WARNING, "item " + item + " has changed, and is not shown: " + e);
            }
        }
    }

    /// Returns what browsers are shown of an item; null if there is no such item. All values are
    /// formatted here, and none needs escaping.
    private @Nullable String state(long id) throws SQLException {
        Item item = database.find(c -> Items.item(c, id));
        if (item == null) {
            return null;
        }
        return """
        {"price":"%s","bids":"%d","reserve":"%s","left":"%d","minimum":"%s","over":%b}\
        """
                .formatted(
                        Text.money(item.price()),
                        item.bids(),
                        item.reserve(),
                        item.quantity(),
                        Text.money(item.bidMin()),
                        item.isOver(clock.instant()));
    }

    /// Returns how many browsers watch.
    int watcherCount() {
        return count.get();
    }

    private void forEach(Consumer<Watcher> action) {
        for (Watched watched : items.values()) {
            Set<Watcher> all;
            synchronized (watched) {
                all = Set.copyOf(watched.watchers);
            }
            all.forEach(action);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        forEach(Watcher::end);
    }
}
