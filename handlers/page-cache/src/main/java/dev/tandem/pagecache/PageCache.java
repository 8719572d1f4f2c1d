package dev.tandem.pagecache;

import com.sun.management.OperatingSystemMXBean;
import dev.tandem.files.FileCache;
import dev.tandem.files.FileState;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Caches files in memory outside of the heap, in pages. Pages that are requested often are kept
/// uncompressed; pages to be evicted are first compressed, if they become smaller and there is
/// processor time for it, and evicted only later. So memory holds more of a site than its size
/// (Beltran 2008, chapter 5). Thread safe; to be closed.
///
/// Files are read by direct I/O where that is possible, so that memory holds a page only once.
public final class PageCache implements FileCache {
    private final CacheContext context;
    private final Disk disk;
    private final PageCompressor compressor;
    private final Evictor evictor;
    private final PageLoader loader;
    private final StoredFiles stored;
    private final ExternalMemory externalMemory = new ExternalMemory();
    private final MemoryPressure pressure;

    /// Closed with the cache; null if it belongs to the caller.
    private final @Nullable CompressionEngine ownEngine;

    /// Guarded by the lock, as are the following fields.
    private final FileRecords records;

    private final Budget budget;
    private boolean isClosed;

    PageCache(CacheOptions options, CompressionEngine engine, Environment environment) {
        this(options, engine, environment, false);
    }

    private PageCache(
            CacheOptions options,
            CompressionEngine engine,
            Environment environment,
            boolean isEngineOwned) {
        this.ownEngine = isEngineOwned ? engine : null;
        int pageBytes = options.pageBytes();
        int scratchBytes =
                Math.max(
                        pageBytes + ContentCoding.HEADER_MAX,
                        engine.codec().compressedMax(pageBytes));
        this.context =
                new CacheContext(
                        new ReentrantLock(),
                        new ResidentPages(options),
                        new ScratchPool(scratchBytes),
                        new Counters(),
                        options);
        int filesMax = FileRecords.max(options.filesMax(), Runtime.getRuntime().maxMemory());
        this.records = new FileRecords(context.residents(), pageBytes, filesMax);
        this.disk = environment.disk();
        this.compressor =
                new PageCompressor(
                        context,
                        engine.codec(),
                        environment.governor(),
                        new Offload(engine, context, scratchBytes));
        this.evictor = new Evictor(context, compressor);
        this.loader = new PageLoader(context, evictor);
        this.stored = new StoredFiles(context, compressor);
        this.pressure =
                new MemoryPressure(
                        environment.nanoTime(),
                        new MemoryPressure.Memory(
                                environment.memory().limit(), environment.available()),
                        context.residents().frames());
        this.budget = new Budget(context, records, pressure);
        compressor.offload().start();
        evictor.start();
    }

    /// The cache's environment; replaced in tests.
    ///
    /// @param disk reads files
    /// @param governor limits processor time
    /// @param nanoTime as [System#nanoTime()]
    /// @param memory of the machine
    /// @param available memory now, in bytes
    record Environment(
            Disk disk,
            Governor governor,
            LongSupplier nanoTime,
            MachineMemory memory,
            LongSupplier available) {

        static Environment of(CacheOptions options, Disk disk) {
            MachineMemory memory = MachineMemory.current();
            return new Environment(
                    disk,
                    governor(options.compressorShare()),
                    System::nanoTime,
                    memory,
                    memory::available);
        }

        private static Governor governor(double shareMax) {
            var machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            return new Governor(
                    System::nanoTime,
                    new ProcessorLoad(Path.of("/proc"), machine::getCpuLoad),
                    Runtime.getRuntime().availableProcessors(),
                    shareMax);
        }
    }

    /// Returns a cache that uses LZ4. To send pages as they are stored, use [#of(CacheOptions,
    /// CompressionEngine)] with `PageCodec.zstd(1)`.
    public static PageCache of(CacheOptions options) {
        return of(options, CompressionEngine.of(PageCodec.lz4()));
    }

    /// Returns a cache with an engine of its own.
    ///
    /// @param engine a name for [Engines#open]
    /// @throws IllegalArgumentException if there is no such engine; names those that there are
    /// @throws IllegalStateException if it cannot work on this machine; the message says why
    public static PageCache of(CacheOptions options, PageCodec codec, String engine) {
        CompressionEngine opened = Engines.open(engine, codec, options.pageBytes());
        boolean isComplete = false;
        try {
            var cache =
                    new PageCache(options, opened, Environment.of(options, Disk.direct()), true);
            isComplete = true;
            return cache;
        } finally {
            if (!isComplete) {
                opened.close();
            }
        }
    }

