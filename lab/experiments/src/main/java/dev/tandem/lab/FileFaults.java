package dev.tandem.lab;

import dev.tandem.lab.Fault.Bench;
import dev.tandem.lab.Fault.Impossible;
import dev.tandem.lab.Fault.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Disks that are full or read-only, and files that are damaged.
final class FileFaults {
    private static final int UPLOAD = 20_000;
    private static final int SECONDS_MAX = 20;
    private static final FaultLoad.Kind HELLO = FaultLoad.Kind.get("/hello");
    private static final FaultLoad.Kind STORE = FaultLoad.Kind.post("upload", "/upload/", UPLOAD);
    private static final String LOAD =
            "8 clients upload 20 KB, 4 get /hello; logs on the same disk";

    private FileFaults() {}

    static List<Fault> all() {
        return List.of(
                new Fault(
                        "disk-full",
                        LOAD,
                        "uploads fail with 500 or 507 and are stored again when there is room;"
                                + " /hello is served; acknowledged uploads are whole",
                        bench -> disk(bench, false)),
                new Fault("read-only", LOAD, "the same", bench -> disk(bench, true)),
                new Fault(
                        "aot",
                        "a start with an AOT cache of which bytes were changed, and half of one",
                        "it starts without the cache, or the JVM says what is wrong",
                        FileFaults::cache),
                new Fault(
                        "reload",
                        "4 clients get a file; a broken configuration is reloaded, then a good one",
                        "the old one stays in force, the log has a line; no request fails",
                        FileFaults::reload));
    }

