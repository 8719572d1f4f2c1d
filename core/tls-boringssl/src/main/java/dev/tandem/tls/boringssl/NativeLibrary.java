package dev.tandem.tls.boringssl;

import io.netty.internal.tcnative.Buffer;
import io.netty.internal.tcnative.Library;
import io.netty.internal.tcnative.SSL;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// netty-tcnative's native library, loaded once per process.
final class NativeLibrary {
    /// Names a folder with the library, so that it is not extracted at each start. Ignored if it is
    /// not there.
    private static final String PROPERTY = "tandem.native";

    /// Null if it is loaded.
    private static final @Nullable Throwable FAILURE = load();

    private NativeLibrary() {}

    /// Returns null if it is loaded, else the reason why it is not.
    static @Nullable Throwable failure() {
        return FAILURE;
    }

    private static @Nullable Throwable load() {
        try {
            if (!isLoaded()) {
                loadFile();
            }
            Library.initialize("provided", null);
            return null;
        } catch (Exception | LinkageError e) {
            return e;
        }
    }

    /// Netty, in the same application, may have loaded it. Asks a class that needs no native code
    /// to be initialized.
    private static boolean isLoaded() {
        try {
            Buffer.size(ByteBuffer.allocateDirect(1));
            return true;
        } catch (UnsatisfiedLinkError e) {
            return false;
        }
    }

    @SuppressWarnings("restricted") // loading a library is what this class is for
    private static void loadFile() throws IOException {
        String name = name();
        Path extracted = Path.of(System.getProperty(PROPERTY, ""), name).toAbsolutePath();
        if (Files.isRegularFile(extracted)) {
            System.load(extracted.toString());
            return;
        }
        Path folder = Files.createTempDirectory("tandem-tls");
        // The library finds the package of its classes by its own file's name.
        Path file = folder.resolve(name);
        try (InputStream in =
                SSL.class.getClassLoader().getResourceAsStream("META-INF/native/" + name)) {
            if (in == null) {
                throw new IOException("there is no " + name + " on the class path");
            }
            Files.copy(in, file);
            System.load(file.toString());
        } finally {
            Files.deleteIfExists(file); // the process keeps what it has mapped
            Files.delete(folder);
        }
    }

    private static String name() {
        boolean isArm = System.getProperty("os.arch", "").equals("aarch64");
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        return "libnetty_tcnative_" + system + "_" + (isArm ? "aarch_64" : "x86_64") + ".so";
    }
}
