package dev.tandem.engine.http2;

import dev.tandem.http.h2.SendWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The feeds of a connection. Together they use at most half of the client's window for the
/// connection: one that the client's application does not read would otherwise take all of it, and
/// no other stream could send anything. It is half, since clients enlarge a window when half of it
/// was read: neither the feeds nor the other streams wait for more than the client sees used.
///
/// Confined to the loop.
final class Http2Feeds {
    private final SendWindow window;

    /// The feeds of the connection; null if there are none.
    private @Nullable List<Http2Feed> open;

    /// The largest that the connection's window was, which is its size.
    private int windowSize;

    /// How many bytes of feeds were sent that the client may not have read.
    private int unread;

    /// When the next one was silent for long, by the loop's clock.
    private long dueNanos = Long.MAX_VALUE;

    /// @param window of the connection
    /// @param windowSize the largest that it was, in bytes
    Http2Feeds(SendWindow window, int windowSize) {
        this.window = window;
        this.windowSize = windowSize;
    }

    /// A feed has begun.
    void add(Http2Feed feed, long nowNanos) {
        if (open == null) {
            open = new ArrayList<>(2);
        }
        open.add(feed);
        dueNanos = Math.min(dueNanos, feed.fillSilence(nowNanos));
    }

    /// A feed is over. The client frees its part of the window, read or not.
    void remove(Http2Feed feed) {
        if (open != null && open.remove(feed)) {
            unread = Math.max(0, unread - feed.unacknowledged());
            open = open.isEmpty() ? null : open;
        }
    }

    /// Returns how much a feed may send now, as far as the connection is concerned.
    int allowed() {
        return Math.clamp(windowSize / 2 - unread, 0, window.available());
    }

    /// A feed has sent something.
    void sent(Http2Feed feed, int size, long nowNanos) {
        feed.sent(size, nowNanos);
        unread += size;
    }

    /// The window of the connection was enlarged: no more is unread than what is missing of it.
    ///
    /// @param size the largest that it was, in bytes
    void windowEnlarged(int size) {
        windowSize = size;
        unread = Math.min(unread, windowSize - window.available());
    }

    /// The window of a feed was enlarged.
    void windowEnlarged(Http2Feed feed, int size) {
        unread = Math.max(0, unread - feed.acknowledged(size));
    }

    /// Does something for each that is open.
    void forEach(Consumer<Http2Feed> action) {
        if (open != null) {
            List.copyOf(open).forEach(action);
        }
    }

    /// Returns when [#fillSilence] is to be called; [Long#MAX_VALUE] for never.
    long dueNanos() {
        return open == null ? Long.MAX_VALUE : dueNanos;
    }

    void fillSilence(long nowNanos) {
        if (open != null && nowNanos >= dueNanos) {
            dueNanos = Long.MAX_VALUE;
            forEach(feed -> dueNanos = Math.min(dueNanos, feed.fillSilence(nowNanos)));
        }
    }
}
