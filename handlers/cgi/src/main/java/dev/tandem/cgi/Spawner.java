package dev.tandem.cgi;

import java.io.IOException;

/// Starts programs. One implementation works on every JDK ([JdkSpawner]); the module `cgi-posix`
/// has another that costs less. Thread safe.
public interface Spawner {

    /// The system property that selects a spawner by its name.
    String PROPERTY = "tandem.spawner";

    /// Returns `jdk` or `posix`.
    String name();

    /// Returns whether it works here; false, for example, where native access is not allowed.
    boolean isUsable();

    /// Starts a program as the leader of a new session, and therefore of a process group of its
    /// own, with no open descriptors but its standard streams. No shell is involved.
    ///
    /// @throws IOException if it cannot be started; the message says why
    ScriptProcess start(Program program) throws IOException;

    /// Returns the spawner that works on every JDK.
    static Spawner jdk() {
        return new JdkSpawner();
    }

    /// Returns the spawner named by the system property [#PROPERTY] if that is set, otherwise the
    /// first usable one on the module path or class path, otherwise the JDK's.
    ///
    /// @throws IllegalArgumentException if the property does not name a usable spawner
    static Spawner best() {
        String wanted = System.getProperty(PROPERTY, "");
        if (wanted.equals(JdkSpawner.NAME)) {
            return new JdkSpawner();
        }
        for (Spawner spawner : FoundSpawners.ALL) {
            boolean fits = wanted.isEmpty() || wanted.equals(spawner.name());
            if (fits && spawner.isUsable()) {
                return spawner;
            }
        }
        if (!wanted.isEmpty()) {
            throw new IllegalArgumentException(
                    PROPERTY + " must name a spawner that is usable here, was " + wanted);
        }
        return new JdkSpawner();
    }
}
