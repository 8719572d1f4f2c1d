package dev.tandem.upstream;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;

/// The look-up of an upstream's name. It may take long, and clients come and go meanwhile: so all
/// that wait for it share one thread, and its result. Thread safe.
final class Resolution {
    private final Lookup lookup;
    private final ThreadFactory threads;
    private final Set<Waiting> waiting = new LinkedHashSet<>();
    private boolean isRunning;

    /// Finds the address. Blocks.
    @FunctionalInterface
    interface Lookup {
        SocketAddress find() throws IOException;
    }

    /// What waits for the address; called by the thread that looks it up.
    interface Waiting {
        void resolved(SocketAddress found);

        void unresolved(IOException why);
    }

    /// @param threads makes the thread of each look-up
    Resolution(Lookup lookup, ThreadFactory threads) {
        this.lookup = lookup;
        this.threads = threads;
    }

    /// Looks the name up, unless that is being done. One of the methods of [Waiting] is called once
    /// it has, or at once if there is no thread for it.
    void await(Waiting next) {
        synchronized (this) {
            waiting.add(next);
            if (isRunning) {
                return;
            }
            isRunning = true;
        }
        try {
            threads.newThread(this::run).start();
        } catch (OutOfMemoryError e) {
            // As the JVM says that the system has no further thread for it.
            var why = new IOException("there is no thread to look the name up: " + e.getMessage());
            end().forEach(each -> each.unresolved(why));
        }
    }

    /// No longer waits.
    synchronized void forget(Waiting gone) {
        waiting.remove(gone);
    }

    private void run() {
        try {
            SocketAddress found = lookup.find();
            end().forEach(each -> each.resolved(found));
        } catch (IOException e) {
            end().forEach(each -> each.unresolved(e));
        } catch (RuntimeException | Error e) {
            var why = new IOException(e);
            end().forEach(each -> each.unresolved(why));
        }
    }

    private synchronized List<Waiting> end() {
        isRunning = false;
        List<Waiting> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }
}
