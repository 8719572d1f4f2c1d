package dev.tandem.load;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// The channels of a load thread: one for each user, or each for some users. Confined to that
/// context.
final class Http2Channels {
    private final LoadContext context;
    private final boolean isShared;
    private final int streamsMax;

    /// Shared channels, which are kept for later users.
    private final List<Http2Channel> shared = new ArrayList<>();

    /// Those of them that can have another user.
    private final ArrayDeque<Http2Channel> free = new ArrayDeque<>();

    Http2Channels(LoadContext context) {
        Http2 settings = context.client().http2();
        this.context = context;
        this.isShared = settings.isShared();
        this.streamsMax = settings.streamsMax();
    }

    /// Returns a channel for a user.
    ///
    /// @param tlsPeer the name that the user's TLS sessions are stored by; a shared channel
    ///     has that of its first user
    Http2Channel acquire(String tlsPeer) {
        if (!isShared) {
            return new Http2Channel(context, tlsPeer);
        }
        Http2Channel channel = free.peekFirst();
        if (channel == null) {
            channel = new Http2Channel(context, tlsPeer);
            shared.add(channel);
            free.add(channel);
        }
        channel.users++;
        if (channel.users == streamsMax) {
            free.remove(channel);
        }
        return channel;
    }

    /// The maximum number of concurrent streams of a connection, and of users that share one.
    int streamsMax() {
        return streamsMax;
    }

    /// A user's session has ended.
    void release(Http2Channel channel) {
        if (!isShared) {
            channel.close();
            return;
        }
        if (channel.users == streamsMax) {
            free.addLast(channel);
        }
        channel.users--;
    }

    /// Closes shared channels, at the end of the run.
    void close() {
        shared.forEach(Http2Channel::close);
        shared.clear();
        free.clear();
    }
}
