package dev.tandem.net;

import java.io.FileInputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// One descriptor kept back: to say that there are none left takes one, since a log may have to
/// read its configuration first, and open what it writes to. Confined to its loop.
final class DescriptorReserve {
    /// There is one in every JDK and every image made of it.
    private static final String FILE = System.getProperty("java.home") + "/release";

    private @Nullable FileInputStream held;

    /// Takes a descriptor, if there is one.
    void acquire() {
        try {
            held = held == null ? new FileInputStream(FILE) : held;
        } catch (IOException e) {
            held = null; // as it is, until the next time
        }
    }

    /// Gives it up for who needs one.
    void release() {
        FileInputStream file = held;
        held = null;
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            // It was not even read.
        }
    }
}
