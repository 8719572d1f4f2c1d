package dev.tandem.lab;

import java.util.List;

/// A server that experiments compare: Tandem itself, a rival architecture, or another product.
interface Rival {

    /// Such as `nginx`.
    String name();

    /// Whether it has `/block`, `/db` and `/echo`, and not only `/hello` and files.
    boolean hasCode();

    /// Whether it runs the programs in `cgi-bin`.
    default boolean hasCgi() {
        return false;
    }

    /// Returns its version, on one line.
    ///
    /// @throws LabException if it is not installed; the message says what is missing and how to get
    ///     it
    String version(Toolbox tools) throws LabException, InterruptedException;

    /// Writes its configuration into the plan's folder.
    ///
    /// @return the command that starts it, in the foreground
    /// @throws LabException if it is not installed, or cannot do what is planned
    List<String> command(RivalPlan plan, Environment environment) throws LabException;

    /// Starts it, and waits until it responds to `/hello`.
    ///
    /// @throws LabException if it is not installed, the port is taken, it ends or does not respond;
    ///     the message says which
    default RunningRival start(RivalPlan plan, Environment environment)
            throws LabException, InterruptedException {
        return RunningRival.start(this, plan, environment);
    }
}
