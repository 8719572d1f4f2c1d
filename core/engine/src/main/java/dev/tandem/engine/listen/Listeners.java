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

/// Where a server listens, and the acceptor that each loop has for each listener. Safe for use by
/// any thread.
public final class Listeners {
    private final Engine engine;
    private final List<Home> homes = new ArrayList<>();
    private volatile List<ListenerBinding> doors;
    private final List<Accepting> acceptors = new ArrayList<>();
    private boolean isGateOpen = true;

    /// Whether no connection is accepted, whatever admission says.
    private boolean isPaused;

    private boolean isClosed;

    /// A loop that holds connections.
    private record Home(Loop loop, IoContext context, int connectionsMax) {}

    /// An acceptor, its listener and its loop.
    private record Accepting(ListenerBinding door, Loop loop, Acceptor acceptor) {}

    private Listeners(Engine engine, List<ListenerBinding> doors) {
        this.engine = engine;
        this.doors = doors;
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
            return new Listeners(engine, List.copyOf(open));
        } catch (IOException | RuntimeException e) {
            open.forEach(ListenerBinding::close);
            throw e;
        }
    }

    public List<ListenerBinding> all() {
        return doors;
    }

    /// Has a loop accept, before it runs.
    public synchronized void addLoop(Loop loop, IoContext context, int connectionsMax)
            throws IOException {
        var home = new Home(loop, context, connectionsMax);
        homes.add(home);
        for (ListenerBinding door : doors) {
            Acceptor acceptor = accepting(home, door).acceptor();
            acceptor.start();
            if (!isGateOpen) {
                acceptor.pause(); // as a task it would come behind the connections that the first
                // poll finds
            }
        }
    }

    private Accepting accepting(Home home, ListenerBinding door) {
        var factory = door.factory(home.context());
        var acceptor = new Acceptor(home.loop(), door.listener(), factory, home.connectionsMax());
        var accepting = new Accepting(door, home.loop(), acceptor);
        acceptors.add(accepting);
        return accepting;
    }

    /// Pauses accepting, or resumes it as far as admission allows.
    public synchronized void pause(boolean isPaused) {
        this.isPaused = isPaused;
        applyGate();
    }

    /// Has the loops accept or not, as admission says unless accepting is paused; connections that
    /// are rejected are accepted some at a time.
    public synchronized void applyGate() {
        boolean isBehind = acceptors.stream().anyMatch(a -> a.acceptor().hasBacklog());
        boolean isRefusing = engine.dispatcher().isRefusing();
        acceptors.forEach(a -> a.acceptor().setBatching(isRefusing));
        boolean isOpen = !isPaused && engine.dispatcher().isGateOpen(isBehind);
        if (isOpen == isGateOpen || engine.isLeaving()) {
            return;
        }
        isGateOpen = isOpen;
        Events.gateSwung(isOpen);
        for (Accepting accepting : acceptors) {
            Acceptor acceptor = accepting.acceptor();
            accepting.loop().execute(isOpen ? acceptor::resume : acceptor::pause);
        }
    }

    /// Listens where other endpoints say. A listener at an address that is named again stays as it
    /// is, with the clients in its backlog.
    ///
    /// @param commit is called when all is prepared, before it is done
    /// @throws IOException if an address cannot be used, or a certificate; then nothing is changed
    public synchronized void change(List<Endpoint> next, List<Listener> inherited, Runnable commit)
            throws IOException {
        var left = new ArrayList<>(doors);
        var following = new ArrayList<ListenerBinding>();
        var opened = new ArrayList<ListenerBinding>();
        var changes = new ArrayList<Runnable>();
        try {
            for (Endpoint endpoint : next) {
                ListenerBinding known = take(left, endpoint);
                if (known == null) {
                    known = ListenerBinding.open(engine, endpoint, inherited);
                    opened.add(known);
                } else {
                    changes.add(known.change(endpoint));
                }
                following.add(known);
            }
        } catch (IOException | RuntimeException e) {
            opened.forEach(ListenerBinding::close);
            throw e;
        }
        commit.run();
        changes.forEach(Runnable::run);
        doors = List.copyOf(following);
        opened.forEach(this::begin);
        stopAccepting(left, true);
        left.forEach(Listeners::closeForGood);
    }

    private static @Nullable ListenerBinding take(List<ListenerBinding> left, Endpoint endpoint) {
        for (ListenerBinding door : left) {
            if (door.address().equals(endpoint.address()) || endpoint.isAt(door.listener())) {
                left.remove(door);
                return door;
            }
        }
        return null;
    }

    private void begin(ListenerBinding door) {
        for (Home home : homes) {
            Accepting accepting = accepting(home, door);
            boolean isShut = !isGateOpen;
            home.loop().execute(() -> start(accepting, isShut));
        }
    }

    private static void start(Accepting accepting, boolean isShut) {
        try {
            accepting.acceptor().start();
            if (isShut) {
                accepting.acceptor().pause();
            }
        } catch (IOException e) {
            SocketAddress where = accepting.door().listener().localAddress();
            Log.LOG.log(
                    Level.ERROR, "cannot accept connections at " + where + ": " + e.getMessage());
        }
    }

    /// Stops accepting everywhere and closes all listeners, once.
    ///
    /// @param isForGood whether no other process has them: then the files of sockets are deleted
    public synchronized void close(boolean isForGood) {
        if (isClosed) {
            return;
        }
        isClosed = true;
        engine.listenersClosed();
        stopAccepting(doors, isForGood);
        doors.forEach(isForGood ? Listeners::closeForGood : ListenerBinding::close);
    }

    /// Closes all listeners before any loop has run.
    public void closeUnused() {
        doors.forEach(Listeners::closeForGood);
    }

    private static void closeForGood(ListenerBinding door) {
        if (door.listener().localAddress() instanceof UnixDomainSocketAddress unix) {
            delete(unix.getPath());
        }
        door.close();
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            Log.LOG.log(Level.WARNING, "cannot delete " + file + ": " + e.getMessage());
        }
    }

    /// A listener may be closed once no loop uses it, and should be at once after that, so that
    /// clients are refused and do not wait in a backlog that no process empties.
    ///
    /// @param isForGood whether no other process has them: then the clients in the backlog are
    ///     accepted
    private void stopAccepting(List<ListenerBinding> these, boolean isForGood) {
        boolean takesWaiting = isForGood && !engine.tuning().isAllOnLoop();
        List<Accepting> over = acceptors.stream().filter(a -> these.contains(a.door())).toList();
        var left = new CountDownLatch(over.size());
        for (Accepting accepting : over) {
            accepting
                    .loop()
                    .execute(
                            () -> {
                                accepting.acceptor().close();
                                if (takesWaiting) {
                                    accepting.acceptor().acceptBacklog();
                                }
                                // Behind the connections that were accepted, which count from then
                                // on.
                                accepting.loop().execute(left::countDown);
                            });
        }
        acceptors.removeAll(over);
        try {
            // Where all runs on loops, handlers may block them.
            if (!left.await(1, TimeUnit.SECONDS) && !engine.tuning().isAllOnLoop()) {
                Log.LOG.log(
                        Level.WARNING,
                        "an event loop is blocked: a handler that never blocks does");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
