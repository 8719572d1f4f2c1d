package dev.tandem.pagecache.gpu;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// The functions of the CUDA runtime that the engine needs (`cuda_runtime_api.h` of CUDA 12.9; they
/// are the same in 13). Pointers are longs: most of them are the device's. Thread safe; a thread
/// that calls it must have called [#setDevice] once.
final class Cuda {
    /// `cudaErrorNotReady`: the stream has work in progress.
    private static final int NOT_READY = 600;

    /// `cudaStreamNonBlocking`: independent of the default stream.
    private static final int NON_BLOCKING = 1;

    private static final int HOST_TO_DEVICE = 1;
    private static final int DEVICE_TO_HOST = 2;
    private static final int MESSAGE_MAX = 200;

    private final NativeFunction getDeviceCount;
    private final NativeFunction setDevice;
    private final NativeFunction malloc;
    private final NativeFunction free;
    private final NativeFunction mallocHost;
    private final NativeFunction freeHost;
    private final NativeFunction memcpyAsync;
    private final NativeFunction streamCreate;
    private final NativeFunction streamQuery;
    private final NativeFunction streamDestroy;
    private final MethodHandle errorString;

    /// @throws java.util.NoSuchElementException if the library lacks a function
    @SuppressWarnings("restricted") // native access is checked before
    Cuda(SymbolLookup library) {
        var pointer = ValueLayout.JAVA_LONG;
        var integer = ValueLayout.JAVA_INT;
        getDeviceCount = new NativeFunction(library, "cudaGetDeviceCount", pointer);
        setDevice = new NativeFunction(library, "cudaSetDevice", integer);
        malloc = new NativeFunction(library, "cudaMalloc", pointer, pointer);
        free = new NativeFunction(library, "cudaFree", pointer);
        mallocHost = new NativeFunction(library, "cudaMallocHost", pointer, pointer);
        freeHost = new NativeFunction(library, "cudaFreeHost", pointer);
        memcpyAsync =
                new NativeFunction(
                        library, "cudaMemcpyAsync", pointer, pointer, pointer, integer, pointer);
        streamCreate = new NativeFunction(library, "cudaStreamCreateWithFlags", pointer, integer);
        streamQuery = new NativeFunction(library, "cudaStreamQuery", pointer);
        streamDestroy = new NativeFunction(library, "cudaStreamDestroy", pointer);
        errorString =
                Linker.nativeLinker()
                        .downcallHandle(
                                library.findOrThrow("cudaGetErrorString"),
                                FunctionDescriptor.of(ValueLayout.ADDRESS, integer));
    }

    /// Returns the number of devices, at least 1.
    ///
    /// @throws DeviceException if there is none; says why
    int deviceCount() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
            check(getDeviceCount, count.address());
            int devices = count.get(ValueLayout.JAVA_INT, 0);
            if (devices < 1) {
                throw new DeviceException("there is no CUDA device");
            }
            return devices;
        }
    }

    /// Makes a device that of the calling thread.
    void setDevice(int device) {
        check(setDevice, device);
    }

    /// Returns memory of the device, aligned to 256 bytes at least.
    long malloc(long bytes) {
        return pointer(malloc, bytes);
    }

    void free(long memory) {
        check(free, memory);
    }

    /// Returns memory of the host that the device can access: copies to and from it do not block.
    long mallocHost(long bytes) {
        return pointer(mallocHost, bytes);
    }

    void freeHost(long memory) {
        check(freeHost, memory);
    }

    private long pointer(NativeFunction allocate, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            check(allocate, result.address(), bytes);
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    void copyToDevice(long device, long host, long bytes, long stream) {
        check(memcpyAsync, device, host, bytes, HOST_TO_DEVICE, stream);
    }

    void copyToHost(long host, long device, long bytes, long stream) {
        check(memcpyAsync, host, device, bytes, DEVICE_TO_HOST, stream);
    }

    /// Returns a new queue of work for the device.
    long createStream() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            check(streamCreate, result.address(), NON_BLOCKING);
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    void destroyStream(long stream) {
        check(streamDestroy, stream);
    }

    /// Returns whether all work of a stream is done.
    ///
    /// @throws DeviceException if some of it has failed
    boolean isDone(long stream) {
        int status = streamQuery.call(stream);
        if (status != 0 && status != NOT_READY) {
            throw failure(streamQuery, status);
        }
        return status == 0;
    }

    private void check(NativeFunction function, Object... arguments) {
        int status = function.call(arguments);
        if (status != 0) {
            throw failure(function, status);
        }
    }

    private DeviceException failure(NativeFunction function, int status) {
        return new DeviceException(function.name() + ": " + message(status) + " (" + status + ")");
    }

    @SuppressWarnings("restricted") // a C string of the library
    private String message(int status) {
        try {
            MemorySegment text = (MemorySegment) errorString.invokeExact(status);
            return text.reinterpret(MESSAGE_MAX).getString(0);
        } catch (Throwable e) {
            return "no message: " + e;
        }
    }
}
