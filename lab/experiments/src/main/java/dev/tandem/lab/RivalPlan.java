package dev.tandem.lab;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/// The way a server is started.
///
/// @param port on the loopback, 1 to 65,535
/// @param tlsPort of TLS, if its settings have a certificate; else 0
/// @param root the folder whose files are at `/`; programs in its `cgi-bin` are run by servers that
///     have CGI
/// @param folder where the server's configuration and output go; exists
/// @param processors on which it may run; empty for all
/// @param settings chosen for it
record RivalPlan(
        int port,
        int tlsPort,
        Path root,
        Path folder,
        List<Integer> processors,
        RivalSettings settings) {

    /// Uses free ports and all processors.
    static RivalPlan of(Path root, Path folder, RivalSettings settings) throws LabException {
        int tlsPort = settings.certificate() == null ? 0 : FreePorts.next();
        return new RivalPlan(FreePorts.next(), tlsPort, root, folder, List.of(), settings);
    }

    RivalPlan onProcessors(List<Integer> some) {
        return new RivalPlan(port, tlsPort, root, folder, List.copyOf(some), settings);
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
