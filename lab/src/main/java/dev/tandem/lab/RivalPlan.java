package dev.tandem.lab;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/// How a server is started.
///
/// @param port on the loopback, 1 to 65,535
/// @param root the folder whose files are at `/`; programs in its `cgi-bin` are run by servers that
///     have CGI
/// @param folder where the server's configuration and output go; exists
/// @param processors those it may run on; empty for all
/// @param settings what is chosen for it
record RivalPlan(
        int port, Path root, Path folder, List<Integer> processors, RivalSettings settings) {

    /// At a free port, on all processors.
    static RivalPlan of(Path root, Path folder, RivalSettings settings) throws LabException {
        return new RivalPlan(Child.freePort(), root, folder, List.of(), settings);
    }

    RivalPlan onProcessors(List<Integer> some) {
        return new RivalPlan(port, root, folder, List.copyOf(some), settings);
    }

    /// How many processors it has.
    int processorCount() {
        return processors.isEmpty()
                ? Runtime.getRuntime().availableProcessors()
                : processors.size();
    }

    /// The processors as `taskset` takes them, such as `0,1`.
    String processorList() {
        return processors.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
