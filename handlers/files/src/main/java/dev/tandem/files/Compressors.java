package dev.tandem.files;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/// The codings available for compression: gzip by the JDK, and those of installed [Compressor]s.
/// Thread safe.
final class Compressors {
    /// The default of zlib and of other servers.
    private static final int GZIP_LEVEL = 6;

    private static final Map<Coding, Compressor> INSTALLED = new ConcurrentHashMap<>();

    private static final AtomicBoolean IS_LOADED = new AtomicBoolean();

    private static final AtomicBoolean IS_LOGGED = new AtomicBoolean();

    static {
        try {
            for (Compressor compressor :
                    ServiceLoader.load(Compressor.class, Compressor.class.getClassLoader())) {
                INSTALLED.putIfAbsent(compressor.coding(), compressor);
            }
        } catch (ServiceConfigurationError e) { // an upgrade has removed the jar, for example
            Log.LOG.log(Level.WARNING, "only gzip compresses files: " + e);
        }
    }

    private Compressors() {}

    /// Has what the codings need found and loaded, in the background. At the start, since an
    /// upgrade may have removed the jars when the first file is compressed.
    ///
    /// @param made the configured codings
    static void load(List<Coding> made) {
        if (made.stream().allMatch(Coding.GZIP::equals) || IS_LOADED.getAndSet(true)) {
            return;
        }
        Thread.ofVirtual().name("tandem-compressors").start(() -> load());
    }

    /// By compressing: a compressor loads its native library then.
    private static void load() {
        for (Coding coding : INSTALLED.keySet()) {
            try {
                compress(coding, new byte[1]);
            } catch (IOException e) {
                Log.LOG.log(Level.WARNING, coding.token() + " failed: " + e);
            }
        }
    }

    static boolean has(Coding coding) {
        return coding == Coding.GZIP || INSTALLED.containsKey(coding);
    }

    /// Logs once in this process how files are compressed and kept: when a page cache is opened, or
    /// else when the first file is compressed, since setting logging up takes as long as the rest
    /// of a start.
    ///
    /// @param made the configured codings
    static void log(List<Coding> made, @Nullable FileCache cache) {
        if (made.isEmpty() && cache == null || IS_LOGGED.getAndSet(true)) {
            return;
        }
        List<String> usable = made.stream().filter(Compressors::has).map(Coding::token).toList();
        List<String> missing = made.stream().filter(c -> !has(c)).map(Coding::token).toList();
        Log.LOG.log(
                Level.INFO,
                "compression: "
                        + (usable.isEmpty() ? "none" : String.join(", ", usable))
                        + (missing.isEmpty()
                                ? ""
                                : " (not " + missing + ": tandem-page-cache is not installed)")
                        + "; page cache: "
                        + (cache == null ? "none" : cache.description()));
    }

    /// Compresses a file; null if that fails.
    static byte @Nullable [] compress(Coding coding, byte[] content) throws IOException {
        if (coding == Coding.GZIP) {
            return gzip(content);
        }
        Compressor compressor = INSTALLED.get(coding);
        try {
            return compressor == null ? null : compressor.compress(content);
        } catch (LinkageError e) {
            // The native library is not available for every machine.
            if (INSTALLED.remove(coding, compressor)) {
                Log.LOG.log(Level.WARNING, "no " + coding.token() + ": " + e);
            }
        } catch (RuntimeException e) {
            Log.LOG.log(Level.WARNING, coding.token() + " failed: " + e);
        }
        return null;
    }

    private static byte[] gzip(byte[] content) throws IOException {
        var out = new ByteArrayOutputStream(content.length / 3 + 64);
        try (var gzip =
                new GZIPOutputStream(out) {
                    {
                        def.setLevel(GZIP_LEVEL);
                    }
                }) {
            gzip.write(content);
        }
        return out.toByteArray();
    }
}
