package dev.tandem.engine.listen;

import dev.tandem.engine.Engine;
import dev.tandem.engine.Events;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.Log;
import dev.tandem.net.Acceptor;
import dev.tandem.net.Listener;
import dev.tandem.net.Loop;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The listeners of a server, and the acceptor that each loop has for each listener. Safe for use
/// by any thread.
public final class Listeners {
    private final Engine engine;
    private final List<LoopEntry> loops = new ArrayList<>();
    private volatile List<ListenerBinding> bindings;
    private final List<Accepting> acceptors = new ArrayList<>();
    private final BacklogWatch backlog;
    private boolean isGateOpen = true;

    /// Whether no connection is accepted, whatever admission decides.
    private boolean isPaused;

    private boolean isClosed;

    /// A loop that holds connections.
    private record LoopEntry(Loop loop, IoContext context, int connectionsMax) {}

    /// An acceptor, its listener and its loop.
    private record Accepting(ListenerBinding binding, Loop loop, Acceptor acceptor) {}

    private Listeners(Engine engine, List<ListenerBinding> bindings) {
        this.engine = engine;
        this.bindings = bindings;
        this.backlog = new BacklogWatch(engine.options().limits().backlog());
    }

    /// Opens the listeners of all endpoints.
    ///
    /// @param inherited listeners that are open already; those at an endpoint's address are removed
    /// @throws IOException if one cannot be opened; then none is
    public static Listeners open(Engine engine, List<Endpoint> endpoints, List<Listener> inherited)
            throws IOException {
        var open = new ArrayList<ListenerBinding>();
        try {
            for (Endpoint endpoint : endpoints) {
                open.add(ListenerBinding.open(engine, endpoint, inherited));
            }
            open.forEach(ListenerBinding::count);
            return new Listeners(engine, List.copyOf(open));
        } catch (IOException | RuntimeException e) {
            open.forEach(ListenerBinding::close);
            throw e;
        }
    }

    public List<ListenerBinding> all() {
        return bindings;
    }

    /// Has a loop accept, before it runs.
    public synchronized void addLoop(Loop loop, IoContext context, int connectionsMax)
            throws IOException {
        var entry = new LoopEntry(loop, context, connectionsMax);
        loops.add(entry);
        for (ListenerBinding binding : bindings) {
            Acceptor acceptor = accepting(entry, binding).acceptor();
            acceptor.start();
            if (!isGateOpen) {
                acceptor.pause(); // directly: a task would run after the first poll has accepted
            }
        }
    }

    private Accepting accepting(LoopEntry entry, ListenerBinding binding) {
        var factory = binding.factory(entry.context());
        var acceptor =
                new Acceptor(entry.loop(), binding.listener(), factory, entry.connectionsMax());
        var accepting = new Accepting(binding, entry.loop(), acceptor);
        acceptors.add(accepting);
        return accepting;
    }

    /// Pauses accepting, or resumes it as far as admission allows.
    public synchronized void pause(boolean isPaused) {
        this.isPaused = isPaused;
        applyGate();
    }

    /// Pauses or resumes the acceptors as admission decides, unless accepting is paused;
    /// connections that will be rejected are accepted in groups.
    public synchronized void applyGate() {
        boolean isAtRisk = backlog.isAtRisk(engine.accepted().sum());
        boolean isBehind = isAtRisk || acceptors.stream().anyMatch(a -> a.acceptor().hasBacklog());
        boolean isRejecting = engine.dispatcher().isRejecting();
        acceptors.forEach(a -> a.acceptor().setBatching(isRejecting));
        boolean isOpen =
                !isPaused && (engine.isDraining() || engine.dispatcher().isGateOpen(isBehind));
        // While connections end, each further request needs a new one: they are accepted.
        if (isOpen == isGateOpen || !isOpen && engine.isDraining()) {
            return;
        }
        isGateOpen = isOpen;
        Events.acceptGateChanged(isOpen);
        for (Accepting accepting : acceptors) {
            Acceptor acceptor = accepting.acceptor();
            accepting.loop().execute(isOpen ? acceptor::resume : acceptor::pause);
        }
    }

