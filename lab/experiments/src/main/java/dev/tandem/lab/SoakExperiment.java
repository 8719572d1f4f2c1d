package dev.tandem.lab;

import dev.tandem.lab.SoakSeries.Figure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Loads a server with clients of all kinds for hours, reloads it all the while, and reads what it
/// holds: whatever grows is a leak.
final class SoakExperiment {
    private static final Setting MINUTES = new Setting("minutes", "N", "120", "2", "how long");
    private static final Setting WARM =
            new Setting("warm", "N", "20", "0.5", "minutes that do not count");
    private static final Setting RATE =
            new Setting("rate", "N", "15", "runs of clients in a second");

    static final Experiment EXPERIMENT =
            new Experiment(
                    "soak",
                    "looks for leaks under clients of all kinds, and reloads",
                    List.of(
                            "Loads tandem serve with HTTP/1.1, HTTP/2, TLS, WebSocket, events,",
                            "uploads and clients that disconnect; reloads it each minute with",
                            "another certificate. Fails on a wrong response, and on growth."),
                    new Experiment.Terms(
                            List.of(MINUTES, WARM, RATE), List.of(), 150, 120 * 60 + 60),
                    SoakExperiment::run);

    /// A reload and a collection each.
    private static final double ROUND_SECONDS_MAX = 60;

    private static final int ROUNDS_MIN = 12;
    private static final int READINGS = 6;
    private static final int CLASSES_SHOWN = 12;
    private static final String SERVER = "server";
    private static final String TARGET = "target";
    private static final String PROBE = "probe";
    private static final String RELOADS = "reloads";

    private final Run run;
    private final SoakSite site;
    private final Course course;
    private final SoakTallies tallies;
    private final SoakSeries series = new SoakSeries();
    private final SoakLog log;

    /// Processor time when the warm-up ended; negative before.
    private double warmTicks = -1;

    private final Map<String, JvmMemory> warm = new LinkedHashMap<>();
    private final Map<String, JvmMemory> last = new LinkedHashMap<>();

    private SoakExperiment(Run run, SoakSite site, Course course, SoakTallies tallies) {
        this.run = run;
        this.site = site;
        this.course = course;
        this.tallies = tallies;
        this.log = new SoakLog(site.accessLog());
    }

    /// @param seconds of the whole soak
    /// @param warmSeconds of its beginning, that do not count
    /// @param roundSeconds between two reloads, and two collections; six readings are made in it
    /// @param rate runs of clients in a second
    record Course(double seconds, double warmSeconds, double roundSeconds, double rate) {}

    static void run(Run run) throws LabException, InterruptedException {
        double seconds = 60 * run.settings().decimal(MINUTES, 0.5, 7 * 24 * 60);
        double warm = 60 * run.settings().decimal(WARM, 0, 24 * 60);
        double rate = run.settings().decimal(RATE, 0.1, 10_000);
        if (warm > seconds / 2) {
            throw new IllegalArgumentException("--warm must be at most half of --minutes");
        }
        double round = Math.min(ROUND_SECONDS_MAX, seconds / ROUNDS_MIN);
        for (Headline line : soak(new Course(seconds, warm, round, rate), run)) {
            if (line.verdict().equals("no")) {
                run.complain("the soak failed: " + line.name() + " is " + line.shown());
            }
        }
    }

    /// @return the headline figures
    /// @throws LabException if a server ends
    static List<Headline> soak(Course course, Run run) throws LabException, InterruptedException {
        Kernel.need();
        Toolbox.jcmd();
        Map<String, String> machine = Machine.describe(run.environment(), Pinning.NONE);
        machine.remove("pinning");
        run.facts(machine);
        try (WorkFolder work = WorkFolder.make()) {
            var contents = new SoakContents(work);
            try (SoakSite site = SoakSite.start(run, work)) {
                Map<String, SoakClient> kinds = kinds(site.place(), contents);
                var names = new ArrayList<>(kinds.keySet());
                names.addAll(List.of(PROBE, RELOADS));
                var tallies = SoakTallies.of(names);
                var soak = new SoakExperiment(run, site, course, tallies);
                return soak.soak(kinds, contents);
            } finally {
                keepLogs(run, work);
            }
        }
    }

    static Map<String, SoakClient> kinds(SoakPlace place, SoakContents contents) {
        var kinds = new LinkedHashMap<String, SoakClient>();
        kinds.putAll(new SoakClients(place, contents).kinds());
        kinds.putAll(new SoakTlsClients(place, contents).kinds());
        kinds.putAll(new SoakHttp2Clients(place, contents).kinds());
        kinds.putAll(new SoakWebSocketClients(place).kinds());
        return kinds;
    }

    private static void keepLogs(Run run, WorkFolder work) throws LabException {
        try {
            for (String name : List.of(SERVER, TARGET)) {
                if (Files.exists(work.log(name))) {
                    Files.createDirectories(run.folder());
                    Files.copy(
                            work.log(name),
                            run.folder().resolve(name + ".log"),
                            StandardCopyOption.REPLACE_EXISTING);
                }
            }
        } catch (IOException e) {
            throw new LabException("cannot keep the servers' logs: " + e.getMessage());
        }
    }

