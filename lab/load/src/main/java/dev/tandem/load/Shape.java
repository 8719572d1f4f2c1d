package dev.tandem.load;

/// How the calls of a step follow each other.
public enum Shape {
    /// On one connection, each when the one before is answered.
    IN_TURN,
    /// On one connection, all at once; where the server closes it, the rest on the next.
    PIPELINED,
    /// Each on whichever of the visitor's connections is free ([Client#connectionsMax()]), as a
    /// browser fetches what a page embeds.
    PARALLEL
}
