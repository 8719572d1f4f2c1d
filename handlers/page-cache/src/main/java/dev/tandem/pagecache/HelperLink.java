package dev.tandem.pagecache;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One run of a helper process, the memory shared with it and the pages that it has. What the
/// process reports is checked. Thread safe.
final class HelperLink {
    private static final Path MEMORY_FOLDER = Path.of("/dev/shm");

    /// The cache gives another page as soon as it has copied a result, whose slot is free only
    /// afterwards. One thread reads results, so that this is one slot at a time.
    private static final int SPARE_SLOTS = 1;

    private final Process process;
    private final Path file;
    private final MemorySegment memory;
    private final DataOutputStream out;
    private final DataInputStream in;
    private final boolean isTimeCounted;

    /// Guarded by this object, as are the following fields. The slot freed last is used first, so
    /// that few are used while there is little to do.
    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    private final @Nullable Entry[] entries;
    private long nextId;
    private volatile boolean isReady;
    private volatile boolean isOver;

    private record Entry(PageJob job, long id, long sinceNanos) {}

    /// @param isTimeCounted whether its time is that of the serving processors
    private HelperLink(
            Process process, Path file, MemorySegment memory, int slots, boolean isTimeCounted) {
        this.process = process;
        this.file = file;
        this.memory = memory;
        this.isTimeCounted = isTimeCounted;
        this.entries = new Entry[slots];
        this.out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
        this.in = new DataInputStream(new BufferedInputStream(process.getInputStream()));
        for (int i = slots - 1; i >= 0; i--) {
            free.push(i);
        }
    }

    /// Starts the process.
    ///
    /// @param command gets the name of the codec, the file and the number of threads appended
    static HelperLink start(List<String> command, String codec, HelperOptions options)
            throws IOException {
        Path file = create();
        boolean isStarted = false;
        try {
            int slots = options.inFlightMax() + SPARE_SLOTS;
            MemorySegment memory = map(file, slots);
            List<String> all = new ArrayList<>(command);
            all.addAll(List.of(codec, file.toString(), Integer.toString(options.threads())));
            var builder = new ProcessBuilder(all).redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment()
                    .keySet()
                    .removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
            Process process = builder.start();
            isStarted = true;
            boolean isTimeCounted = options.processors().isEmpty();
            return new HelperLink(process, file, memory, slots, isTimeCounted);
        } finally {
            if (!isStarted) {
                Files.deleteIfExists(file);
            }
        }
    }

    /// Readable by this user only, as all temporary files.
    private static Path create() throws IOException {
        return Files.isDirectory(MEMORY_FOLDER)
                ? Files.createTempFile(MEMORY_FOLDER, "tandem-pages-", "")
                : Files.createTempFile("tandem-pages-", "");
    }

    /// Takes memory only as slots are used.
    private static MemorySegment map(Path file, int slots) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long bytes = (long) slots * HelperProcess.SLOT_BYTES;
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.ofAuto());
        }
    }

    /// Returns whether the process takes pages. Does not wait for one that is being given.
    boolean isOpen() {
        return isReady && !isOver;
    }

    long pid() {
        return process.pid();
    }

    /// Gives pages to the process. Does not block: the pipe has room for all that may be in
    /// progress.
    synchronized void submit(List<PageJob> batch) throws IOException {
        if (!isReady || isOver || free.size() < batch.size() || !areSmall(batch)) {
            throw new IOException("the helper process does not take these pages now");
        }
        var slots = new ArrayList<Integer>(batch.size());
        for (PageJob job : batch) {
            int slot = free.pop();
            long at = (long) slot * HelperProcess.SLOT_BYTES;
            int length = job.input().remaining();
            MemorySegment.copy(MemorySegment.ofBuffer(job.input()), 0, memory, at, length);
            entries[slot] = new Entry(job, nextId++, System.nanoTime());
            slots.add(slot);
        }
        write(slots);
    }

    private static boolean areSmall(List<PageJob> batch) {
        return batch.stream()
                .allMatch(
                        job ->
                                Math.max(job.input().remaining(), job.resultMax())
                                        <= HelperProcess.AREA_BYTES);
    }

    private void write(List<Integer> slots) throws IOException {
        out.writeInt(slots.size());
        for (int slot : slots) {
            Entry entry = entries[slot];
            if (entry != null) {
                out.writeInt(slot);
                out.writeInt(entry.job.operation().ordinal());
                out.writeInt(entry.job.input().remaining());
                out.writeInt(entry.job.resultMax());
                out.writeLong(entry.id);
            }
        }
        out.flush();
    }

    /// Completes pages until the process ends.
    ///
    /// @throws IOException when it has ended, or reports what cannot be
    void read() throws IOException {
        while (true) {
            int count = in.readInt();
            if (count < 0 || count > entries.length) {
                throw new IOException("the helper process reports " + count + " pages");
            }
            ready();
            for (int i = 0; i < count; i++) {
                complete(in.readInt(), in.readInt(), in.readLong(), in.readLong());
            }
        }
    }

    /// From now on only the two processes have the memory.
    private void ready() throws IOException {
        synchronized (this) {
            if (isReady) {
                return;
            }
            isReady = true;
        }
        Files.deleteIfExists(file);
    }

    private void complete(int slot, int length, long id, long nanos) throws IOException {
        PageJob job = job(slot, id);
        int max = job.resultMax();
        if (length < 0 || length > max) {
            free(slot);
            job.fail(new IllegalStateException("the helper process returned " + length + " bytes"));
            return;
        }
        long at = (long) slot * HelperProcess.SLOT_BYTES + HelperProcess.AREA_BYTES;
        try {
            boolean _ =
                    job.complete(
                            memory.asSlice(at, length).asByteBuffer(), isTimeCounted ? nanos : 0);
        } finally {
            free(slot);
        }
    }

    private synchronized PageJob job(int slot, long id) throws IOException {
        Entry entry = slot < 0 || slot >= entries.length ? null : entries[slot];
        if (entry == null || entry.id != id) {
            throw new IOException("the helper process reports a page that it does not have");
        }
        return entry.job;
    }

    private synchronized void free(int slot) {
        entries[slot] = null;
        free.push(slot);
    }

    /// Returns whether a page takes longer than it may.
    synchronized boolean isLate(long nanos) {
        long now = System.nanoTime();
        for (Entry entry : entries) {
            if (entry != null && now - entry.sinceNanos > nanos) {
                return true;
            }
        }
        return false;
    }

    /// Ends the process at once.
    void kill() {
        process.destroyForcibly();
    }

    /// Ends the process and fails its pages.
    void end(Throwable cause) {
        kill();
        List<PageJob> left = new ArrayList<>();
        synchronized (this) {
            isOver = true;
            for (Entry entry : entries) {
                if (entry != null) {
                    left.add(entry.job);
                }
            }
        }
        left.forEach(job -> job.fail(cause));
        try {
            Files.deleteIfExists(file);
            in.close();
            process.getOutputStream().close();
        } catch (IOException _) {
            // Its pipes are gone, as it is.
        }
    }
}
