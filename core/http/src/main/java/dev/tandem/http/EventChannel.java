package dev.tandem.http;

import dev.tandem.admission.ClientNetwork;
import dev.tandem.admission.ClientShares;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// Server-sent events (HTML Standard, section 9.2) for many clients:
///
/// ```java
/// var prices = EventChannel.of();
///
/// Tandem.listen(8080)
///         .get("/prices", prices::subscribe)
///         .start();
///
/// prices.publish("price", "{\"item\": 7, \"cents\": 1250}");
/// ```
///
/// A silent subscriber has no thread and no buffer. An event is encoded once, and a slow client
/// delays no other: one that reads nothing for the server's `send_timeout`, or has more unread than
/// [EventOptions#unsentMax], is disconnected. Clients that lost the connection get what they missed
/// ([EventOptions#replayEventsMax]).
///
/// Any thread may publish, subscribe and close; none of them waits for a client.
public final class EventChannel implements AutoCloseable {

    /// The type of the event that a client gets first if it has missed more than what is replayed:
    /// a page may listen for it, and load its content anew.
    public static final String MISSED = "missed";

    /// Returns events that show the present state to clients that cannot resume: to new ones, and
    /// to those that have missed more than what is replayed.
    @FunctionalInterface
    public interface Snapshot {
        /// Called by the thread of the handler, which may block. What is published from before the
        /// call on follows these events, so a change may be in both, but in neither never.
        List<Event> events() throws Exception;
    }

    private static final EventGroup[] NONE = {};

    private final EventOptions options;
    private final long heartbeatNanos;

    /// Guards what is changed of this channel.
    private final Object lock = new Object();

    /// The places of subscribers by their clients, and what guards both numbers.
    private final ClientShares shares = new ClientShares();

    /// The places that are taken, also by clients whose first events are being made.
    private int places;

    private int subscribers;

    private final EventLog log;
    private volatile EventGroup[] groups = NONE;
    private volatile boolean isClosed;

    private EventChannel(EventOptions options) {
        this.options = options;
        this.heartbeatNanos = options.heartbeat().toNanos();
        this.log = new EventLog(options.replayEventsMax(), options.replayBytesMax());
    }

    /// Returns a channel with the default options.
    public static EventChannel of() {
        return of(EventOptions.DEFAULT);
    }

    public static EventChannel of(EventOptions options) {
        return new EventChannel(options);
    }

    // ---- Publishing.

    /// Sends an event to all subscribers. Has no effect after [#close()].
    ///
    /// @throws IllegalArgumentException if it is longer than [EventOptions#unsentMax] as it is sent
    public void publish(Event event) {
        synchronized (lock) {
            if (isClosed) {
                return;
            }
            log.append(event, options.unsentMax());
        }
        wake();
    }

    /// Sends an event of type `message` to all subscribers.
    public void publish(String data) {
        publish(Event.of(data));
    }

    /// Sends an event of the given type to all subscribers.
    public void publish(String type, String data) {
        publish(Event.of(type, data));
    }

    private void wake() {
        wakeFrom(groups, 0);
    }

    /// Wakes all, though it may fail for some, as without memory.
    private static void wakeFrom(EventGroup[] woken, int at) {
        if (at < woken.length) {
            try {
                woken[at].wake();
            } finally {
                wakeFrom(woken, at + 1);
            }
        }
    }

    /// Returns how many clients are subscribed. One that counts gets every event that is published
    /// from then on.
    public int subscriberCount() {
        synchronized (shares) {
            return subscribers;
        }
    }

    /// Ends the responses to all subscribers, after what was published; further requests get 204,
    /// after which browsers do not reconnect.
    @Override
    public void close() {
        synchronized (lock) {
            if (!isClosed) {
                isClosed = true;
                log.end();
            }
        }
        wake(); // also if it was closed: that may have failed for some
    }

    // ---- Subscribing.

    /// Subscribes the client: responds with events from now on, and with those that it has missed
    /// if it names the last that it got (`Last-Event-ID`). The handler returns; the response lasts
    /// until the client disconnects, the channel is closed or the server stops.
    ///
    /// @throws HttpException 503 if there are too many subscribers, or the client has its share
    /// @throws IOException if the client has disconnected
    public void subscribe(Exchange x) throws IOException {
        subscribe(
                x,
                client -> {
                    synchronized (lock) {
                        EventLog.Entry known = log.find(lastId(x));
                        if (known != null) {
                            return subscription(client, known, retry());
                        }
                        return lastId(x).isEmpty()
                                ? fresh(client, log.last(), List.of())
                                : fresh(client, log.beforeReplay(), List.of(Event.of(MISSED, "")));
                    }
                });
    }

