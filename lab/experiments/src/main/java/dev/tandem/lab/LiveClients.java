package dev.tandem.lab;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Many WebSocket sessions on one thread: they send a text again when it comes back, or only
/// receive what one of each group sends at a rate. Confined to that thread.
final class LiveClients implements AutoCloseable {
    private static final int BUFFER = 1 << 18;

    private final Selector selector;
    private final List<LiveClient> clients = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private final DeliveryTimes times = new DeliveryTimes();
    private long held;

    LiveClients() throws IOException {
        selector = Selector.open();
    }

    /// What was received and sent in a time.
    ///
    /// @param received texts
    /// @param sent texts of groups
    /// @param held texts that a server did not take when they were due
    record Result(double seconds, long received, long sent, long held, DeliveryTimes times) {}

    void open(int port, String path) throws IOException {
        open(port, path, LiveClient.TEXT);
    }

    /// @param bytes of each text that it sends; 64 or more
    void open(int port, String path, int bytes) throws IOException {
        LiveClient client = LiveClient.open(port, path, bytes);
        clients.add(client);
        client.channel().register(selector, SelectionKey.OP_READ, client);
    }

    int count() {
        return clients.size();
    }

    /// Each client sends a text, and the next one when the server has sent that back.
    Result echo(double seconds) throws IOException {
        LiveClient.Receiver again =
                (client, sent) -> {
                    long now = System.nanoTime();
                    times.add(now - sent);
                    client.send(now);
                };
        begin();
        for (LiveClient client : clients) {
            client.send(System.nanoTime());
        }
        long began = System.nanoTime();
        long end = began + nanos(seconds);
        while (System.nanoTime() - end < 0) {
            receive(again, 10);
        }
        return result(began, times.count());
    }

    /// The first clients, one of each group, send at a rate.
    ///
    /// @param rate texts a second of each group
    Result broadcast(int groups, double rate, double seconds) throws IOException {
        LiveClient.Receiver receiver = (_, sent) -> times.add(System.nanoTime() - sent);
        begin();
        long sent = 0;
        long interval = nanos(1 / (rate * groups));
        long began = System.nanoTime();
        long end = began + nanos(seconds);
        long due = began;
        for (long now = began; now - end < 0; now = System.nanoTime()) {
            while (now - due >= 0) {
                if (clients.get((int) (sent++ % groups)).send(now)) {
                    due += interval;
                } else {
                    held++;
                    due = now + interval;
                }
            }
            receive(receiver, Math.max(1, TimeUnit.NANOSECONDS.toMillis(due - now)));
        }
        return result(began, sent);
    }

    private static long nanos(double seconds) {
        return (long) (seconds * 1e9);
    }

    private void begin() {
        times.clear();
        held = 0;
    }

    private Result result(long began, long sent) {
        double seconds = (System.nanoTime() - began) / 1e9;
        return new Result(seconds, times.count(), sent, held, times);
    }

    private void receive(LiveClient.Receiver receiver, long millisMax) throws IOException {
        selector.select(millisMax);
        for (SelectionKey key : selector.selectedKeys()) {
            ((LiveClient) key.attachment()).receive(buffer, receiver);
        }
        selector.selectedKeys().clear();
    }

    /// Receives what is still under way, until nothing has come for a while.
    void drain() throws IOException {
        long before;
        do {
            before = times.count();
            long end = System.nanoTime() + nanos(0.3);
            while (System.nanoTime() - end < 0) {
                receive((_, sent) -> times.add(0), 10);
            }
        } while (times.count() > before);
    }

    @Override
    public void close() {
        clients.forEach(LiveClient::close);
        try {
            selector.close();
        } catch (IOException e) {
            // Its sessions are closed.
        }
    }
}
