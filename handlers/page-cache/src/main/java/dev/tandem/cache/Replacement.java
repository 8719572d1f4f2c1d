package dev.tandem.cache;

/// Which page goes when there is no room.
public enum Replacement {
    /// The one not asked for for the longest time.
    LRU,
    /// One that was asked for once goes before one that was asked for again, so that a visitor
    /// who reads every file once flushes nothing (S3-FIFO: Yang et al., SOSP 2023; decision
    /// 0019).
    SCAN_RESISTANT
}
