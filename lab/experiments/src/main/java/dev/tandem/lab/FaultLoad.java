package dev.tandem.lab;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Clients that send requests one after the other, each with an id of its own, and remember which
/// were acknowledged. Safe for use by any thread.
final class FaultLoad implements AutoCloseable {
    /// 10 ms after a failure, so that clients do not compete with a server that starts.
    private static final long PAUSE_MILLIS = 10;

    private static final long NEVER = Long.MIN_VALUE;

    private final Way way;
    private final List<Kind> kinds;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<String, Set<String>> acknowledged = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> outcomes = new ConcurrentHashMap<>();
    private final AtomicLong lastGood = new AtomicLong(NEVER);
    private final AtomicLong longestGap = new AtomicLong();
    private final AtomicLong firstGoodSince = new AtomicLong(NEVER);
    private volatile boolean isStopped;

    /// A request of the load.
    ///
    /// @param name of what stores the id
    /// @param method of the request
    /// @param path the id follows
    /// @param length of the content
    record Kind(String name, String method, String path, int length) {
        static Kind get(String path) {
            return new Kind("", "GET", path, 0);
        }

        static Kind post(String name, String path, int length) {
            return new Kind(name, "POST", path, length);
        }

        private boolean isStored() {
            return !name.isEmpty();
        }

        private byte[] request(String id) {
            String head =
                    method
                            + " "
                            + path
                            + (isStored() ? id : "")
                            + " HTTP/1.1\r\nHost: localhost\r\n"
                            + (isStored() ? "Content-Length: " + length + "\r\n" : "")
                            + "\r\n";
            byte[] bytes = head.getBytes(StandardCharsets.US_ASCII);
            byte[] all = Arrays.copyOf(bytes, bytes.length + length);
            Arrays.fill(all, bytes.length, all.length, (byte) 'x');
            return all;
        }
    }

    /// Connects a client to the server.
    @FunctionalInterface
    interface Way {
        Caller connect() throws IOException;
    }

    private FaultLoad(Way way, List<Kind> kinds) {
        this.way = way;
        this.kinds = kinds;
    }

    /// @param port on the loopback
    static FaultLoad start(int port, int clients, List<Kind> kinds) {
        return start(() -> Caller.connect(port), clients, kinds);
    }

    /// @param way called by a platform thread of each client's own
    static FaultLoad start(Way way, int clients, List<Kind> kinds) {
        var load = new FaultLoad(way, kinds);
        for (int i = 0; i < clients; i++) {
            int first = i;
            Thread thread = new Thread(() -> load.run(first), "fault-client-" + i);
            thread.setDaemon(true);
            load.threads.add(thread);
        }
        load.threads.forEach(Thread::start);
        return load;
    }

    private void run(int first) {
        int next = first;
        while (!isStopped) {
            try (var caller = way.connect()) {
                while (!isStopped) {
                    Kind kind = kinds.get(next++ % kinds.size());
                    String id = "t" + ids.incrementAndGet();
                    caller.send(kind.request(id));
                    Caller.Reply reply = caller.reply();
                    count(kind.path() + " " + reply.status());
                    if (reply.status() == 200) {
                        good(kind, id);
                    } else {
                        pause();
                    }
                    if (reply.field("connection").equals("close")) {
                        break;
                    }
                }
            } catch (SocketTimeoutException e) {
                count("no response in 10 s");
            } catch (IOException e) {
                count("connection closed or refused");
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void good(Kind kind, String id) {
        if (kind.isStored()) {
            acknowledged.computeIfAbsent(kind.name(), _ -> ConcurrentHashMap.newKeySet()).add(id);
        }
        long now = System.nanoTime();
        long before = lastGood.getAndSet(now);
        if (before != NEVER) {
            longestGap.accumulateAndGet(now - before, Math::max);
        }
        firstGoodSince.compareAndSet(NEVER, now);
    }

    private void count(String outcome) {
        outcomes.computeIfAbsent(outcome, _ -> new AtomicInteger()).incrementAndGet();
    }

    /// Counts the time until the next good response from now on.
    long markNow() {
        firstGoodSince.set(NEVER);
        return System.nanoTime();
    }

    /// Waits for a good response after [#markNow].
    ///
    /// @return in seconds since then; infinite if there was none in time
    double awaitGood(long mark, int secondsMax) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(secondsMax);
        while (firstGoodSince.get() == NEVER && System.nanoTime() - end < 0) {
            Thread.sleep(5);
        }
        long at = firstGoodSince.get();
        return at == NEVER ? Double.POSITIVE_INFINITY : Math.max(0, (at - mark) / 1e9);
    }

    Set<String> acknowledged(String name) {
        return acknowledged.getOrDefault(name, Set.of());
    }

    /// Longest time without a good response, in seconds.
    double longestGap() {
        return longestGap.get() / 1e9;
    }

    /// Returns how often each outcome was, the bad ones only.
    String failures() {
        var bad = new TreeMap<String, Integer>();
        outcomes.forEach(
                (what, number) -> {
                    if (!what.endsWith(" 200")) {
                        bad.put(what, number.get());
                    }
                });
        return bad.isEmpty() ? "none" : bad.toString().replaceAll("[{}]", "").replace("=", ": ");
    }

    int good() {
        return outcomes.entrySet().stream()
                .filter(entry -> entry.getKey().endsWith(" 200"))
                .mapToInt(entry -> entry.getValue().get())
                .sum();
    }

    @Override
    public void close() {
        stop();
    }

    /// Sends no more, and waits for the clients. May be called repeatedly.
    void stop() {
        isStopped = true;
        for (Thread thread : threads) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(12));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
