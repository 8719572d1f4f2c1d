package dev.tandem.pagecache;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.regex.Pattern;

/// Engines by the names of the setting `engine`. Safe for use by any thread.
public final class Engines {
    private static final System.Logger LOG = System.getLogger("dev.tandem.pagecache");

    /// The cache's own background threads and the workers of the server.
    public static final String CACHE = "cache";

    private static final String WORKERS = "workers";
    private static final String HELPER = "helper";
    private static final String AUTO = "auto";

    /// Of another artifact, which the message for users names.
    private static final String GPU = "gpu";

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");

    private Engines() {}

    /// Returns a name of the setting.
    ///
    /// @throws IllegalArgumentException if it has not the form of a name
    public static String checked(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "an engine's name has a to z, 0 to 9 and -, was '" + name + "'");
        }
        return name;
    }

    /// Opens an engine, to be closed by the caller.
    ///
    /// @param name `cache`, `workers` (as many threads as half of the processors), `helper` (one
    ///     process, which compresses), `auto` (the first engine of other modules that works on this
    ///     machine, otherwise `cache`), or the name of another module's engine, such as `gpu`
    /// @param pageBytes as [CacheOptions#pageBytes()]
    /// @throws IllegalArgumentException if there is no such engine; names those that there are
    /// @throws IllegalStateException if it cannot work on this machine; the message says why
    public static CompressionEngine open(String name, PageCodec codec, int pageBytes) {
        return switch (name) {
            case CACHE -> CompressionEngine.of(codec);
            case WORKERS -> CompressionEngine.workers(codec, workers());
            case HELPER -> CompressionEngine.helper(codec, HelperOptions.DEFAULT);
            case AUTO -> first(codec, pageBytes).orElseGet(() -> CompressionEngine.of(codec));
            default -> installed(name).open(codec, pageBytes);
        };
    }

    private static int workers() {
        return Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 64);
    }

    private static Optional<CompressionEngine> first(PageCodec codec, int pageBytes) {
        for (EngineProvider provider : providers()) {
            try {
                return Optional.of(provider.open(codec, pageBytes));
            } catch (IllegalArgumentException | IllegalStateException e) {
                LOG.log(
                        Level.INFO,
                        "page cache: not by the engine " + provider.name() + ": " + e.getMessage());
            }
        }
        return Optional.empty();
    }

    private static EngineProvider installed(String name) {
        var names = new ArrayList<>(List.of(CACHE, WORKERS, HELPER, AUTO));
        for (EngineProvider provider : providers()) {
            if (provider.name().equals(name)) {
                return provider;
            }
            names.add(provider.name());
        }
        String hint = name.equals(GPU) ? "; gpu is in tandem-page-cache-gpu" : "";
        throw new IllegalArgumentException(
                "the engine must be one of "
                        + String.join(", ", names)
                        + ", was '"
                        + name
                        + "'"
                        + hint);
    }

    private static List<EngineProvider> providers() {
        return Found.PROVIDERS;
    }

    /// Looked for once: an upgrade may have removed their jars when the configuration is loaded
    /// again.
    private static final class Found {
        private static final List<EngineProvider> PROVIDERS =
                ServiceLoader.load(EngineProvider.class, Engines.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
    }
}
