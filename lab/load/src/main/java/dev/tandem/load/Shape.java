package dev.tandem.load;

/// How the calls of a step follow each other.
public enum Shape {
    /// On one connection, each after the response to the one before.
    IN_TURN,
    /// On one connection, all at once; if the server closes it, the remaining ones on the next.
    PIPELINED,
    /// Each on any free connection of the user ([Client#connectionsMax()]), as a browser fetches
    /// embedded resources.
    PARALLEL
}