    private static void sleep(double seconds) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep((long) (1000 * seconds));
    }

    // ---- Disks.

    private static Outcome disk(Bench bench, boolean isReadOnly)
            throws LabException, InterruptedException, Impossible {
        if (!Kernel.isRoot()) {
            throw new Impossible("needs root, to mount a small file system");
        }
        Path disk = ProcessFaults.folder(bench, "disk");
        mount("mount", "-t", "tmpfs", "-o", "size=24m", "tandem-fault", disk.toString());
        try (var site = FaultSite.start(bench.run(), FaultSite.Start.in(disk.resolve("site")));
                var hello = FaultLoad.start(site.port(), 4, List.of(HELLO));
                var load = FaultLoad.start(site.port(), 8, List.of(STORE))) {
            sleep(0.3);
            if (isReadOnly) {
                // Lazily, since files are open for writing.
                mount("mount", "-o", "remount,ro", disk.toString());
            } else {
                fill(disk.resolve("filler"));
            }
            sleep(Math.min(bench.seconds(), 5));
            int before = load.acknowledged("upload").size();
            double gap = hello.longestGap();
            hello.stop();
            long mark = System.nanoTime();
            if (isReadOnly) {
                mount("mount", "-o", "remount,rw", disk.toString());
            } else {
                delete(disk.resolve("filler"));
            }
            double recovered = Double.POSITIVE_INFINITY;
            while (System.nanoTime() - mark < TimeUnit.SECONDS.toNanos(SECONDS_MAX)) {
                if (load.acknowledged("upload").size() > before) {
                    recovered = (System.nanoTime() - mark) / 1e9;
                    break;
                }
                sleep(0.01);
            }
            load.stop();
            String more =
                    gap < 1 ? "" : "/hello had no response for " + Figures.show(gap, 1) + " s";
            return Fault.outcome(
                    load,
                    "upload",
                    site.uploads(UPLOAD),
                    recovered,
                    more + ProcessFaults.wrong(site));
        } finally {
            mount("umount", "-l", disk.toString());
        }
    }

    private static void mount(String... words)
            throws LabException, InterruptedException, Impossible {
        String said = Toolbox.output(SECONDS_MAX, List.of(words));
        if (!said.isBlank()) {
            String first = said.strip().lines().findFirst().orElse("");
            throw new Impossible(words[0] + ": " + first.replaceAll("/[^ :]*", "the disk"));
        }
    }

    /// Until the disk is full.
    private static void fill(Path file) {
        var piece = new byte[1 << 16];
        for (int i = 0; i < 1_000; i++) {
            try {
                Files.write(file, piece, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                return;
            }
        }
    }

    private static void delete(Path file) throws LabException {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new LabException("cannot delete " + file + ": " + e.getMessage());
        }
    }

    // ---- Damaged files.

    private static Outcome cache(Bench bench)
            throws LabException, InterruptedException, Impossible {
        List<String> words = bench.run().environment().target().words();
        String flag =
                words.stream()
                        .filter(word -> word.startsWith(FaultSite.CACHE))
                        .findFirst()
                        .orElse("");
        if (flag.isEmpty()) {
            throw new Impossible("this JVM was started without a cache: start by ./tandem");
        }
        var happened = new ArrayList<String>();
        boolean isKept = true;
        for (String damage : List.of("bytes in the middle", "bytes of its header", "half of it")) {
            Path damaged = damaged(Path.of(flag.substring(flag.indexOf('=') + 1)), bench, damage);
            FaultSite.Start how =
                    FaultSite.Start.in(bench.folder()).withFlags(FaultSite.CACHE + damaged);
            try (var site = FaultSite.start(bench.run(), how)) {
                happened.add(damage + ": starts, " + site.health());
            } catch (LabException e) {
                happened.add(damage + ": " + e.line());
                isKept = false;
            }
        }
        return new Outcome(isKept, String.join("; ", happened));
    }

    private static Path damaged(Path cache, Bench bench, String damage) throws LabException {
        try {
            byte[] bytes = Files.readAllBytes(cache);
            Path copy = bench.folder().resolve("damaged.aot");
            switch (damage) {
                case "half of it" -> bytes = java.util.Arrays.copyOf(bytes, bytes.length / 2);
                case "bytes of its header" -> flip(bytes, 64, 512);
                default -> flip(bytes, bytes.length / 2, 100_000);
            }
            Files.write(copy, bytes);
            return copy;
        } catch (IOException e) {
            throw new LabException("cannot copy the cache: " + e.getMessage());
        }
    }

    private static void flip(byte[] bytes, int from, int count) {
        for (int i = from; i < from + count && i < bytes.length; i++) {
            bytes[i] ^= 0x5a;
        }
    }

    private static Outcome reload(Bench bench) throws LabException, InterruptedException {
        int port = FreePorts.next();
        Path file = bench.folder().resolve("tandem.toml");
        Path root = bench.folder().resolve("static");
        String good =
                """
                [[listen]]
                address = "127.0.0.1:%d"

                [[site]]
                files = { root = "%s" }
                """
                        .formatted(port, root);
        FaultSite.program(root.resolve("hello"), "ok");
        FaultSite.program(file, good);
        var command = new ArrayList<>(bench.run().environment().target().words());
        command.addAll(List.of("serve", "--config", file.toString()));
        Path log = bench.folder().resolve("log");
        try (var server = Child.start("server", command, port, log)) {
            server.awaitResponse("/hello");
            try (var load = FaultLoad.start(port, 4, List.of(HELLO))) {
                int lines = 0;
                List<String> broken =
                        List.of(
                                "listen = ",
                                "\0\1\2",
                                "[".repeat(50_000),
                                good + "listen = 7\n",
                                "");
                for (String text : broken) {
                    FaultSite.program(file, text);
                    FaultSite.signal("HUP", server.pid());
                    sleep(0.5);
                }
                FaultSite.program(file, good);
                FaultSite.signal("HUP", server.pid());
                sleep(1);
                load.stop();
                lines = (int) Files.readString(log).lines().count();
                server.needsLife();
                boolean isKept = load.failures().equals("none");
                return new Outcome(
                        isKept,
                        "%d broken files; the log has %d lines; %,d good responses, failures: %s"
                                .formatted(broken.size(), lines, load.good(), load.failures()));
            }
        } catch (IOException e) {
            throw new LabException("the log cannot be read: " + e.getMessage());
        }
    }
}
