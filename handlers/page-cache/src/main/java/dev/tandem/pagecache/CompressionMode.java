package dev.tandem.pagecache;

/// When pages are compressed that would be evicted.
public enum CompressionMode {
    /// Never: they are evicted.
    NONE,
    /// By the thread that needs their memory, at that time.
    SYNC,
    /// By background threads, in advance. A thread that needs memory does not wait: pages that are
    /// not compressed by then are evicted.
    ASYNC
}
