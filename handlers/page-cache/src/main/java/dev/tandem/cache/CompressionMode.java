package dev.tandem.cache;

/// Who compresses the pages that have to go.
public enum CompressionMode {
    /// No one: they are dropped.
    NONE,
    /// Whoever needs their room, before anything else.
    SYNC,
    /// Threads in the background, ahead of need. Who needs room waits for nobody: what is not
    /// compressed yet by then is dropped.
    ASYNC
}
