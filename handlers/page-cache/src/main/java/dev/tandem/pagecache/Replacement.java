package dev.tandem.pagecache;

/// Which page is evicted first.
public enum Replacement {
    /// The least recently used page.
    LRU,
    /// Pages that were requested once are evicted before pages that were requested again, so that a
    /// client that reads every file once evicts nothing else (S3-FIFO: Yang et al., SOSP 2023;
    /// decision 0019).
    SCAN_RESISTANT
}
