package dev.tandem.http;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// A client of a channel without a connection: accepts what comes, or nothing.
final class EventClient implements Body.FeedOutput {
    private final Body.FeedSource source;
    private final Executor loop;
    private final StringBuilder received = new StringBuilder();
    private boolean isReading = true;
    private int sends;

    private EventClient(Body.FeedSource source, Executor loop) {
        this.source = source;
        this.loop = loop;
    }

    /// Begins to receive, on the calling thread.
    static EventClient of(Body.Feed feed, Executor loop) {
        var client = new EventClient(feed.source(), loop);
        client.received.append(new String(feed.first(), StandardCharsets.UTF_8));
        feed.source().begin(client);
        client.send();
        return client;
    }

    @Override
    public Executor loop() {
        return loop;
    }

    @Override
    public void send() {
        sends++;
        for (byte[] piece = next(); piece != null; piece = next()) {
            received.append(new String(piece, StandardCharsets.UTF_8));
        }
    }

    private byte @Nullable [] next() {
        return isReading ? source.next() : null;
    }

    void stopReading() {
        isReading = false;
    }

    void disconnect() {
        source.close();
    }

    Body.FeedSource source() {
        return source;
    }

    /// Returns how often it was asked to send.
    int sends() {
        return sends;
    }

    /// Returns what came, without the time to reconnect.
    String received() {
        return received.toString().replaceAll("retry: \\d+\n", "");
    }

    String raw() {
        return received.toString();
    }

    /// Returns the data of the events that came, each followed by a space.
    String data() {
        var data = new StringBuilder();
        received()
                .lines()
                .filter(line -> line.startsWith("data: "))
                .forEach(line -> data.append(line.substring(6)).append(' '));
        return data.toString();
    }

    /// Returns the id that a browser would send back.
    String lastId() {
        return received()
                .lines()
                .filter(line -> line.startsWith("id: "))
                .reduce("", (_, line) -> line.substring(4));
    }
}
