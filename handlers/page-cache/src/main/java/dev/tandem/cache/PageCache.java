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
    private final Hold hold;
    private final Disk disk;
    private final Packer packer;
    private final Evictor evictor;
    private final Loader loader;
    private final StoredFiles stored;
    private final Beside beside = new Beside();
    private final Pressure pressure;

    /// The rest is guarded by the lock.
    private final FileRecords records;

    private final Budget budget;
    private boolean isClosed;

    PageCache(CacheOptions options, CompressionEngine engine, Surroundings around) {
        int pageBytes = options.pageBytes();
        int scratchBytes =
                Math.max(pageBytes + ContentCoding.HEAD_MAX, engine.codec().packedMax(pageBytes));
        this.hold =
                new Hold(
                        new ReentrantLock(),
                        new Residents(options),
                        new Scratches(scratchBytes),
                        new Counters(),
                        options);
        int filesMax = FileRecords.max(options.filesMax(), Runtime.getRuntime().maxMemory());
        this.records = new FileRecords(hold.residents(), pageBytes, filesMax);
        this.disk = around.disk();
        this.packer = new Packer(hold, engine, around.governor());
        this.evictor = new Evictor(hold, packer);
        this.loader = new Loader(hold, evictor);
        this.stored = new StoredFiles(hold, packer);
        this.pressure =
                new Pressure(
                        around.nanoTime(),
                        new Pressure.Memory(around.memory().limit(), around.available()),
                        hold.residents().frames());
        this.budget = new Budget(hold, records, pressure);
        evictor.start();
    }

    /// What a cache is in; another in tests.
    ///
    /// @param disk where files are read from
    /// @param governor of the processors' time
    /// @param nanoTime as [System#nanoTime()]
    /// @param memory of the machine
    /// @param available memory now, in bytes
    record Surroundings(
            Disk disk,
            Governor governor,
            LongSupplier nanoTime,
            MachineMemory memory,
            LongSupplier available) {

        static Surroundings of(CacheOptions options, Disk disk) {
            MachineMemory memory = MachineMemory.ofThis();
            return new Surroundings(
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
        return new PageCache(options, engine, Surroundings.of(options, disk));
    }

    /// Begins to read a file.
    ///
    /// @param path its real one: no part of it is a link
    /// @param state that the reader wants; what is kept of another one is forgotten. It should
    ///     have lasted for some seconds, so that whatever changes the file changes it, too
    /// @throws IllegalStateException if the cache is closed
    @Override
    public CachedFile open(Path path, FileState state) {
        long spare = pressure.spare();
        hold.lock().lock();
        try {
            if (isClosed) {
                throw new IllegalStateException("the page cache is closed");
            }
            if (spare != Pressure.UNKNOWN) {
                budget.fit(spare, beside.bytes());
            }
            return new CachedFile(this, records.of(path, state));
        } finally {
            hold.lock().unlock();
        }
    }

    /// The codec and the most memory.
    @Override
    public String description() {
        return packer.codec().name() + ", at most " + (options().bytes() >> 20) + " MiB";
    }

    /// The content coding in which whole files may be had as they are stored, or null.
    @Override
    public @Nullable String coding() {
        ContentCoding coding = packer.codec().coding();
        return coding == null ? null : coding.token();
    }

    /// Counts memory besides that holds files, too, in the budget: from the next second on there
    /// is as much less for pages, but always an eighth of what was configured.
    ///
    /// @param owner whose memory it is: free when nobody has it any more
    /// @param bytes of it
    @Override
    public void countBeside(Object owner, long bytes) {
        beside.add(owner, bytes);
    }

    /// What it holds and what happened.
    public CacheFigures figures() {
        Counters c = hold.counters();
        hold.lock().lock();
        try {
            Residents residents = hold.residents();
            Frames frames = residents.frames();
            int pageBytes = options().pageBytes();
            long before = c.bytesBefore.sum();
            long heap = records.all().stream().mapToLong(FileRecord::heapBytes).sum();
            return new CacheFigures(
                    (long) frames.limit() * pageBytes,
                    (long) frames.held() * pageBytes + hold.scratches().keptBytes(),
                    (long) residents.pages() * Page.HEAP_BYTES + heap,
                    residents.plainBytes(),
                    residents.packedBytes(),
                    residents.representedBytes(),
                    c.plainHits.sum(),
                    c.packedHits.sum(),
                    c.storedHits.sum(),
                    c.misses.sum(),
                    c.shared.sum(),
                    c.unkept.sum(),
                    c.diskReads.sum(),
                    c.diskBytes.sum(),
                    c.compressions.sum(),
                    c.rigid.sum(),
                    c.skipped.sum(),
                    before == 0 ? 1 : (double) c.bytesAfter.sum() / before,
                    c.compressNanos.sum(),
                    c.decompressNanos.sum());
        } finally {
            hold.lock().unlock();
        }
    }

    /// Ends it. Who reads at the moment goes on, from disk; the memory is the system's again
    /// when the last of them has let go of its page.
    @Override
    public void close() {
        evictor.close();
        hold.lock().lock();
        try {
            isClosed = true;
            records.forgetAll();
            budget.shrink(0);
        } finally {
            hold.lock().unlock();
        }
        hold.scratches().close();
    }

    /// Blocks of memory that are not the system's again yet.
    int openBlocks() {
        hold.lock().lock();
        try {
            return hold.residents().frames().openBlocks();
        } finally {
            hold.lock().unlock();
        }
    }

    CacheOptions options() {
        return hold.options();
    }

    Hold hold() {
        return hold;
    }

    Disk disk() {
        return disk;
    }

    Packer packer() {
        return packer;
    }

    Evictor evictor() {
        return evictor;
    }

    Loader loader() {
        return loader;
    }

    FileRecords records() {
        return records;
    }

    StoredFiles stored() {
        return stored;
    }
}
