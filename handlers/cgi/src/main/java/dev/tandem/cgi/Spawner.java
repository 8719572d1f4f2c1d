package dev.tandem.cgi;

import java.io.IOException;
import java.util.ServiceLoader;

/// A way to start programs. One is in every JDK ([JdkSpawner]); the `cgi-posix` room brings another
/// that costs less. Safe for use by any thread.
public interface Spawner {

    /// The system property that forces a spawner by its name.
    String PROPERTY = "tandem.spawner";

    /// `jdk` or `posix`.
    String name();

    /// Whether it works here; false, for example, where native access is not allowed.
    boolean isUsable();

    /// Starts a program as the leader of a new session, so also of a process group of its own, with
    /// nothing open but its standard streams. No shell has part in it.
    ///
    /// @throws IOException if it cannot be started; says why
    ScriptProcess start(Program program) throws IOException;

    /// The one that is in every JDK.
    static Spawner jdk() {
        return new JdkSpawner();
    }

    /// The one named by the system property [#PROPERTY] if that is set, else the first usable one
    /// that the module path or class path offers, else the JDK's.
    ///
    /// @throws IllegalArgumentException if the property names none that is usable here
    static Spawner best() {
        String wanted = System.getProperty(PROPERTY, "");
        if (wanted.equals(JdkSpawner.NAME)) {
            return new JdkSpawner();
        }
        for (Spawner spawner : ServiceLoader.load(Spawner.class, Spawner.class.getClassLoader())) {
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