    /// Subscribes the client as [#subscribe(Exchange)], but one that cannot resume gets the present
    /// state first.
    ///
    /// @throws Exception from `state`; the client is not subscribed
    public void subscribe(Exchange x, Snapshot state) throws Exception {
        subscribe(
                x,
                client -> {
                    EventLog.Entry known;
                    EventLog.Entry last;
                    synchronized (lock) {
                        known = log.find(lastId(x));
                        last = log.last();
                    }
                    return known == null
                            ? fresh(client, last, state.events())
                            : subscription(client, known, retry());
                });
    }

    /// A client's subscription, and what it gets before all events.
    private record Made(EventSubscription subscription, byte[] first) {}

    /// Makes the subscription of a client that has its place.
    @FunctionalInterface
    private interface Making<E extends Exception> {
        /// @param client see [ClientNetwork]
        Made of(long client) throws E;
    }

    private <E extends Exception> void subscribe(Exchange x, Making<E> making)
            throws IOException, E {
        if (isClosed) {
            x.status(204).send();
            return;
        }
        long client = ClientNetwork.of(x.request().remoteAddress());
        takePlace(x, client);
        Made made;
        try {
            // The last header keeps nginx from collecting the events of a while.
            x.contentType("text/event-stream")
                    .header("Cache-Control", "no-cache")
                    .header("X-Accel-Buffering", "no");
            made = making.of(client);
        } catch (Throwable e) {
            releasePlace(client);
            throw e;
        }
        synchronized (shares) {
            subscribers++; // only now: until its position is found, it misses what is published
        }
        try {
            x.send(new Body.Feed(made.first(), made.subscription()));
        } catch (Throwable e) {
            made.subscription().close();
            throw e;
        }
    }

    private void takePlace(Exchange x, long client) {
        synchronized (shares) {
            if (shares.hasRoom(client, options.subscribersMax() - places)) {
                shares.add(client);
                places++;
                return;
            }
        }
        x.header("Retry-After", Long.toString(Math.max(1, options.retry().toSeconds())));
        throw new HttpException(503, "too many clients are subscribed");
    }

    private void releasePlace(long client) {
        synchronized (shares) {
            shares.remove(client);
            places--;
        }
    }

    private static String lastId(Exchange x) {
        String id = x.header("Last-Event-ID");
        return id == null
                ? ""
                : new String(id.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private StringBuilder retry() {
        long least = options.retry().toMillis();
        long chosen = ThreadLocalRandom.current().nextLong(least, 2 * least + 1);
        var text = new StringBuilder();
        EventText.addRetry(text, Duration.ofMillis(chosen));
        return text;
    }

    /// Returns a subscription that does not resume another: its client gets an id, with which it
    /// may resume even if no event follows.
    private Made fresh(long client, EventLog.Entry position, List<Event> first) {
        StringBuilder text = retry();
        if (!position.id().isEmpty()) {
            EventText.addId(text, position.id());
        }
        List<byte[]> parts = new ArrayList<>();
        for (Event event : first) {
            parts.add(event.encoded());
        }
        return subscription(client, position, text, parts);
    }

    private Made subscription(long client, EventLog.Entry position, StringBuilder text) {
        return subscription(client, position, text, List.of());
    }

    private Made subscription(
            long client, EventLog.Entry position, StringBuilder text, List<byte[]> first) {
        byte[] head = text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
        var preface = new ByteArrayOutputStream();
        first.forEach(preface::writeBytes);
        preface.writeBytes(head);
        long allowed = options.unsentMax() + log.bytesBehind(position);
        var made = new EventSubscription(this, client, position, allowed);
        return new Made(made, preface.toByteArray());
    }

    // ---- Called by subscriptions.

    long heartbeatNanos() {
        return heartbeatNanos;
    }

    long bytesBehind(EventLog.Entry position) {
        return log.bytesBehind(position);
    }

    EventGroup join(EventSubscription subscription, Executor loop) {
        EventGroup joined = null;
        synchronized (lock) {
            for (EventGroup group : groups) {
                joined = group.loop() == loop ? group : joined;
            }
            if (joined == null) {
                joined = new EventGroup(loop);
                var more = new ArrayList<>(List.of(groups));
                more.add(joined);
                groups = more.toArray(NONE);
            }
        }
        joined.add(subscription);
        return joined;
    }

    /// A subscription is over.
    void left(EventSubscription subscription, @Nullable EventGroup group) {
        synchronized (shares) {
            subscribers--;
        }
        releasePlace(subscription.client());
        if (group != null && group.remove(subscription)) {
            synchronized (lock) {
                // Not if another has joined meanwhile, which only the end of a server allows.
                var others = new ArrayList<>(List.of(groups));
                others.removeIf(g -> g == group && g.isEmpty());
                groups = others.toArray(NONE);
            }
        }
    }
}
