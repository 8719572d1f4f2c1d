package dev.tandem.net;

import java.io.FileInputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A reserved descriptor: logging that none are left needs one, because the log may have to read
/// its configuration and open its output. Confined to its loop.
final class DescriptorReserve {
    /// This file exists in every JDK and runtime image.
    private static final String FILE = System.getProperty("java.home") + "/release";

    private @Nullable FileInputStream held;

    /// Acquires a descriptor, if one is available.
    void acquire() {
        try {
            held = held == null ? new FileInputStream(FILE) : held;
        } catch (IOException e) {
            held = null; // retried by the next call
        }
    }

    /// Releases the descriptor.
    void release() {
        FileInputStream file = held;
        held = null;
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            // It was not read.
        }
    }
}
