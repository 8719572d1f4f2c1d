package dev.tandem.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A server in a [ControlGroup].
///
/// @param manage the port of its management, which serves its figures
record ControlGroupSite(ControlGroup cage, Child child, int port, int manage) implements SlowSite {
    /// JVM flags for a small container: all caches get the same. A heap grows up to its limit,
    /// whatever the live set. Without the last flag, the C library keeps 40 MB that the JIT
    /// compiler has freed.
    private static final List<String> FLAGS =
            List.of(
                    "-Xmx32m",
                    "-XX:+UseSerialGC",
                    "-XX:MaxDirectMemorySize=64m",
                    "-XX:TrimNativeHeapInterval=5000");

    private static final Pattern FIGURE = Pattern.compile("(?m)^tandem_page_cache_(\\w+) (\\S+)$");

    /// @param mebibytes of the whole control group
    /// @param forPages how many of them are for pages
    record Starting(Run run, Pinning pinning, WorkFolder workFolder, int mebibytes, int forPages)
            implements Starter {

        @Override
        public SlowSite start(PageForm form, Path root) throws LabException, InterruptedException {
            ControlGroup cage = ControlGroup.make(root);
            try {
                return startIn(cage, form, root);
            } catch (LabException | InterruptedException | RuntimeException e) {
                cage.close();
                throw e;
            }
        }

        /// Starts a server in a group that may have had others.
        ControlGroupSite startIn(ControlGroup cage, PageForm form, Path root)
                throws LabException, InterruptedException {
            int port = FreePorts.next();
            int manage = FreePorts.next();
            TargetCommand target = run.environment().target();
            for (String flag : FLAGS) {
                target = target.with(flag);
            }
            var command = new ArrayList<>(target.words());
            command.addAll(List.of("serve", root.toString()));
            command.addAll(List.of("--listen", "127.0.0.1:" + port));
            command.addAll(List.of("--manage", "127.0.0.1:" + manage));
            command.addAll(form.words(forPages));
            run.command(form.name(), command);
            cage.limitMemory((long) mebibytes << 20);
            List<String> words = pinning.onServer(command);
            Child child = Child.start(form.name(), words, port, workFolder.log(form.name()));
            var site = new ControlGroupSite(cage, child, port, manage);
            site.enter();
            return site;
        }

        @Override
        public String limits() {
            try (ControlGroup cage = ControlGroup.make(workFolder.root())) {
                return "control groups of version " + cage.version();
            } catch (LabException e) {
                return "none: " + e.line();
            }
        }
    }

    private void enter() throws LabException, InterruptedException {
        try {
            cage.add(child.pid());
            child.awaitResponse(SupportFiles.ANY);
        } catch (LabException | InterruptedException e) {
            child.close();
            throw e;
        }
    }

    @Override
    public void limitDisk(long bytesPerSecond) throws LabException {
        cage.limitDisk(bytesPerSecond);
    }

    @Override
    public Use use() throws LabException {
        return new Use(
                child.cpuTicks() / Kernel.TICKS_PER_SECOND,
                cage.diskBytes(),
                cage.memoryBytes(),
                metrics());
    }

    private Map<String, Double> metrics() throws LabException {
        try (var caller = Caller.connect(manage)) {
            String text = new String(caller.get("/metrics").body(), StandardCharsets.UTF_8);
            var values = new LinkedHashMap<String, Double>();
            Matcher line = FIGURE.matcher(text);
            while (line.find()) {
                values.put(line.group(1), Double.parseDouble(line.group(2)));
            }
            return values;
        } catch (IOException e) {
            throw new LabException("cannot ask for metrics: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        child.close();
        cage.close();
    }
}
