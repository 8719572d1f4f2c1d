package dev.tandem.pagecache.gpu;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Memory of a lane: a buffer of what is copied to the device and one of what is copied back, each
/// at the device and at the host; and temporary memory of the device. Used by one thread at a time.
///
/// ```
/// input:  pointers | lengths | output pointers | output maxima | pages, one after the other
/// output: lengths | statuses | pages, each in an area of its own
/// ```
///
/// So a batch is two copies, however many pages it has. Compressed pages come back in areas of the
/// maximum length: their lengths are not known before, and to wait for these would take longer than
/// to copy some megabytes.
final class LaneMemory implements AutoCloseable {
    private static final int WORD = 8;

    /// Alignment of pages: more than any format of nvCOMP requires.
    private static final int ALIGNMENT = 256;

    private final Cuda cuda;
    private final int pages;
    private final int pageBytes;
    private final long area;
    private final long inputHead;
    private final long outputHead;
    private final long tempBytes;

    /// Pointers, 0 while not allocated.
    private long inputDevice;

    private long outputDevice;
    private long temp;
    private long inputHost;
    private long outputHost;

    private final MemorySegment input;
    private final MemorySegment output;

    /// @param pages maximum number of pages in a batch
    /// @param pageBytes maximum length of an uncompressed page
    /// @param compressedMax maximum length of a compressed page
    /// @throws DeviceException if there is not enough memory; then all is freed
    LaneMemory(Cuda cuda, int pages, int pageBytes, long compressedMax, long tempBytes) {
        this.cuda = cuda;
        this.pages = pages;
        this.pageBytes = pageBytes;
        this.area = aligned(Math.max(pageBytes, compressedMax));
        this.inputHead = aligned(4L * WORD * pages);
        this.outputHead = aligned((WORD + 4L) * pages);
        this.tempBytes = Math.max(tempBytes, 1);
        boolean isComplete = false;
        try {
            inputDevice = cuda.malloc(inputBytes());
            outputDevice = cuda.malloc(outputBytes(pages));
            temp = cuda.malloc(this.tempBytes);
            inputHost = cuda.mallocHost(inputBytes());
            outputHost = cuda.mallocHost(outputBytes(pages));
            input = segment(inputHost, inputBytes());
            output = segment(outputHost, outputBytes(pages));
            isComplete = true;
        } finally {
            if (!isComplete) {
                close();
            }
        }
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    @SuppressWarnings("restricted") // memory that was allocated with this length
    private static MemorySegment segment(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    private long inputBytes() {
        return inputHead + pages * area;
    }

    private long outputBytes(int count) {
        return outputHead + count * area;
    }

    /// Returns whether there is room for a page in both forms.
    ///
    /// @param uncompressed its length
    /// @param compressed its length, if that is known
    boolean fits(long uncompressed, long compressed) {
        return uncompressed <= pageBytes && compressed <= area;
    }

    /// Returns the bytes for each page, of either form.
    long area() {
        return area;
    }

    /// Puts a page into the batch.
    ///
    /// @param index of the page in the batch
    /// @param at where its content begins, as the last call has returned; 0 for the first page
    /// @param resultMax maximum length of the result
    /// @return where the next page's content begins
    long put(int index, long at, MemorySegment page, long resultMax) {
        long length = page.byteSize();
        MemorySegment.copy(page, 0, input, inputHead + at, length);
        setInput(0, index, inputDevice + inputHead + at);
        setInput(1, index, length);
        setInput(2, index, outputDevice + outputHead + index * area);
        setInput(3, index, resultMax);
        return at + aligned(length);
    }

    private void setInput(int array, int index, long value) {
        input.set(ValueLayout.JAVA_LONG, ((long) array * pages + index) * WORD, value);
    }

    /// Queues the copy of a batch to the device.
    ///
    /// @param end what [#put] has returned for the last page
    void copyToDevice(long end, long stream) {
        cuda.copyToDevice(inputDevice, inputHost, inputHead + end, stream);
    }

    /// Queues the copy of results to the host.
    void copyToHost(int count, long stream) {
        cuda.copyToHost(outputHost, outputDevice, outputBytes(count), stream);
    }

    Nvcomp.Batch batch(int count) {
        long array = (long) WORD * pages;
        return new Nvcomp.Batch(
                count,
                pageBytes,
                inputDevice,
                inputDevice + array,
                inputDevice + 2 * array,
                inputDevice + 3 * array,
                outputDevice,
                outputDevice + array,
                temp,
                tempBytes);
    }

    /// Returns the status of a result, 0 for success.
    int status(int index) {
        return output.get(ValueLayout.JAVA_INT, (long) WORD * pages + 4L * index);
    }

    /// Returns the length of a result, as the device reports it.
    long length(int index) {
        return output.get(ValueLayout.JAVA_LONG, (long) WORD * index);
    }

    /// Returns the beginning of a result.
    ///
    /// @param length at most [#area()]
    MemorySegment result(int index, long length) {
        return output.asSlice(outputHead + index * area, length);
    }

    /// Frees the memory. No batch may be in progress.
    @Override
    public void close() {
        inputDevice = free(inputDevice, true);
        outputDevice = free(outputDevice, true);
        temp = free(temp, true);
        inputHost = free(inputHost, false);
        outputHost = free(outputHost, false);
    }

    private long free(long memory, boolean isDevice) {
        try {
            if (memory != 0 && isDevice) {
                cuda.free(memory);
            } else if (memory != 0) {
                cuda.freeHost(memory);
            }
        } catch (DeviceException _) {
            // After an error of the device its memory goes with the process.
        }
        return 0;
    }
}
