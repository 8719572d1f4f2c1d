package dev.tandem.lab;

import java.io.PrintStream;

/// What an experiment works with.
///
/// @param tools the programs of this machine
/// @param target how a target is started
/// @param out for people to read
record Surroundings(Toolbox tools, TargetCommand target, PrintStream out) {

    /// @throws LabException if this process does not tell how it was started
    static Surroundings ofProcess(PrintStream out) throws LabException {
        return new Surroundings(Toolbox.ofProcess(), TargetCommand.ofThisProcess(), out);
    }
}
