package dev.tandem.files;

import java.util.Optional;
import java.util.ServiceLoader;

/// The provider on the module path or class path, looked for once: an upgrade may have removed its
/// jar when the configuration is loaded again.
final class FoundCache {
    static final Optional<FileCache.Provider> PROVIDER =
            ServiceLoader.load(FileCache.Provider.class, FileCache.Provider.class.getClassLoader())
                    .findFirst();

    private FoundCache() {}
}
