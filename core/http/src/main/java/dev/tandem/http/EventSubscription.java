package dev.tandem.http;

import org.jspecify.annotations.Nullable;

/// A client of a channel: a position in its events.
final class EventSubscription implements Body.FeedSource {
    private static final byte[] COMMENT = {':', '\n', '\n'};

    private final EventChannel channel;
    private final long client;
    private final long unsentMax;

    /// The event that was sent last.
    private EventLog.Entry position;

    private Body.@Nullable FeedOutput output;

    /// Guarded by this object, as is whether it is closed.
    private @Nullable EventGroup group;

    private int place;
    private boolean isEnding;
    private boolean isClosed;

    /// @param client see [dev.tandem.admission.ClientNetwork]
    /// @param unsentMax how many bytes of events may wait for the client
    EventSubscription(EventChannel channel, long client, EventLog.Entry position, long unsentMax) {
        this.channel = channel;
        this.client = client;
        this.position = position;
        this.unsentMax = unsentMax;
    }

    /// Nothing begins if it is closed: its handler has failed meanwhile.
    @Override
    public synchronized void begin(Body.FeedOutput to) {
        if (!isClosed) {
            output = to;
            group = channel.join(this, to.loop());
        }
    }

    long client() {
        return client;
    }

    /// Returns its place in its group.
    int place() {
        return place;
    }

    void place(int index) {
        place = index;
    }

    void send() {
        if (output != null) {
            output.send();
        }
    }

    @Override
    public byte @Nullable [] next() {
        EventLog.Entry next = position.next();
        if (next == null || next.isEnd()) {
            return null;
        }
        position = next;
        return next.bytes();
    }

    @Override
    public boolean isOver() {
        EventLog.Entry next = position.next();
        return next == null ? isEnding : next.isEnd();
    }

    @Override
    public boolean isTooFarBehind() {
        return channel.bytesBehind(position) > unsentMax;
    }

    @Override
    public long silenceMaxNanos() {
        return channel.heartbeatNanos();
    }

    @Override
    public byte[] filler() {
        return COMMENT;
    }

    @Override
    public void end() {
        isEnding = true;
    }

    @Override
    public void close() {
        EventGroup joined;
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            joined = group;
        }
        channel.left(this, joined);
    }
}
