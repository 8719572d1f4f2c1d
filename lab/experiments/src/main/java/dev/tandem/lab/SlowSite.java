package dev.tandem.lab;

import java.nio.file.Path;
import java.util.Map;

/// A server that has little memory and a slow disk. To be closed.
interface SlowSite extends AutoCloseable {

    int port();

    /// @param bytesPerSecond that the disk gives from now on
    void limitDisk(long bytesPerSecond) throws LabException;

    /// What it has used until now.
    Use use() throws LabException;

    @Override
    void close();

    /// @param cpuSeconds of the server; NaN where they cannot be told from the lab's own
    /// @param diskBytes read
    /// @param memoryBytes now, with what the kernel keeps of files; NaN where that is not counted
    /// @param cache the page cache's figures by their names in `/metrics`; empty if there is none
    record Use(double cpuSeconds, double diskBytes, double memoryBytes, Map<String, Double> cache) {

        /// By how much a figure of the cache grew.
        double gained(Use before, String name) {
            return of(name, 0) - before.of(name, 0);
        }

        double of(String name, double fallback) {
            return cache.getOrDefault(name, fallback);
        }
    }

    /// Starts one.
    interface Starter {
        /// @param root the folder whose files it serves
        /// @throws LabException if that form cannot be had so; says why
        SlowSite start(PageForm form, Path root) throws LabException, InterruptedException;

        /// What limits it, for the report.
        String limits();
    }
}
