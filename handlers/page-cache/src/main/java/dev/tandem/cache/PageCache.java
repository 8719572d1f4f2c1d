package dev.tandem.cache;

import com.sun.management.OperatingSystemMXBean;
import dev.tandem.files.FileCache;
import dev.tandem.files.FileState;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Keeps files in memory, in pages, outside of the heap. What is asked for often is kept as it
/// is; what would have to go is compressed first, if it shrinks and there is processor time for
/// it, and goes only later. So memory holds more of a site than its size (Beltran 2008, chapter
/// 5). Safe for all threads; to be closed.
///
/// The disk is read past the kernel's cache where that is possible, so that memory holds a page
/// once.
public final class PageCache implements FileCache {
    private final CacheContext context;
    private final Disk disk;
    private final PageCompressor compressor;
    private final Evictor evictor;
    private final PageLoader loader;
    private final StoredFiles stored;
    private final ExternalMemory externalMemory = new ExternalMemory();
    private final MemoryPressure pressure;

    /// The rest is guarded by the lock.
    private final FileRecords records;

    private final Budget budget;
    private boolean isClosed;

    PageCache(CacheOptions options, CompressionEngine engine, Environment environment) {
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
        this.compressor = new PageCompressor(context, engine, environment.governor());
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
        evictor.start();
    }

    /// What a cache is in; another in tests.
    ///
    /// @param disk where files are read from
    /// @param governor of the processors' time
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

    /// With LZ4, or, if pages are to be sent as they are stored, rather with
    /// `PageCodec.zstd(1)` by [#of(CacheOptions, CompressionEngine)].
    public static PageCache of(CacheOptions options) {
        return of(options, CompressionEngine.of(PageCodec.lz4()));
    }

    /// @param engine compresses its pages; not closed with it
    public static PageCache of(CacheOptions options, CompressionEngine engine) {
        return of(options, engine, Disk.direct());
    }

    /// @param disk where files are read from
    public static PageCache of(CacheOptions options, CompressionEngine engine, Disk disk) {
        return new PageCache(options, engine, Environment.of(options, disk));
    }

    /// Begins to read a file.
    ///
    /// @param path its real one: no part of it is a link
    /// @param state that the reader wants; what is kept of another one is forgotten. It should
    ///     have lasted for some seconds, so that whatever changes the file changes it, too
    /// @throws IllegalStateException if the cache is closed
    @Override
    public CachedFile open(Path path, FileState state) {
        long spare = pressure.spareBytes();
        context.lock().lock();
        try {
            if (isClosed) {
                throw new IllegalStateException("the page cache is closed");
            }
            if (spare != MemoryPressure.UNKNOWN) {
                budget.adjust(spare, externalMemory.bytes());
            }
            return new CachedFile(this, records.getOrCreate(path, state));
        } finally {
            context.lock().unlock();
        }
    }

    /// The codec and the most memory.
    @Override
    public String description() {
        return compressor.codec().name() + ", at most " + (options().bytes() >> 20) + " MiB";
    }

    /// The content coding in which whole files may be had as they are stored, or null.
    @Override
    public @Nullable String coding() {
        ContentCoding coding = compressor.codec().coding();
        return coding == null ? null : coding.token();
    }

    /// Counts memory besides that holds files, too, in the budget: from the next second on there
    /// is as much less for pages, but always an eighth of what was configured.
    ///
    /// @param owner whose memory it is: free when nobody has it any more
    /// @param bytes of it
    @Override
    public void countExternal(Object owner, long bytes) {
        externalMemory.add(owner, bytes);
    }

    /// What it holds and what happened.
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
                    c.decompressNanos.sum());
        } finally {
            context.lock().unlock();
        }
    }

    /// Ends it. Who reads at the moment goes on, from disk; the memory is the system's again
    /// when the last of them has let go of its page.
    @Override
    public void close() {
        evictor.close();
        context.lock().lock();
        try {
            isClosed = true;
            records.forgetAll();
            budget.shrink(0);
        } finally {
            context.lock().unlock();
        }
        context.scratches().close();
    }

    /// Blocks of memory that are not the system's again yet.
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
