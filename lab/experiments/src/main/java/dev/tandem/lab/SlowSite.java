package dev.tandem.lab;

import java.nio.file.Path;
import java.util.Map;

/// A server with little memory and a slow disk. To be closed.
interface SlowSite extends AutoCloseable {

    int port();

    /// @param bytesPerSecond rate of the disk from now on
    void limitDisk(long bytesPerSecond) throws LabException;

    /// Returns its resource use so far.
    Use use() throws LabException;

    @Override
    void close();

    /// @param cpuSeconds of the server; NaN where they cannot be separated from the lab's own
    /// @param diskBytes read
    /// @param memoryBytes now, including the kernel's page cache; NaN where that is not counted
    /// @param cache the page cache's figures by their names in `/metrics`; empty if there is none
    record Use(double cpuSeconds, double diskBytes, double memoryBytes, Map<String, Double> cache) {

        /// Returns the growth of a cache figure.
        double gained(Use before, String name) {
            return of(name, 0) - before.of(name, 0);
        }

        double of(String name, double fallback) {
            return cache.getOrDefault(name, fallback);
        }
    }

    /// Starts a site.
    interface Starter {
        /// @param root the folder whose files it serves
        /// @throws LabException if this form is not possible here; the message says why
        SlowSite start(PageForm form, Path root) throws LabException, InterruptedException;

        /// Its limits, for the report.
        String limits();
    }
}
