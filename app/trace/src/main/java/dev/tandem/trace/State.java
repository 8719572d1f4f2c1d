package dev.tandem.trace;

/// The state of a thread, in the words of Beltran's thesis (2008, figure 3.23).
public enum State {
    /// A worker without a request, or a loop that waits for events.
    IDLE("Idle", 0, "117,195,255"),
    /// Running on a processor.
    RUNNING("Running", 1, "0,0,255"),
    /// Runnable, but waiting for a processor.
    READY("Ready", 7, "255,255,0"),
    /// Waiting for its client, another server, a disk.
    BLOCKED_IO("Blocked I/O", 12, "172,174,41"),
    /// Waiting for another thread: a lock, a result, a time.
    BLOCKED_SYNCH("Blocked Synch", 5, "179,0,0");

    private final String label;
    private final int paraver;
    private final String colour;

    State(String label, int paraver, String colour) {
        this.label = label;
        this.paraver = paraver;
        this.colour = colour;
    }

    public String label() {
        return label;
    }

    /// The number of the nearest state of Extrae, so that Paraver's own views fit.
    int paraver() {
        return paraver;
    }

    /// Red, green and blue, 0 to 255, in Paraver's format.
    String colour() {
        return colour;
    }
}
