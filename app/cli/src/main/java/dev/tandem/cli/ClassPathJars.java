package dev.tandem.cli;

import java.util.Map;

/// The jars of the class path. The JVM opens each when it first needs a class that can be in it;
/// the upgrade of a package removes them while the server of before still runs, perhaps for good,
/// if it would not start with its file. What is open stays readable, for classes alone: resources
/// and services are read from the file, so what runs for long reads them at its start and keeps
/// them.
final class ClassPathJars {
    /// By which systemd marks the processes of a unit. Others are not upgraded while they run, and
    /// may have few descriptors.
    private static final String SERVICE = "INVOCATION_ID";

    /// In no jar, so that each is searched.
    private static final String MISSING = "dev/tandem/cli/in-no-jar";

    private ClassPathJars() {}

    /// Opens all jars if this process is a service. A failure, such as a lack of memory, is no
    /// reason to end it.
    static void openInService(Map<String, String> environment, ClassLoader loader) {
        if (!environment.containsKey(SERVICE)) {
            return;
        }
        try {
            var _ = loader.getResource(MISSING);
        } catch (RuntimeException | Error _) {
            // Each is opened when it is needed.
        }
    }
}
