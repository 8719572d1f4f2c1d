package dev.tandem.cgi;

import java.util.List;
import java.util.ServiceLoader;

/// The spawners on the module path or class path, looked for once: an upgrade may have removed
/// their jars when the configuration is loaded again.
final class FoundSpawners {
    static final List<Spawner> ALL =
            ServiceLoader.load(Spawner.class, Spawner.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();

    private FoundSpawners() {}
}