    private List<Headline> soak(Map<String, SoakClient> kinds, SoakContents contents)
            throws LabException, InterruptedException {
        run.plan(course.seconds);
        try (var load = new SoakLoad(kinds, tallies, course.rate, run.seed());
                var probe = new SoakProbe(site.place(), contents, tallies.of(PROBE));
                var rotation = new SoakRotation(site, contents, tallies.of(RELOADS))) {
            long began = System.nanoTime();
            long step = (long) (course.roundSeconds * 1e9 / READINGS);
            int readings = (int) Math.ceil(course.seconds * 1e9 / step);
            for (int i = 1; i <= readings; i++) {
                TimeUnit.NANOSECONDS.sleep(began + i * step - System.nanoTime());
                double seconds = (System.nanoTime() - began) / 1e9;
                read(seconds, probe);
                if (i % READINGS == 0) {
                    collect(seconds);
                    run.step(course.roundSeconds, said());
                    run.keep(findings(seconds));
                }
                if (i % READINGS == READINGS / 2) {
                    rotation.rotate();
                }
            }
            load.stop();
            Findings findings = findings(course.seconds);
            run.keep(findings);
            return findings.headline();
        }
    }

    private String said() {
        return "%s runs, %s failed"
                .formatted(Figures.show(tallies.runs(), 0), Figures.show(tallies.failed(), 0));
    }

    private Map<String, Child> processes() {
        var processes = new LinkedHashMap<String, Child>();
        processes.put(SERVER, site.server());
        processes.put(TARGET, site.target());
        return processes;
    }

    private void read(double seconds, SoakProbe probe) throws LabException {
        double ticks = 0;
        for (var entry : processes().entrySet()) {
            String of = entry.getKey();
            Child process = entry.getValue();
            process.needsLife();
            series.add(seconds, Figure.DESCRIPTORS, of, Kernel.descriptorCount(process.pid()));
            series.add(seconds, Figure.THREADS, of, Kernel.threadCount(process.pid()));
            series.add(seconds, Figure.MAPPINGS, of, Kernel.mappingCount(process.pid()));
            series.add(seconds, Figure.RESIDENT, of, Kernel.residentBytes(process.pid()));
            ticks += process.cpuTicks();
        }
        if (seconds >= course.warmSeconds && warmTicks < 0) {
            warmTicks = ticks;
        }
        long[] times = probe.take();
        series.add(seconds, Figure.MEDIAN, PROBE, SoakProbe.quantile(times, 0.5));
        series.add(seconds, Figure.P99, PROBE, SoakProbe.quantile(times, 0.99));
        log.look();
    }

    /// Collects garbage, and reads what is left.
    private void collect(double seconds) throws LabException, InterruptedException {
        for (var entry : processes().entrySet()) {
            JvmMemory memory = JvmMemory.of(entry.getValue());
            series.add(seconds, Figure.HEAP, entry.getKey(), memory.heapBytes());
            if (memory.nativeBytes() != JvmMemory.UNKNOWN) {
                series.add(seconds, Figure.NATIVE, entry.getKey(), memory.nativeBytes());
            }
            if (seconds >= course.warmSeconds) {
                warm.putIfAbsent(entry.getKey(), memory);
                last.put(entry.getKey(), memory);
            }
        }
    }

    private Findings findings(double seconds) throws LabException {
        double ticks = site.server().cpuTicks() + site.target().cpuTicks() - warmTicks;
        double share =
                warmTicks < 0 || seconds <= course.warmSeconds
                        ? Double.NaN
                        : ticks / Kernel.TICKS_PER_SECOND / (seconds - course.warmSeconds);
        Findings findings =
                new SoakFindings(
                                tallies,
                                series,
                                course.warmSeconds,
                                SoakFindings.counts(log, site.place().reloads().get(), share))
                        .findings();
        for (var entry : last.entrySet()) {
            @Nullable JvmMemory before = warm.get(entry.getKey());
            if (before != null) {
                JvmMemory after = entry.getValue();
                findings.table(
                                "Classes that grew, " + entry.getKey(),
                                growth("class", after.growth(before, CLASSES_SHOWN)))
                        .table(
                                "The JVM's areas of memory that grew, " + entry.getKey(),
                                growth("area", after.areaGrowth(before)));
            }
        }
        handshakes(findings);
        return findings;
    }

    private static Table growth(String of, List<Map.Entry<String, Long>> growth) {
        var table = new Table(of, "bytes more than after the warm-up");
        for (var entry : growth) {
            table.row(entry.getKey(), Figures.show(entry.getValue(), 0));
        }
        return table;
    }

    private void handshakes(Findings findings) {
        var table = new Table("metric", "value");
        try (var caller = Caller.connect(site.manage())) {
            String text = new String(caller.get("/metrics").body(), StandardCharsets.UTF_8);
            text.lines()
                    .filter(line -> line.startsWith("tandem_tls_") && line.contains("_total"))
                    .forEach(
                            line -> {
                                int space = line.lastIndexOf(' ');
                                table.row(line.substring(0, space), line.substring(space + 1));
                            });
            findings.table("TLS, as the server counts", table);
        } catch (IOException e) {
            findings.note("The server gave no metrics: " + e.getMessage());
        }
    }
}
