package dev.tandem.lab;

import java.io.PrintStream;

/// Environment of an experiment.
///
/// @param tools the programs of this machine
/// @param target how a target is started
/// @param out for people to read
record Environment(Toolbox tools, TargetCommand target, PrintStream out) {

    /// @throws LabException if this process's command line is not readable
    static Environment ofProcess(PrintStream out) throws LabException {
        return new Environment(Toolbox.ofProcess(), TargetCommand.ofThisProcess(), out);
    }
}
