package dev.tandem.pagecache.gpu;

/// A function of CUDA or nvCOMP has failed: the device must not be used any more.
final class DeviceException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    DeviceException(String message) {
        super(message);
    }
}