    /// @param engine compresses the pages; not closed with the cache
    public static PageCache of(CacheOptions options, CompressionEngine engine) {
        return of(options, engine, Disk.direct());
    }

    /// @param disk reads files
    public static PageCache of(CacheOptions options, CompressionEngine engine, Disk disk) {
        return new PageCache(options, engine, Environment.of(options, disk));
    }

    /// Opens a file for reading.
    ///
    /// @param path the real path, without symbolic links
    /// @param state the state that the reader expects; pages of another state are dropped. It
    ///     should be some seconds old, so that every later change of the file changes it
    /// @throws IllegalStateException if the cache is closed
    @Override
    public CachedFile open(Path path, FileState state) {
        checkMemory();
        context.lock().lock();
        try {
            if (isClosed) {
                throw new IllegalStateException("the page cache is closed");
            }
            return new CachedFile(this, records.getOrCreate(path, state));
        } finally {
            context.lock().unlock();
        }
    }

    /// Adjusts the limit to the memory available on the machine, if that is due. Called with no
    /// lock held, for each file that is opened and before pages are loaded.
    void checkMemory() {
        long spare = pressure.spareBytes();
        if (spare == MemoryPressure.UNKNOWN) {
            return;
        }
        context.lock().lock();
        try {
            if (!isClosed) {
                budget.adjust(spare, externalMemory.bytes());
            }
        } finally {
            context.lock().unlock();
        }
    }

    /// Returns the codec and the maximum memory.
    @Override
    public String description() {
        return compressor.codec().name() + ", at most " + (options().bytes() >> 20) + " MiB";
    }

    /// Returns the content coding in which whole files may be available as they are stored, or
    /// null.
    @Override
    public @Nullable String coding() {
        ContentCoding coding = compressor.codec().coding();
        return coding == null ? null : coding.token();
    }

    /// Counts other memory that holds files against the budget: from the next second on, pages have
    /// that much less, but always an eighth of the configured memory.
    ///
    /// @param owner object whose memory it is, free once the object is unreachable
    /// @param bytes size of the memory
    @Override
    public void countExternal(Object owner, long bytes) {
        externalMemory.add(owner, bytes);
    }

    @Override
    public List<Figure> figures() {
        return new PageCacheFigures(this).all();
    }

    /// Returns current contents and event counts.
    public CacheStatistics statistics() {
        Counters c = context.counters();
        context.lock().lock();
        try {
            ResidentPages residents = context.residents();
            Frames frames = residents.frames();
            int pageBytes = options().pageBytes();
            long before = c.bytesBefore.sum();
            long heap = records.all().stream().mapToLong(FileRecord::heapBytes).sum();
            return new CacheStatistics(
                    (long) frames.limit() * pageBytes,
                    (long) frames.heldCount() * pageBytes + context.scratches().keptBytes(),
                    (long) residents.pages() * Page.HEAP_BYTES + heap,
                    residents.plainBytes(),
                    residents.compressedBytes(),
                    residents.representedBytes(),
                    c.plainHits.sum(),
                    c.compressedHits.sum(),
                    c.storedHits.sum(),
                    c.misses.sum(),
                    c.sharedReads.sum(),
                    c.uncached.sum(),
                    c.diskReads.sum(),
                    c.diskBytes.sum(),
                    c.compressions.sum(),
                    c.incompressible.sum(),
                    c.skipped.sum(),
                    before == 0 ? 1 : (double) c.bytesAfter.sum() / before,
                    c.compressNanos.sum(),
                    c.decompressNanos.sum(),
                    c.engineJobs.sum(),
                    c.engineFailures.sum(),
                    c.corrupt.sum());
        } finally {
            context.lock().unlock();
        }
    }

    /// Closes the cache. Readers that are active continue from disk; memory is released when the
    /// last reader has unpinned its page.
    @Override
    public void close() {
        evictor.close();
        compressor.offload().close();
        context.lock().lock();
        try {
            isClosed = true;
            records.forgetAll();
            budget.shrink(0);
        } finally {
            context.lock().unlock();
        }
        context.scratches().close();
        if (ownEngine != null) {
            ownEngine.close();
        }
    }

    /// Returns the number of memory blocks not yet released to the system.
    int openBlocks() {
        context.lock().lock();
        try {
            return context.residents().frames().openBlocks();
        } finally {
            context.lock().unlock();
        }
    }

    CacheOptions options() {
        return context.options();
    }

    CacheContext context() {
        return context;
    }

    Disk disk() {
        return disk;
    }

    PageCompressor compressor() {
        return compressor;
    }

    Evictor evictor() {
        return evictor;
    }

    PageLoader loader() {
        return loader;
    }

    FileRecords records() {
        return records;
    }

    StoredFiles stored() {
        return stored;
    }
}
