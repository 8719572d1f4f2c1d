package dev.tandem.upstream;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// One server behind this one: its idle connections and its health. Safe for all threads.
public final class Upstream {
    private final Address address;
    private final UpstreamOptions options;
    private final ArrayDeque<Wire> idle = new ArrayDeque<>();
    private int inUse;
    private int failures;
    private boolean isDown;
    private long downUntilNanos;
    private boolean isFoundDown;

    Upstream(Address address, UpstreamOptions options) {
        this.address = address;
        this.options = options;
    }

    public Address address() {
        return address;
    }

    /// How many requests use it now.
    public synchronized int inUse() {
        return inUse;
    }

    /// Whether it counts as up.
    public synchronized boolean isUp() {
        return isUp(System.nanoTime());
    }

    synchronized boolean isUp(long nowNanos) {
        return !isFoundDown && (!isDown || nowNanos - downUntilNanos >= 0);
    }

    /// @return false if it has as many connections as it may have
    synchronized boolean take() {
        if (inUse >= options.connectionsMax()) {
            return false;
        }
        inUse++;
        return true;
    }

    synchronized void giveBack() {
        inUse--;
    }

    /// The connection that was used last, or null.
    synchronized @Nullable Wire idleWire(long nowNanos) {
        closeOld(nowNanos);
        return idle.pollLast();
    }

    /// Closes those that were idle for too long.
    synchronized void closeOld(long nowNanos) {
        long most = options.idleMax().toNanos();
        while (!idle.isEmpty() && nowNanos - idle.getFirst().idleSinceNanos() > most) {
            idle.removeFirst().dispose();
        }
    }

    /// @return false if there are enough
    synchronized boolean keep(Wire wire) {
        boolean isRoom = idle.size() < options.idleCountMax();
        if (isRoom) {
            idle.addLast(wire);
        }
        return isRoom;
    }

    synchronized void closeIdle() {
        idle.forEach(Wire::dispose);
        idle.clear();
    }

    synchronized void failed(long nowNanos) {
        failures++;
        if (failures >= options.failuresMax()) {
            if (!isDown) {
                Log.LOG.log(
                        System.Logger.Level.WARNING,
                        "upstream " + address + " counts as down: " + failures + " failures");
            }
            isDown = true;
            downUntilNanos = nowNanos + options.downTime().toNanos();
        }
    }

    synchronized void succeeded() {
        failures = 0;
        isDown = false;
    }

    /// What a check found.
    synchronized void found(boolean isWell) {
        if (isFoundDown == isWell) {
            Log.LOG.log(
                    System.Logger.Level.WARNING,
                    "upstream " + address + (isWell ? " is well again" : " fails its check"));
        }
        isFoundDown = !isWell;
        if (isWell) {
            succeeded();
        }
    }
}
