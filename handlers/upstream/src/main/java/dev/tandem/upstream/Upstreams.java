package dev.tandem.upstream;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Servers that can stand for each other. Each request goes to the one that has the fewest of
/// them; those that fail are left out for a while. Safe for all threads.
public final class Upstreams implements AutoCloseable {
    /// After how long it is looked whether an idle connection was closed: half a second.
    private static final long LOOK_AFTER_NANOS = 500_000_000;

    private final List<Upstream> all;
    private final UpstreamOptions options;
    private final Watch watch;
    private final AtomicInteger turn = new AtomicInteger();
    private volatile @Nullable Thread checker;
    private volatile boolean isClosed;

    /// @throws IllegalArgumentException if there is no address
    public Upstreams(List<Address> addresses, UpstreamOptions options) {
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("there must be an upstream");
        }
        var made = new ArrayList<Upstream>();
        addresses.forEach(address -> made.add(new Upstream(address, options)));
        this.all = List.copyOf(made);
        this.options = options;
        this.watch = new Watch("tandem-upstreams-" + addresses.getFirst().text(), this::closeOld);
    }

    public UpstreamOptions options() {
        return options;
    }

    public List<Upstream> all() {
        return all;
    }

    /// Borrows a connection, and makes one if none is idle. Blocks. Whoever gets one gives it
    /// back, by [#giveBack(Wire)] or [#drop(Wire)].
    ///
    /// @param tried upstreams that are left out, if there are others; the one that is tried is
    ///     added
    /// @param mayBeStale whether the request may be sent again if the connection turns out to be
    ///     closed; else an idle one is looked at first
    /// @throws UpstreamsFullException if all have as many as they may have
    /// @throws IOException if the upstream cannot be connected to, which counts as a failure of
    ///     it
    public Wire borrow(Set<Upstream> tried, boolean mayBeStale) throws IOException {
        Upstream upstream = choose(tried);
        tried.add(upstream);
        boolean isBorrowed = false;
        try {
            Wire wire = wire(upstream, mayBeStale);
            isBorrowed = true;
            return wire;
        } catch (IOException e) {
            upstream.failed(System.nanoTime());
            throw e;
        } finally {
            if (!isBorrowed) {
                upstream.giveBack();
            }
        }
    }

    private Upstream choose(Set<Upstream> tried) throws UpstreamsFullException {
        long now = System.nanoTime();
        // A down one is better than none: it may be up again.
        for (int pass = 0; pass < 3; pass++) {
            Upstream best = null;
            int start = Math.floorMod(turn.getAndIncrement(), all.size());
            for (int i = 0; i < all.size(); i++) {
                Upstream one = all.get((start + i) % all.size());
                boolean isFit = pass == 2 || !tried.contains(one) && (pass == 1 || one.isUp(now));
                if (isFit && (best == null || one.inUse() < best.inUse())) {
                    best = one;
                }
            }
            if (best != null && best.take()) {
                return best;
            }
        }
        throw new UpstreamsFullException("every upstream has as many connections as it may have");
    }

    private Wire wire(Upstream upstream, boolean mayBeStale) throws IOException {
        long now = System.nanoTime();
        for (Wire wire = upstream.idleWire(now); wire != null; wire = upstream.idleWire(now)) {
            boolean isRecent = now - wire.idleSinceNanos() < LOOK_AFTER_NANOS;
            // What came since the last answer would be taken for the next one's.
            if (isRecent && mayBeStale ? wire.isSilent() : wire.isUsable()) {
                return wire;
            }
            wire.dispose();
        }
        return Wire.open(upstream, watch, options.connectMax());
    }

    /// Gives back a connection that the next request may use: the answer was read to its end, and
    /// nothing behind it has come.
    public void giveBack(Wire wire) {
        wire.upstream().succeeded();
        wire.rest(System.nanoTime());
        wire.upstream().giveBack();
        boolean isClean = !wire.input().hasRemaining() && !isClosed;
        if (!isClean || !wire.upstream().keep(wire)) {
            wire.dispose();
        }
    }

    /// Gives back a connection that is of no more use, though its upstream is well.
    public void drop(Wire wire) {
        wire.dispose();
        setApart(wire);
    }

    /// It has changed its protocol: it is one request's for as long as that lasts, and takes no
    /// place from others. Who has it bounds how many there are, and drops it.
    public void setApart(Wire wire) {
        if (wire.setApart()) {
            wire.upstream().giveBack();
        }
    }

    /// The same, where the upstream is to blame.
    public void fail(Wire wire) {
        drop(wire);
        wire.upstream().failed(System.nanoTime());
    }

    /// Asks an upstream whether it is well.
    @FunctionalInterface
    public interface Check {
        /// @param wire a new connection to it, closed afterwards; its time is limited
        /// @return whether it is well
        boolean isWell(Wire wire) throws IOException;
    }

    /// Has each upstream asked every now and then, from now on; one that fails gets no requests
    /// until it does not.
    public synchronized void check(Duration every, Check check) {
        if (checker == null && !isClosed) {
            checker =
                    Thread.ofPlatform()
                            .name("tandem-upstream-checks")
                            .daemon()
                            .start(() -> checkAll(every, check));
        }
    }

    private void checkAll(Duration every, Check check) {
        while (!isClosed) {
            for (Upstream upstream : all) {
                upstream.found(isWell(upstream, check));
            }
            LockSupport.parkNanos(every.toNanos());
        }
    }

    private boolean isWell(Upstream upstream, Check check) {
        try {
            Wire wire = Wire.open(upstream, watch, options.connectMax());
            try {
                wire.within(options.connectMax());
                return check.isWell(wire);
            } finally {
                wire.dispose();
            }
        } catch (IOException _) {
            return false;
        }
    }

    private void closeOld() {
        long now = System.nanoTime();
        for (Upstream upstream : all) {
            upstream.closeOld(now);
        }
    }

    /// Closes what is idle, and ends checks. What is in use keeps its time-outs, and is closed when
    /// it is given back.
    @Override
    public void close() {
        isClosed = true;
        all.forEach(Upstream::closeIdle);
        LockSupport.unpark(checker);
        watch.end();
    }
}
