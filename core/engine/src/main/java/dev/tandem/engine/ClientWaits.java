package dev.tandem.engine;

import dev.tandem.Options;
import dev.tandem.admission.ClientShares;
import dev.tandem.http.HttpException;
import dev.tandem.net.Connection;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.NanoClock;
import dev.tandem.net.RateLimitedLog;
import dev.tandem.net.TimeoutIOException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Handlers that wait for their clients: for more of a body, or until the client reads more of a
/// response.
///
/// Each releases its worker permit meanwhile, so that slow clients occupy threads, but no permits.
/// As many may wait so as there are workers; beyond that the client that has been the slowest so
/// far is disconnected: slow clients are served within that limit, and cannot block the server.
/// Safe for use by any thread.
public final class ClientWaits {
    /// A client is not judged before this time: 250 ms, which is less than other requests may wait
    /// for its permit.
    private static final long JUDGED_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /// How long a worker that could not release its permit waits before it checks again: 20 ms.
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final int max;
    private final int longMax;
    private final long stallNanos;
    private final RateLimitedLog log =
            new RateLimitedLog(NanoClock.SYSTEM, line -> Log.LOG.log(Level.WARNING, line));

    /// The exchanges and messages that wait, with the number of their threads that do: one may read
    /// while another writes.
    private final Map<WaitingClient, Integer> waiting = new HashMap<>();

    private final ClientShares longShares = new ClientShares();
    private int longCount;

    ClientWaits(Options options) {
        this.max = options.threads().workersMax();
        this.longMax = options.limits().eventStreamsMax();
        this.stallNanos = options.timeouts().writeStall().toNanos();
    }

    /// Reads at least one byte, waiting for it if necessary.
    ///
    /// @param deadlineNanos when to give up, by the loop's clock
    /// @return number of bytes, -1 at the stream's end
    /// @throws TimeoutIOException if nothing was received in time
    public int read(RunningExchange x, Connection connection, IoBuffer to, long deadlineNanos)
            throws IOException {
        int count = connection.socket().read(to);
        while (count == 0) {
            await(x, deadlineNanos - connection.loop().clock().nanos(), connection::awaitInput);
            count = connection.socket().read(to);
        }
        return count;
    }

    /// Writes all of the buffer, waiting while the peer does not read it.
    ///
    /// @throws TimeoutIOException if it read nothing for too long
    public void write(RunningExchange x, Connection connection, IoBuffer from) throws IOException {
        write(x, connection, from, stallNanos);
    }

    /// As [#write(RunningExchange, Connection, IoBuffer)], with another limit.
    ///
    /// @param nanos how long the peer may read nothing
    public void write(RunningExchange x, Connection connection, IoBuffer from, long nanos)
            throws IOException {
        connection.socket().write(from);
        while (from.bytes().hasRemaining()) {
            await(x, nanos, connection::awaitOutput);
            connection.socket().write(from);
        }
    }

    /// Waits for a client.
    @FunctionalInterface
    public interface Waiting {
        /// @param nanos maximum time
        /// @throws TimeoutIOException if nothing happened for that long
        void await(long nanos) throws IOException;
    }

    /// Waits.
    ///
    /// @param nanos maximum time
    /// @throws TimeoutIOException if nothing happened in time, or the client was disconnected to
    ///     serve others
    public void await(RunningExchange x, long nanos, Waiting wait) throws IOException {
        IoContext context = IoContext.current();
        if (context != null && context.isLoopThread()) {
            x.timing().waited();
        }
        if (x.isLongLived()) {
            wait.await(nanos);
            return;
        }
        long until = System.nanoTime() + nanos;
        await(x, x.admission(), until, wait);
    }

    /// Waits for the client of a session to which a thread sends, or whose message it handles.
    ///
    /// @param admitted what the thread runs; null if that has no place
    /// @param nanos maximum time
    /// @throws TimeoutIOException as [#await]
    public void awaitMessage(
            WaitingClient message, @Nullable AdmittedRequest admitted, long nanos, Waiting wait)
            throws IOException {
        await(message, admitted, System.nanoTime() + nanos, wait);
    }

    private void await(
            WaitingClient client, @Nullable AdmittedRequest admitted, long until, Waiting wait)
            throws IOException {
        if (awaitPlace(client, until, wait)) {
            return;
        }
        try {
            if (admitted != null) {
                admitted.detach();
            }
            wait.await(until - System.nanoTime());
        } finally {
            end(client);
        }
    }

    /// Waits until the client may be waited for.
    ///
    /// @return whether the event has come meanwhile; else [#end] must be called later
    private boolean awaitPlace(WaitingClient client, long until, Waiting wait) throws IOException {
        while (!begin(client)) {
            long left = until - System.nanoTime();
            try {
                wait.await(Math.min(left, CHECK_NANOS));
                return true;
            } catch (TimeoutIOException e) {
                if (left <= CHECK_NANOS || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
            }
        }
        return false;
    }

    /// @return false if too many wait already, though the slowest client was disconnected
    private boolean begin(WaitingClient x) {
        WaitingClient slowest;
        synchronized (this) {
            if (waiting.size() < max || waiting.containsKey(x)) {
                waiting.merge(x, 1, Integer::sum);
                return true;
            }
            slowest = slowest();
            if (slowest != null) {
                waiting.remove(slowest);
                waiting.put(x, 1);
            }
        }
        if (slowest == null) {
            return false;
        }
        slowest.abort();
        log.log(max + " handlers wait for slow clients: disconnected the slowest");
        return true;
    }

    private synchronized void end(WaitingClient x) {
        waiting.computeIfPresent(x, (_, threads) -> threads == 1 ? null : threads - 1);
    }

    /// Whether the exchange waits for its client now.
    public synchronized boolean has(RunningExchange x) {
        return waiting.containsKey(x);
    }

    private @Nullable WaitingClient slowest() {
        long now = System.nanoTime();
        WaitingClient slowest = null;
        double least = Double.MAX_VALUE;
        for (WaitingClient x : waiting.keySet()) {
            double rate = x.bytesPerSecond(now);
            if (now - x.runNanos() >= JUDGED_AFTER_NANOS && rate < least) {
                least = rate;
                slowest = x;
            }
        }
        return slowest;
    }

    /// Counts an exchange that may last for hours.
    ///
    /// @param client see [dev.tandem.admission.ClientNetwork]
    /// @throws HttpException 503 if there are too many, or the client has its share of them
    synchronized void beginLong(long client) {
        if (!longShares.hasRoom(client, longMax - longCount)) {
            throw new HttpException(503, "too many event streams are open");
        }
        longCount++;
        longShares.add(client);
    }

    /// @param client for which it was counted
    synchronized void endLong(long client) {
        longCount--;
        longShares.remove(client);
    }
}
