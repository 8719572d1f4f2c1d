package dev.tandem.it;

import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// Clients that send requests continuously: some over persistent connections that they keep until
/// the server closes them, some over a new one each time. A request without a response is a
/// failure.
final class KeptClients implements AutoCloseable {
    private static final String REQUEST = "GET / HTTP/1.1\nHost: a\n\n";
    private static final int OF_EACH = 2;

    private final InetSocketAddress server;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger responses = new AtomicInteger();
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean isOver;

    KeptClients(int port) {
        server = new InetSocketAddress("127.0.0.1", port);
        for (int i = 0; i < OF_EACH; i++) {
            threads.add(Thread.ofPlatform().start(() -> sendRequests(Integer.MAX_VALUE)));
            threads.add(Thread.ofPlatform().start(() -> sendRequests(1)));
        }
    }

    private void sendRequests(int requestsMax) {
        while (!isOver) {
            try (var client = RawClient.connect(server)) {
                boolean isKept = true;
                for (int i = 0; i < requestsMax && isKept && !isOver; i++) {
                    RawResponse response = client.send(REQUEST).response();
                    responses.incrementAndGet();
                    isKept = !response.saysClose();
                    Thread.sleep(1);
                }
            } catch (IOException e) {
                failures.add(e.toString());
                return;
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    int responses() {
        return responses.get();
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    /// Stops the clients and waits until all have ended.
    void end() throws InterruptedException {
        isOver = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Override
    public void close() {
        isOver = true;
    }
}
