package dev.tandem.lab;

import java.util.List;

/// A server that experiments compare: Tandem itself, a rival architecture, or another product.
interface Rival {

    /// Such as `nginx`.
    String name();

    /// Whether it has `/block`, `/db` and `/echo`, and not only `/hello` and files.
    boolean hasCode();

    /// Whether it runs what is in `cgi-bin`.
    default boolean hasCgi() {
        return false;
    }

    /// What it says of its version, on one line.
    ///
    /// @throws LabException if it is not here: says what is missing and how to get it
    String version(Toolbox tools) throws LabException, InterruptedException;

    /// Writes its configuration into the plan's folder.
    ///
    /// @return what starts it, in the foreground
    /// @throws LabException if it is not here, or cannot do what is planned
    List<String> command(RivalPlan plan, Surroundings around) throws LabException;

    /// Starts it, and waits until it answers `/hello`.
    ///
    /// @throws LabException if it is not here, the port is taken, or it ends or is silent; says so
    default RunningRival start(RivalPlan plan, Surroundings around)
            throws LabException, InterruptedException {
        return RunningRival.start(this, plan, around);
    }
}
