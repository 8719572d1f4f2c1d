package dev.tandem.load;

/// Makes the lanes of one user's calls. Confined to one load thread.
sealed interface UserLanes {

    CallLane open(LaneUser user);

    /// The maximum number of lanes of a [Shape#PARALLEL] step.
    int parallelMax();

    /// Releases what the lanes have in common, once they are abandoned.
    void close();

    /// Each lane is a connection.
    record Http1(LoadContext context) implements UserLanes {
        @Override
        public CallLane open(LaneUser user) {
            return new ClientConnection(context, user);
        }

        @Override
        public int parallelMax() {
            return context.client().connectionsMax();
        }

        @Override
        public void close() {
            // Each connection is closed with its lane.
        }
    }

    /// All lanes use one channel.
    record ByChannel(Http2Channels channels, Http2Channel channel) implements UserLanes {
        @Override
        public CallLane open(LaneUser user) {
            return channel.lane(user);
        }

        @Override
        public int parallelMax() {
            return channels.streamsMax();
        }

        @Override
        public void close() {
            channels.release(channel);
        }
    }
}
