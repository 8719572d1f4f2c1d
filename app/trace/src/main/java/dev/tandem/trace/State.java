package dev.tandem.trace;

/// What a thread does at a moment, in the words of Beltran's thesis (2008, figure 3.23).
public enum State {
    /// A worker rests, or a loop waits for something to be ready.
    IDLE("Idle", 0, "117,195,255"),
    /// It has a processor.
    RUNNING("Running", 1, "0,0,255"),
    /// It could run, and waits for a processor.
    READY("Ready", 7, "255,255,0"),
    /// It waits for its client, another server, a disk.
    BLOCKED_IO("Blocked I/O", 12, "172,174,41"),
    /// It waits for another thread: a lock, a result, a while.
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

    /// The number that Extrae gives the state that is nearest, so that Paraver's own views fit.
    int paraver() {
        return paraver;
    }

    /// Red, green and blue, 0 to 255, as Paraver has them.
    String colour() {
        return colour;
    }
}