    /// Listens at the addresses of other endpoints. A listener at an address that is named again
    /// stays as it is, with the clients in its backlog. Called by one thread at a time.
    ///
    /// Files are read, and sockets opened, before the lock is taken: what that waits for, such as a
    /// dead file server, keeps neither the gate nor [#close] waiting.
    ///
    /// @param inherited listeners that were open already, and stay so if this fails; those at an
    ///     endpoint's address are removed, unless they were closed meanwhile
    /// @param commit called when everything is prepared, before the change
    /// @throws IOException if an address cannot be used, or a certificate; then nothing is changed
    /// @throws IllegalStateException if they were closed; then nothing is changed
    public void change(List<Endpoint> next, List<Listener> inherited, Runnable commit)
            throws IOException {
        checkOpen();
        var left = new ArrayList<>(bindings);
        var following = new ArrayList<ListenerBinding>();
        var opened = new ArrayList<ListenerBinding>();
        var changes = new ArrayList<ListenerBinding.Change>();
        List<Listener> known = List.copyOf(inherited); // stay open if this fails
        CountDownLatch stopped;
        try {
            for (Endpoint endpoint : next) {
                ListenerBinding binding = take(left, endpoint);
                if (binding == null) {
                    binding = ListenerBinding.open(engine, endpoint, inherited);
                    opened.add(binding);
                } else {
                    ListenerBinding.Change change = binding.change(endpoint);
                    changes.add(change); // first, so that it is closed
                    change.prepare();
                }
                following.add(binding);
            }
            stopped = exchange(following, opened, left, () -> apply(commit, changes));
        } catch (IOException | RuntimeException e) {
            opened.stream()
                    .filter(binding -> !known.contains(binding.listener()))
                    .forEach(Listeners::closeForGood);
            throw e;
        } finally {
            changes.forEach(ListenerBinding.Change::close);
        }
        changes.forEach(ListenerBinding.Change::report);
        await(stopped);
        left.forEach(Listeners::closeForGood);
    }

    private static void apply(Runnable commit, List<ListenerBinding.Change> changes) {
        commit.run();
        changes.forEach(ListenerBinding.Change::apply);
    }

    /// @return as [#stopAccepting], for those that are left
    private synchronized CountDownLatch exchange(
            List<ListenerBinding> following,
            List<ListenerBinding> opened,
            List<ListenerBinding> left,
            Runnable changes) {
        checkOpen();
        changes.run();
        opened.forEach(ListenerBinding::count);
        bindings = List.copyOf(following);
        opened.forEach(this::begin);
        return stopAccepting(left, true);
    }

    private synchronized void checkOpen() {
        if (isClosed) {
            throw new IllegalStateException("the server is stopped");
        }
    }

    private static @Nullable ListenerBinding take(List<ListenerBinding> left, Endpoint endpoint) {
        for (ListenerBinding binding : left) {
            if (binding.address().equals(endpoint.address()) || endpoint.isAt(binding.listener())) {
                left.remove(binding);
                return binding;
            }
        }
        return null;
    }

    private void begin(ListenerBinding binding) {
        for (LoopEntry entry : loops) {
            Accepting accepting = accepting(entry, binding);
            boolean isGateShut = !isGateOpen;
            entry.loop().execute(() -> start(accepting, isGateShut));
        }
    }

    private static void start(Accepting accepting, boolean isGateShut) {
        try {
            accepting.acceptor().start();
            if (isGateShut) {
                accepting.acceptor().pause();
            }
        } catch (IOException e) {
            SocketAddress where = accepting.binding().listener().localAddress();
            Log.LOG.log(
                    Level.ERROR, "cannot accept connections at " + where + ": " + e.getMessage());
        }
    }

    /// Stops accepting everywhere and closes all listeners, once.
    ///
    /// @param isForGood whether no other process has them: then the files of Unix-domain sockets
    ///     are deleted
    public void close(boolean isForGood) {
        CountDownLatch stopped;
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            engine.listenersClosed();
            stopped = stopAccepting(bindings, isForGood);
        }
        await(stopped);
        bindings.forEach(isForGood ? Listeners::closeForGood : ListenerBinding::close);
    }

    /// Closes all listeners before any loop has run.
    public void closeUnused() {
        bindings.forEach(Listeners::closeForGood);
    }

    private static void closeForGood(ListenerBinding binding) {
        if (binding.listener().localAddress() instanceof UnixDomainSocketAddress unix) {
            delete(unix.getPath());
        }
        binding.close();
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            Log.LOG.log(Level.WARNING, "cannot delete " + file + ": " + e.getMessage());
        }
    }

    /// A listener may be closed once no loop uses it, and should be at once after that, so that the
    /// kernel refuses clients, which then do not wait in a backlog that no process empties.
    ///
    /// @param isForGood whether no other process has them: then the clients in the backlog are
    ///     accepted
    /// @return counted down when no loop uses one
    private CountDownLatch stopAccepting(List<ListenerBinding> closing, boolean isForGood) {
        boolean acceptsBacklog = isForGood && !engine.tuning().isAllOnLoop();
        List<Accepting> stopped =
                acceptors.stream().filter(a -> closing.contains(a.binding())).toList();
        var remaining = new CountDownLatch(stopped.size());
        for (Accepting accepting : stopped) {
            accepting
                    .loop()
                    .execute(
                            () -> {
                                accepting.acceptor().close();
                                if (acceptsBacklog) {
                                    accepting.acceptor().acceptBacklog();
                                }
                                // Behind the connections that were accepted, which count from then
                                // on.
                                accepting.loop().execute(remaining::countDown);
                            });
        }
        acceptors.removeAll(stopped);
        return remaining;
    }

    private void await(CountDownLatch stopped) {
        try {
            // If all handlers run on loops, they may block them.
            if (!stopped.await(1, TimeUnit.SECONDS) && !engine.tuning().isAllOnLoop()) {
                Log.LOG.log(
                        Level.WARNING,
                        "an event loop is blocked: a handler that never blocks does");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
