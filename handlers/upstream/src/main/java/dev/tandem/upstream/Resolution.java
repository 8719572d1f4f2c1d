package dev.tandem.upstream;

import dev.tandem.net.NanoClock;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/// The look-up of an upstream's name. It may take long, and clients come and go meanwhile: so all
/// that wait for it share one thread, and its result. While the name server is out, the addresses
/// that were found last are used, for ten minutes: a name that is gone cannot be distinguished, and
/// its address may be another application's then. Thread safe.
final class Resolution {
    /// A second: once a look-up takes longer, none waits for it if there are addresses.
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long KEPT_MINUTES = 10;
    private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(KEPT_MINUTES);

    private final String name;
    private final Lookup lookup;
    private final ThreadFactory threads;
    private final NanoClock clock;
    private final Set<Waiting> waiting = new LinkedHashSet<>();
    private boolean isRunning;
    private long startedNanos;

    /// The addresses that were found last; empty before the first time.
    private List<SocketAddress> known = List.of();

    /// Whether the last look-up failed, though there are addresses.
    private boolean isOut;

    private long outSinceNanos;

    /// Finds the addresses, at least one. Blocks.
    @FunctionalInterface
    interface Lookup {
        List<SocketAddress> find() throws IOException;
    }

    /// What waits for the addresses; called by the thread that looks them up, or at once.
    interface Waiting {
        void resolved(List<SocketAddress> found);

        void unresolved(IOException why);
    }

    /// @param name for the log
    /// @param threads makes the thread of each look-up
    Resolution(String name, Lookup lookup, ThreadFactory threads, NanoClock clock) {
        this.name = name;
        this.lookup = lookup;
        this.threads = threads;
        this.clock = clock;
    }

    /// Looks the name up, unless that is being done. One of the methods of [Waiting] is called once
    /// it has, or at once if there is no thread for it, or the name server is out.
    void await(Waiting next) {
        boolean starts;
        List<SocketAddress> stale;
        synchronized (this) {
            long now = clock.nanos();
            starts = !isRunning;
            stale = isOut || isSlow(now) ? usable(now) : List.of();
            if (stale.isEmpty()) {
                waiting.add(next);
            }
            if (starts) {
                isRunning = true;
                startedNanos = now;
            }
        }
        if (starts) {
            start();
        }
        if (!stale.isEmpty()) {
            next.resolved(stale);
        }
    }

    /// Returns the addresses that were found last, unless none were for too long.
    private List<SocketAddress> usable(long now) {
        if (isOut && now - outSinceNanos > KEPT_NANOS) {
            known = List.of();
            isOut = false;
        }
        return known;
    }

    private boolean isSlow(long now) {
        return isRunning && now - startedNanos > PATIENCE_NANOS;
    }

    /// Ends the waits for a look-up that has become slow, if there are addresses. Called several
    /// times a second for each that waits.
    void check() {
        List<Waiting> all;
        List<SocketAddress> stale;
        synchronized (this) {
            if (waiting.isEmpty() || known.isEmpty() || !isSlow(clock.nanos())) {
                return;
            }
            stale = known;
            all = takeWaiting();
        }
        all.forEach(each -> each.resolved(stale));
    }

    private void start() {
        try {
            threads.newThread(this::run).start();
        } catch (OutOfMemoryError e) {
            // As the JVM says that the system has no further thread for it.
            failed(new IOException("there is no thread to look the name up: " + e.getMessage()));
        }
    }

    /// No longer waits.
    synchronized void forget(Waiting gone) {
        waiting.remove(gone);
    }

    private void run() {
        try {
            found(lookup.find());
        } catch (IOException e) {
            failed(e);
        } catch (RuntimeException | Error e) {
            failed(new IOException(e));
        }
    }

    private void found(List<SocketAddress> addresses) {
        List<Waiting> all;
        boolean wasOut;
        synchronized (this) {
            wasOut = isOut;
            isOut = false;
            known = List.copyOf(addresses);
            all = end();
        }
        all.forEach(each -> each.resolved(addresses));
        if (wasOut) {
            Log.LOG.log(Level.INFO, "upstream " + name + ": its name is found again");
        }
    }

    private void failed(IOException why) {
        List<Waiting> all;
        List<SocketAddress> stale;
        boolean isNew;
        synchronized (this) {
            long now = clock.nanos();
            stale = usable(now);
            isNew = !isOut && !stale.isEmpty();
            if (isNew) {
                isOut = true;
                outSinceNanos = now;
            }
            all = end();
        }
        if (stale.isEmpty()) {
            all.forEach(each -> each.unresolved(why));
            return;
        }
        all.forEach(each -> each.resolved(stale));
        if (isNew) {
            Log.LOG.log(
                    Level.WARNING,
                    "upstream "
                            + name
                            + ": its name is not found, so the addresses of before are used for "
                            + KEPT_MINUTES
                            + " minutes: "
                            + why);
        }
    }

    private List<Waiting> end() {
        isRunning = false;
        return takeWaiting();
    }

    private List<Waiting> takeWaiting() {
        List<Waiting> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }
}
