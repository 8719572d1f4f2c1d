package dev.tandem.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Processors of the server and of its load: others each, so that neither takes the other's time.
/// Without pinning if there is only one.
///
/// @param taskset the program that pins; null to leave it to the kernel
record Pinning(@Nullable Path taskset, int server, List<Integer> load) {

    static final Pinning NONE = new Pinning(null, -1, List.of());

    /// The first two processors that this process may use.
    ///
    /// @throws LabException if there are two, but no program to choose between them
    static Pinning of(Toolbox tools) throws LabException {
        List<Integer> processors = Kernel.processors();
        if (processors.size() < 2) {
            return NONE;
        }
        Path taskset = tools.need("taskset", "apt-get install util-linux");
        return new Pinning(taskset, processors.get(0), List.of(processors.get(1)));
    }

    List<String> onServer(List<String> command) {
        return on(Integer.toString(server), command);
    }

    List<String> onClient(List<String> command) {
        return on(loadList(), command);
    }

    /// @param processors as `taskset` takes them
    List<String> on(String processors, List<String> command) {
        if (taskset == null) {
            return command;
        }
        var pinned = new ArrayList<String>();
        pinned.addAll(List.of(taskset.toString(), "-c", processors));
        pinned.addAll(command);
        return pinned;
    }

    /// The load's processors as `taskset` takes them, such as `2,3`; empty without pinning.
    String loadList() {
        return load.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /// The server's processor, for a [RivalPlan]; empty without pinning.
    List<Integer> serverList() {
        return taskset == null ? List.of() : List.of(server);
    }

    /// How many processors the server sees.
    int serverProcessors() {
        return taskset == null ? Runtime.getRuntime().availableProcessors() : 1;
    }

    @Override
    public String toString() {
        return taskset == null
                ? "one processor, shared by server and load: figures are too high"
                : "server on processor "
                        + server
                        + (load.size() == 1 ? ", load on processor " : ", load on processors ")
                        + loadList();
    }
}
