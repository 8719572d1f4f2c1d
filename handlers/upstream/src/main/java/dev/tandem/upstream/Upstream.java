package dev.tandem.upstream;

import dev.tandem.admission.ClientShares;
import dev.tandem.net.NanoClock;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// A server of a pool: its idle connections and its health. Thread safe.
public final class Upstream {
    private final Address address;
    private final UpstreamOptions options;
    private final ArrayDeque<UpstreamConnection> idle = new ArrayDeque<>();
    private final @Nullable SocketAddress literal;
    private final Resolution resolution;
    private final AddressOrder order;
    private final ClientShares shares = new ClientShares();
    private int inUse;

    /// Idle connections on loops.
    private int idleOnLoops;

    private int failures;
    private boolean isDown;
    private long downUntilNanos;
    private boolean isUnhealthy;

    Upstream(Address address, UpstreamOptions options) {
        this(address, options, address::resolve);
    }

    /// @param lookup of the address, if it is a name
    Upstream(Address address, UpstreamOptions options, Resolution.Lookup lookup) {
        this.address = address;
        this.options = options;
        this.literal = address.literal();
        this.resolution =
                new Resolution(
                        address.text(),
                        lookup,
                        Thread.ofPlatform().daemon().name("tandem-resolve").factory(),
                        NanoClock.SYSTEM);
        this.order = new AddressOrder(options.downTime().toNanos());
    }

    /// See [Address#literal()].
    @Nullable SocketAddress literal() {
        return literal;
    }

    public Address address() {
        return address;
    }

    Resolution resolution() {
        return resolution;
    }

    /// Returns in which order the addresses of a name are tried.
    AddressOrder order() {
        return order;
    }

    /// Returns the number of requests that use it now.
    public synchronized int inUse() {
        return inUse;
    }

    /// Returns whether it counts as up.
    public synchronized boolean isUp() {
        return isUp(System.nanoTime());
    }

    synchronized boolean isUp(long nowNanos) {
        return !isUnhealthy && (!isDown || nowNanos - downUntilNanos >= 0);
    }

    /// Returns the number of requests that use it now; [Integer#MAX_VALUE] if the client may have
    /// no further connection.
    ///
    /// @param client see [dev.tandem.admission.ClientNetwork]
    synchronized int loadFor(long client) {
        return hasRoom(client) ? inUse : Integer.MAX_VALUE;
    }

    private boolean hasRoom(long client) {
        return shares.hasRoom(client, options.connectionsMax() - inUse);
    }

    /// @return false if it has the maximum number of connections, or the client its share of them
    synchronized boolean tryAcquire(long client) {
        if (!hasRoom(client)) {
            return false;
        }
        shares.add(client); // first, as there may be no memory for it
        inUse++;
        return true;
    }

    /// @param client that it was acquired for
    synchronized void release(long client) {
        inUse--;
        shares.remove(client);
    }

    /// Returns the number of clients that use it now.
    synchronized int clients() {
        return shares.clients();
    }

    /// Returns the connection that was used last, or null.
    synchronized @Nullable UpstreamConnection pollIdle(long nowNanos) {
        closeExpired(nowNanos);
        return idle.pollLast();
    }

    /// Closes connections that were idle for too long.
    synchronized void closeExpired(long nowNanos) {
        long idleTimeoutNanos = options.idleTimeout().toNanos();
        while (!idle.isEmpty() && nowNanos - idle.getFirst().idleSinceNanos() > idleTimeoutNanos) {
            idle.removeFirst().dispose();
        }
    }

    /// @return false if there are enough idle connections
    synchronized boolean offerIdle(UpstreamConnection connection) {
        boolean hasCapacity = idle.size() + idleOnLoops < options.idleConnectionsMax();
        if (hasCapacity) {
            idle.addLast(connection);
        }
        return hasCapacity;
    }

    /// Counts an idle connection of a loop.
    ///
    /// @return false if there are enough idle connections
    synchronized boolean tryAddIdle() {
        boolean hasCapacity = idle.size() + idleOnLoops < options.idleConnectionsMax();
        idleOnLoops += hasCapacity ? 1 : 0;
        return hasCapacity;
    }

    synchronized void removeIdle() {
        idleOnLoops--;
    }

    synchronized void closeIdle() {
        idle.forEach(UpstreamConnection::dispose);
        idle.clear();
    }

    synchronized void recordFailure(long nowNanos) {
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

    synchronized void recordSuccess() {
        failures = 0;
        isDown = false;
    }

    /// Records the result of a health check.
    synchronized void recordHealthCheck(boolean isHealthy) {
        if (isUnhealthy == isHealthy) {
            Log.LOG.log(
                    System.Logger.Level.WARNING,
                    "upstream "
                            + address
                            + (isHealthy ? " is healthy again" : " fails its health check"));
        }
        isUnhealthy = !isHealthy;
        if (isHealthy) {
            recordSuccess();
        }
    }
}
