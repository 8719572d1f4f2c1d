package dev.tandem.testkit;

/// A connection in memory: two streams of bytes of bounded capacity.
public final class MemoryPipe {
    private final MemoryStream toServer;
    private final MemoryStream toClient;

    /// @param toServerCapacity the maximum number of bytes in transit, at least 1
    /// @param toClientCapacity likewise
    /// @param onChange called after each change, by the thread that made it
    public MemoryPipe(int toServerCapacity, int toClientCapacity, Runnable onChange) {
        this.toServer = new MemoryStream(toServerCapacity, onChange);
        this.toClient = new MemoryStream(toClientCapacity, onChange);
    }

    public MemoryStream toServer() {
        return toServer;
    }

    public MemoryStream toClient() {
        return toClient;
    }

    /// Breaks both streams, as a reset does.
    public void reset() {
        toServer.breakOff();
        toClient.breakOff();
    }
}
