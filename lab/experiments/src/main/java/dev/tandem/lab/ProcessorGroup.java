package dev.tandem.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A control group with a part of a processor, for servers; of version 1 or 2, depending on
/// which has the controller here. Needs root. Removed when closed, after the server has ended.
final class ProcessorGroup implements AutoCloseable {
    /// 20 ms, a fifth of the kernel's default: a server that has used its part waits for a few
    /// milliseconds, as on a slow processor, and not for a tenth of a second.
    private static final int PERIOD_MICROS = 20_000;

    private static final int REMOVALS_MAX = 50;

    /// Those that were made and not removed: a signal ends this process without closing them.
    private static final Set<ProcessorGroup> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.forEach(ProcessorGroup::close)));
    }

    private final Path group;
    private final boolean isSecond;

    private ProcessorGroup(Path group, boolean isSecond) {
        this.group = group;
        this.isSecond = isSecond;
    }

    /// @param name unique in this process
    /// @throws LabException if this machine does not allow it; says why
    static ProcessorGroup make(String name) throws LabException {
        String unique = "tandem-lab-" + ProcessHandle.current().pid() + "-" + name;
        try {
            Path own = ControlGroup.own("cpu");
            if (own != null) {
                return open(own.resolve(unique), false);
            }
            Path both = ControlGroup.own("");
            if (both == null
                    || !Files.readString(both.resolve("cgroup.controllers")).contains("cpu")) {
                throw new LabException("needs control groups for processors");
            }
            Files.writeString(both.resolve("cgroup.subtree_control"), "+cpu");
            return open(both.resolve(unique), true);
        } catch (IOException e) {
            throw new LabException(
                    "cannot make control groups, which needs root: " + e.getMessage());
        }
    }

    private static ProcessorGroup open(Path group, boolean isSecond) throws IOException {
        var made = new ProcessorGroup(Files.createDirectories(group), isSecond);
        OPEN.add(made);
        return made;
    }

    /// @param processors that the group may use, over 0
    void limit(double processors) throws LabException {
        long micros = Math.max(1_000, Math.round(processors * PERIOD_MICROS));
        try {
            if (isSecond) {
                Files.writeString(group.resolve("cpu.max"), micros + " " + PERIOD_MICROS);
            } else {
                Files.writeString(group.resolve("cpu.cfs_period_us"), "" + PERIOD_MICROS);
                Files.writeString(group.resolve("cpu.cfs_quota_us"), "" + micros);
            }
        } catch (IOException e) {
            throw new LabException("cannot limit processors: " + e.getMessage());
        }
    }

    /// Returns a command that runs in the group from its first instruction on: a JVM counts its
    /// processors once.
    List<String> around(List<String> command) {
        var words = new ArrayList<String>();
        words.addAll(List.of("sh", "-c", "echo $$ >\"$0\" && exec \"$@\""));
        words.add(group.resolve("cgroup.procs").toString());
        words.addAll(command);
        return words;
    }

    /// Moves a running process into the group, with its threads.
    void add(long pid) throws LabException {
        try {
            Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
        } catch (IOException e) {
            throw new LabException("cannot limit processors of " + pid + ": " + e.getMessage());
        }
    }

    @Override
    public void close() {
        for (int i = 0; i < REMOVALS_MAX; i++) {
            try {
                Files.deleteIfExists(group);
                OPEN.remove(this);
                return;
            } catch (IOException e) {
                // Its last process is ending.
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
