package dev.tandem.pagecache.gpu;

/// Sizes and limits of the engine. Immutable.
///
/// @param device number of the device
/// @param lanes batches in progress at once, each with memory of its own: while one is copied,
///     another is compressed
/// @param batchMax pages in a batch
/// @param timeoutMillis how long the cache waits for a page
/// @param hungMillis how long a batch may take before the device counts as failed
/// @param openMillis how long the driver may take to start, in which it loads itself and the
///     kernels: seconds on a machine with many devices
record GpuOptions(
        int device, int lanes, int batchMax, int timeoutMillis, int hungMillis, int openMillis) {
    /// Batches of 64 pages, the maximum of the cache's interface: a device has thousands of
    /// threads, and a page takes only some of them.
    static final GpuOptions DEFAULT = new GpuOptions(0, 2, 64, 1_000, 5_000, 30_000);

    GpuOptions withHungMillis(int millis) {
        int timeout = Math.min(timeoutMillis, millis);
        return new GpuOptions(device, lanes, batchMax, timeout, millis, openMillis);
    }

    GpuOptions withOpenMillis(int millis) {
        return new GpuOptions(device, lanes, batchMax, timeoutMillis, hungMillis, millis);
    }
}
