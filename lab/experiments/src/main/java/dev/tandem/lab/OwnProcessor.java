package dev.tandem.lab;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Keeps this process, in which the generator runs, on the load's processor, so that it takes no
/// time from the server: neither by its compiler nor by its collector. Processes started meanwhile
/// need their processors set explicitly.
final class OwnProcessor implements AutoCloseable {
    private static final int SECONDS_MAX = 10;

    private final @Nullable Path taskset;
    private final List<Integer> before;

    private OwnProcessor(@Nullable Path taskset, List<Integer> before) {
        this.taskset = taskset;
        this.before = before;
    }

    /// @param pinning names the processor; without pinning nothing is done
    static OwnProcessor of(Pinning pinning) throws LabException, InterruptedException {
        var own = new OwnProcessor(pinning.taskset(), Kernel.processors());
        own.pin(pinning.load());
        return own;
    }

    private void pin(List<Integer> processors) throws LabException, InterruptedException {
        if (taskset == null) {
            return;
        }
        String list = processors.stream().map(String::valueOf).collect(Collectors.joining(","));
        String pid = Long.toString(ProcessHandle.current().pid());
        Toolbox.output(SECONDS_MAX, List.of(taskset.toString(), "-a", "-c", "-p", list, pid));
    }

    /// Allows all processors again.
    @Override
    public void close() {
        try {
            pin(before);
        } catch (LabException e) {
            // The process continues, slower.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
