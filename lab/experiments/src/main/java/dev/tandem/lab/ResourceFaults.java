package dev.tandem.lab;

import dev.tandem.lab.Fault.Bench;
import dev.tandem.lab.Fault.Impossible;
import dev.tandem.lab.Fault.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Memory, descriptors, peers and clocks that fail.
final class ResourceFaults {
    private static final int HALF_OPEN = 3_000;
    private static final FaultLoad.Kind HELLO = FaultLoad.Kind.get("/hello");
    private static final FaultLoad.Kind JOURNAL = FaultLoad.Kind.post("journal", "/journal/", 0);
    private static final String JOURNAL_LOAD = "8 clients write a journal and get /hello";

    private ResourceFaults() {}

    static List<Fault> all() {
        return List.of(
                new Fault(
                        "descriptors",
                        JOURNAL_LOAD + "; 200 connections more than the server's 128 descriptors",
                        "idle ones are closed; it serves again at once; nothing is lost",
                        ResourceFaults::descriptors),
                new Fault(
                        "half-open",
                        JOURNAL_LOAD + "; 3,000 clients ask for 1 MiB and never read nor close",
                        "others are served; the silent ones are closed or evicted",
                        ResourceFaults::halfOpen),
                exhaustion("heap", "-Xmx64m"),
                exhaustion("direct", "-XX:MaxDirectMemorySize=32m"),
                exhaustion("metaspace", "-XX:MaxMetaspaceSize=64m"),
                new Fault(
                        "clock",
                        JOURNAL_LOAD + "; the time of day jumps by a day, back, and on",
                        "no client notices it; nothing is lost",
                        ResourceFaults::clock));
    }

    private static Fault exhaustion(String what, String flag) {
        return new Fault(
                what,
                JOURNAL_LOAD + "; " + flag + ", three handlers use all of it up",
                "the handler's request fails; it serves again at once; nothing is lost",
                bench -> exhaust(bench, what, flag));
    }

    private static void sleep(double seconds) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep((long) (1000 * seconds));
    }

    private static FaultLoad load(FaultSite site) {
        return FaultLoad.start(site.port(), 8, List.of(JOURNAL, HELLO));
    }

    private static Outcome ended(FaultSite site, FaultLoad load)
            throws LabException, InterruptedException {
        double recovered = load.awaitGood(load.markNow(), 30);
        sleep(2);
        load.stop();
        return Fault.outcome(load, "journal", site.journal(), recovered, ProcessFaults.wrong(site));
    }

    private static Outcome descriptors(Bench bench) throws LabException, InterruptedException {
        FaultSite.Start how =
                FaultSite.Start.in(bench.folder())
                        .withPrefix("sh", "-c", "ulimit -n 128; exec \"$@\"", "sh");
        try (var site = FaultSite.start(bench.run(), how);
                var load = load(site)) {
            sleep(1);
            List<Socket> held = connect(site.port(), 200, "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n");
            sleep(Math.min(bench.seconds(), 5));
            close(held);
            return ended(site, load);
        }
    }

    private static Outcome halfOpen(Bench bench) throws LabException, InterruptedException {
        try (WorkFolder content = WorkFolder.make()) {
            FaultSite.Start how = FaultSite.Start.in(bench.folder());
            Files.write(bench.folder().resolve("static").resolve("1m"), content.bytes("1m"));
            try (var site = FaultSite.start(bench.run(), how);
                    var load = load(site)) {
                sleep(1);
                List<Socket> held =
                        connect(
                                site.port(),
                                HALF_OPEN,
                                "GET /static/1m HTTP/1.1\r\nHost: a\r\n\r\n");
                sleep(bench.seconds());
                double gap = load.longestGap();
                close(held);
                Outcome outcome = ended(site, load);
                boolean isKept = outcome.isKept() && gap < 1 && held.size() == HALF_OPEN;
                return new Outcome(
                        isKept,
                        "%,d silent peers; longest time without a good response %.2f s; "
                                        .formatted(held.size(), gap)
                                + outcome.happened());
            }
        } catch (IOException e) {
            throw new LabException("half-open: " + e.getMessage());
        }
    }

    private static List<Socket> connect(int port, int count, String request) {
        var held = new ArrayList<Socket>();
        for (int i = 0; i < count; i++) {
            try {
                var socket = new Socket(InetAddress.getLoopbackAddress(), port);
                held.add(socket);
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException _) {
                // The server, or this process, allows no more: what is held is counted.
            }
        }
        return held;
    }

    private static void close(List<Socket> held) {
        for (Socket socket : held) {
            try {
                socket.close();
            } catch (IOException _) {
                // It was closed by the server.
            }
        }
    }

    private static Outcome exhaust(Bench bench, String what, String flag)
            throws LabException, InterruptedException {
        FaultSite.Start how = FaultSite.Start.in(bench.folder()).withFlags(flag);
        var statuses = new ArrayList<String>();
        try (var site = FaultSite.start(bench.run(), how);
                var load = load(site)) {
            sleep(1);
            for (int i = 0; i < 3; i++) {
                statuses.add(exhaust(site, what));
                sleep(1);
            }
            Outcome outcome = ended(site, load);
            return new Outcome(
                    outcome.isKept(),
                    "the handlers' responses: " + statuses + "; " + outcome.happened());
        }
    }

    private static String exhaust(FaultSite site, String what) {
        try (var caller = Caller.connect(site.port())) {
            caller.send(
                    "POST /exhaust/" + what + " HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
            return Integer.toString(caller.reply().status());
        } catch (IOException e) {
            return "closed";
        }
    }

    private static Outcome clock(Bench bench)
            throws LabException, InterruptedException, Impossible {
        Path library = null;
        for (String arch : List.of("x86_64-linux-gnu", "aarch64-linux-gnu")) {
            Path file = Path.of("/usr/lib", arch, "faketime", "libfaketimeMT.so.1");
            library = Files.exists(file) ? file : library;
        }
        if (library == null) {
            throw new Impossible("libfaketime is not installed");
        }
        Path time = bench.folder().resolve("time");
        set(time, "+0");
        FaultSite.Start how =
                FaultSite.Start.in(bench.folder())
                        .withPrefix(
                                "env",
                                "LD_PRELOAD=" + library,
                                "FAKETIME_TIMESTAMP_FILE=" + time,
                                "FAKETIME_NO_CACHE=1",
                                "FAKETIME_DONT_FAKE_MONOTONIC=1");
        try (var site = FaultSite.start(bench.run(), how);
                var load = load(site)) {
            var dates = new ArrayList<String>();
            for (String jump : List.of("+0", "+1d", "-1d", "+0")) {
                set(time, jump);
                sleep(2);
                dates.add(date(site));
            }
            double gap = load.longestGap();
            Outcome outcome = ended(site, load);
            boolean hasJumped = dates.stream().distinct().count() >= 3;
            return new Outcome(
                    outcome.isKept() && gap < 2 && hasJumped,
                    "dates sent: %s; longest time without a good response %.2f s; %s"
                            .formatted(dates, gap, outcome.happened()));
        }
    }

    private static void set(Path time, String value) throws LabException {
        try {
            Files.writeString(time, value + "\n");
        } catch (IOException e) {
            throw new LabException("cannot set the time: " + e.getMessage());
        }
    }

    /// The day of a response's Date.
    private static String date(FaultSite site) {
        try (var caller = Caller.connect(site.port())) {
            return caller.get("/hello").field("date").replaceAll(".*, ([0-9]+ ...).*", "$1");
        } catch (IOException e) {
            return "none";
        }
    }
}
