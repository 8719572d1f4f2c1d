package dev.tandem.engine.websocket;

/// Takes all of the memory that sessions share, as another client would.
public final class FullMemory implements AutoCloseable {
    private static final long OTHER = -1;

    private final SessionMemory memory;
    private final long counted;

    private FullMemory(SessionMemory memory, int times) {
        this.memory = memory;
        this.counted = memory.count(OTHER, 0, times * memory.most() + SessionMemory.FREE);
    }

    /// That of what is received.
    public static FullMemory ofInput() {
        return new FullMemory(SessionMemory.INPUT, 1);
    }

    /// That of what is sent.
    public static FullMemory ofOutput() {
        return new FullMemory(SessionMemory.OUTPUT, 1);
    }

    /// Twice as much.
    public static FullMemory ofOutputTwice() {
        return new FullMemory(SessionMemory.OUTPUT, 2);
    }

    /// Returns what all sessions have, in bytes.
    public static long used() {
        return SessionMemory.INPUT.bytes() + SessionMemory.OUTPUT.bytes();
    }

    @Override
    public void close() {
        memory.count(OTHER, counted, 0);
    }
}
