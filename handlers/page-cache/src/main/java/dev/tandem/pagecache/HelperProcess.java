package dev.tandem.pagecache;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// The process of a [HelperEngine]: takes pages from shared memory, and puts results there. Ends
/// with its standard input, so it never outlives its server.
///
/// ```
///  shared memory    a slot for each page in progress: its input, then its result
///  standard input   a batch: number of pages (4 bytes), then for each:
///                   slot (4), operation (4), length of the input (4), maximum result (4), id (8)
///  standard output  the results of a batch: number of pages (4), then for each:
///                   slot (4), length or -1 (4), id (8), nanoseconds (8)
/// ```
///
/// The first output is a batch without pages: the process is ready.
final class HelperProcess {
    /// Half of a slot: the largest page, of 128 KiB, compressed at worst.
    static final int AREA_BYTES = 136 << 10;

    static final int SLOT_BYTES = 2 * AREA_BYTES;

    private final PageCodec codec;
    private final MemorySegment memory;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final Object reading = new Object();
    private final Object writing = new Object();

    private HelperProcess(
            PageCodec codec, MemorySegment memory, DataInputStream in, DataOutputStream out) {
        this.codec = codec;
        this.memory = memory;
        this.in = in;
        this.out = out;
    }

    private record Task(int slot, PageJob.Operation operation, int length, int max, long id) {}

    private record Done(int slot, int length, long id, long nanos) {}

    /// Returns what creates the codec in the process.
    ///
    /// @throws IllegalArgumentException if the codec is none of this module
    static String nameOf(PageCodec codec) {
        return switch (codec) {
            case ZstdCodec zstd -> "zstd-" + zstd.level();
            case Lz4Codec _ -> "lz4";
            default ->
                    throw new IllegalArgumentException(
                            "a helper process has zstd and lz4, not " + codec.name());
        };
    }

    private static PageCodec codecOf(String name) {
        return name.equals("lz4")
                ? PageCodec.lz4()
                : PageCodec.zstd(Integer.parseInt(name.substring("zstd-".length())));
    }

    /// @param args codec, file of the shared memory, number of threads
    static void main(String[] args) throws IOException {
        MemorySegment memory;
        try (FileChannel file =
                FileChannel.open(
                        Path.of(args[1]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            memory = file.map(FileChannel.MapMode.READ_WRITE, 0, file.size(), Arena.global());
        }
        var process =
                new HelperProcess(
                        codecOf(args[0]),
                        memory,
                        new DataInputStream(new BufferedInputStream(System.in)),
                        new DataOutputStream(new BufferedOutputStream(System.out)));
        process.write(List.of());
        for (int i = 1; i < Integer.parseInt(args[2]); i++) {
            Thread.ofPlatform().daemon().start(process::run);
        }
        process.run();
    }

    private void run() {
        try {
            while (true) {
                var done = new ArrayList<Done>();
                for (Task task : read()) {
                    done.add(run(task));
                }
                write(done);
            }
        } catch (EOFException _) {
            // The server has ended, or needs this process no more.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Task> read() throws IOException {
        synchronized (reading) {
            int count = in.readInt();
            var tasks = new ArrayList<Task>(count);
            for (int i = 0; i < count; i++) {
                int slot = in.readInt();
                PageJob.Operation operation = PageJob.Operation.values()[in.readInt()];
                tasks.add(new Task(slot, operation, in.readInt(), in.readInt(), in.readLong()));
            }
            return tasks;
        }
    }

    private void write(List<Done> all) throws IOException {
        synchronized (writing) {
            out.writeInt(all.size());
            for (Done done : all) {
                out.writeInt(done.slot);
                out.writeInt(done.length);
                out.writeLong(done.id);
                out.writeLong(done.nanos);
            }
            out.flush();
        }
    }

    private Done run(Task task) {
        long begin = System.nanoTime();
        int length;
        try {
            length = process(task);
        } catch (RuntimeException _) {
            length = -1;
        }
        return new Done(task.slot, length, task.id, System.nanoTime() - begin);
    }

    private int process(Task task) {
        long at = (long) task.slot * SLOT_BYTES;
        ByteBuffer input = memory.asSlice(at, task.length).asByteBuffer();
        ByteBuffer output = memory.asSlice(at + AREA_BYTES, task.max).asByteBuffer();
        if (task.operation == PageJob.Operation.COMPRESS) {
            return codec.compress(input, output);
        }
        codec.decompress(input, output);
        return task.max;
    }
}
