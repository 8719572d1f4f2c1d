package dev.tandem.admission;

/// What an engine has done so far, for [HandshakeAdmission#reportLoad]; all counts only grow.
///
/// @param threadTime processor time of loops and workers, in nanoseconds
/// @param first requests that were the first on their connections
/// @param later requests that followed others on their connections
/// @param areQueued whether requests wait for a worker
public record RequestLoad(long threadTime, long first, long later, boolean areQueued) {}
