package dev.tandem.pagecache;

/// A page when the cache was closed.
///
/// @param form how it was kept
record SavedPage(FileRecord file, int index, RestoreList.Form form) {}
