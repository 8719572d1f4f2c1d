package dev.tandem.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// The compared servers: each is started on first use, and runs until the end. Confined to one
/// thread.
final class Lineup implements AutoCloseable {
    /// A server is calm if it uses less than a fifth of a processor for this time.
    private static final int CALM_MILLIS = 300;

    private static final double CALM_SHARE = 0.2;
    private static final int CALM_SECONDS_MAX = 5;

    private final Run run;
    private final WorkFolder workFolder;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Map<String, String> others = new LinkedHashMap<>();
    private final Map<String, RunningRival> running = new LinkedHashMap<>();
    private final Set<String> warm = new HashSet<>();

    /// A contender.
    ///
    /// @param root the folder of its files
    /// @param processors on which it runs; empty for all
    record Entry(Rival rival, Path root, List<Integer> processors, RivalSettings settings) {}

    Lineup(Run run, WorkFolder workFolder) throws LabException {
        this.run = run;
        this.workFolder = workFolder;
        open(workFolder.folder());
    }

    /// Servers that root starts change to another user, which must be able to read the files.
    static void open(Path folder) throws LabException {
        try {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new LabException("cannot open " + folder + " to others: " + e.getMessage());
        }
    }

    /// @param name such as `tandem`; unique
    void add(String name, Entry entry) {
        entries.put(name, entry);
    }

    /// Adds the same server under another name, for other conditions.
    void same(String name, String as) {
        others.put(name, as);
    }

    private String server(String name) {
        return others.getOrDefault(name, name);
    }

    /// In the order in which they were added.
    List<String> names() {
        return List.copyOf(entries.keySet());
    }

    Entry entry(String name) {
        Entry entry = entries.get(server(name));
        if (entry == null) {
            throw new IllegalStateException("no " + name + " in the lineup");
        }
        return entry;
    }

    boolean isRunning(String name) {
        return running.containsKey(server(name));
    }

    /// Marks a server as warm until it ends.
    ///
    /// @return whether it was not: the caller must load it until it is
    boolean markWarm(String name) {
        return warm.add(server(name));
    }

    /// @throws LabException if it cannot be started, or has ended since
    RunningRival running(String by) throws LabException, InterruptedException {
        String name = server(by);
        RunningRival known = running.get(name);
        if (known != null) {
            known.needsLife();
            return known;
        }
        RunningRival started = start(name);
        running.put(name, started);
        return started;
    }

    private RunningRival start(String name) throws LabException, InterruptedException {
        Entry entry = entry(name);
        RivalPlan plan =
                RivalPlan.of(entry.root, folder(name), settings(name, entry))
                        .onProcessors(entry.processors);
        run.command(name, entry.rival.command(plan, run.environment()));
        return entry.rival.start(plan, run.environment());
    }

    private RivalSettings settings(String name, Entry entry) throws LabException {
        if (!run.isTraced() || !entry.rival.name().equals(OwnRival.TANDEM.name())) {
            return entry.settings;
        }
        int port = FreePorts.next();
        run.tracing().serves(name, port);
        return entry.settings.withManagePort(port);
    }

    private Path folder(String name) throws LabException {
        Path folder = workFolder.folder().resolve(name.replaceAll("[^a-z0-9]+", "-"));
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new LabException("cannot make " + folder + ": " + e.getMessage());
        }
        open(folder);
        return folder;
    }

    /// Waits until a server has finished the work that earlier clients left: until it uses little
    /// of its processor, or is restarted.
    void calm(String name) throws LabException, InterruptedException {
        RunningRival server = running(name);
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(CALM_SECONDS_MAX);
        double before = server.cpuSeconds();
        while (System.nanoTime() - until < 0) {
            Thread.sleep(CALM_MILLIS);
            double now = server.cpuSeconds();
            if (now - before < CALM_SHARE * CALM_MILLIS / 1e3) {
                return;
            }
            before = now;
        }
        end(name);
    }

    /// Stops a server, so that it takes no memory from others.
    void end(String name) {
        warm.remove(server(name));
        RunningRival one = running.remove(server(name));
        if (one != null) {
            one.close();
        }
    }

    @Override
    public void close() {
        names().forEach(this::end);
    }
}
