package dev.tandem.lab;

import dev.tandem.lab.Fault.Bench;
import dev.tandem.lab.Fault.Impossible;
import dev.tandem.lab.Fault.Outcome;
import dev.tandem.lab.LossyLink.Quality;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Networks that lose, delay and double packets, that are cut for a time, and hosts that vanish.
final class NetworkFaults {
    private static final int FAR_CLIENTS = 8;
    private static final int NEAR_CLIENTS = 4;
    private static final int VANISHING = 60;

    /// A slow upload is closed after 20 s, a response that is not taken after 60 s. By default idle
    /// connections are kept until they are in the way of others.
    private static final int IDLE_SECONDS = 30;

    private static final int VANISHED_SECONDS_MAX = 120;

    private static final FaultLoad.Kind HELLO = FaultLoad.Kind.get("/hello");
    private static final FaultLoad.Kind JOURNAL = FaultLoad.Kind.post("journal", "/journal/", 0);
    private static final FaultLoad.Kind STORE = FaultLoad.Kind.post("upload", "/upload/", 20_000);
    private static final FaultLoad.Kind LARGE = FaultLoad.Kind.get("/static/100k");
    private static final String LOAD =
            "8 clients behind a link write a journal, upload 20 KB and get 100 KB, 4 others get"
                    + " /hello; ";

    private NetworkFaults() {}

    static List<Fault> all() {
        return List.of(
                new Fault(
                        "network",
                        LOAD
                                + "the link loses 5 % of the packets, doubles 2 %, and delays each"
                                + " by 30 to 70 ms",
                        "no request fails, nothing is lost; the others are served meanwhile",
                        bench -> link(bench, Quality.POOR, true)),
                new Fault(
                        "partition",
                        LOAD + "the link is cut, and restored",
                        "the others are served meanwhile; clients behind it once it is back; what"
                                + " was acknowledged is there",
                        bench -> link(bench, Quality.CUT, false)),
                new Fault(
                        "vanish",
                        "60 clients behind a link are silent, or within an upload or a response;"
                                + " 4 others get /hello; the link is cut for good",
                        "the others are served meanwhile; all connections are closed by the"
                                + " server's time-outs, of which idle is 30 s",
                        NetworkFaults::vanish));
    }

    private static void sleep(double seconds) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep((long) (1000 * seconds));
    }

    private static FaultSite.Start start(Bench bench) throws LabException {
        try (WorkFolder content = WorkFolder.make()) {
            Path files = bench.folder().resolve("static");
            Files.write(files.resolve("100k"), content.bytes("100k"));
            Files.write(files.resolve("1m"), content.bytes("1m"));
        } catch (IOException e) {
            throw new LabException("cannot write the files: " + e.getMessage());
        }
        return FaultSite.Start.in(bench.folder())
                .withFlags(
                        "-D" + FaultTarget.ADDRESS + "=" + LossyLink.NEAR,
                        "-D" + FaultTarget.IDLE + "=" + IDLE_SECONDS);
    }

    /// @param isFlawless whether no request may fail
    private static Outcome link(Bench bench, Quality fault, boolean isFlawless)
            throws LabException, InterruptedException, Impossible {
        List<FaultLoad.Kind> kinds = List.of(JOURNAL, STORE, LARGE, HELLO);
        try (var link = LossyLink.open(bench.run().seed());
                var site = FaultSite.start(bench.run(), start(bench));
                var others = FaultLoad.start(site.port(), NEAR_CLIENTS, List.of(HELLO));
                var load = FaultLoad.start(() -> link.connect(site.port()), FAR_CLIENTS, kinds)) {
            sleep(1);
            link.quality(fault);
            sleep(bench.seconds());
            link.quality(Quality.GOOD);
            double recovered = load.awaitGood(load.markNow(), 30);
            sleep(2);
            load.stop();
            others.stop();
            Outcome uploads =
                    Fault.outcome(load, "upload", site.uploads(STORE.length()), recovered, "");
            Outcome journal =
                    Fault.outcome(
                            load, "journal", site.journal(), recovered, ProcessFaults.wrong(site));
            boolean isServed = others.failures().equals("none") && others.longestGap() < 1;
            boolean isClean = !isFlawless || load.failures().equals("none");
            return new Outcome(
                    uploads.isKept() && journal.isKept() && isServed && isClean,
                    ("%s; uploads: %,d acknowledged; the others' longest time without a"
                                    + " response %.2f s; journal and all: %s")
                            .formatted(
                                    link.summary(),
                                    load.acknowledged("upload").size(),
                                    others.longestGap(),
                                    journal.happened()));
        }
    }

    private static Outcome vanish(Bench bench)
            throws LabException, InterruptedException, Impossible {
        var held = new ArrayList<Caller>();
        try (var link = LossyLink.open(bench.run().seed());
                var site = FaultSite.start(bench.run(), start(bench));
                var others = FaultLoad.start(site.port(), NEAR_CLIENTS, List.of(HELLO))) {
            sleep(1);
            long before = descriptors(site);
            var connecting = new Thread(() -> begin(link, site.port(), held), "vanishing");
            connecting.start();
            connecting.join();
            sleep(1);
            long most = descriptors(site);
            link.quality(Quality.CUT);
            double seconds = awaitDescriptors(site, before);
            others.stop();
            boolean isServed = others.failures().equals("none") && others.longestGap() < 1;
            boolean isClosed = seconds < VANISHED_SECONDS_MAX;
            String wrong = ProcessFaults.wrong(site);
            return new Outcome(
                    held.size() == VANISHING
                            && most >= before + VANISHING
                            && isClosed
                            && isServed
                            && wrong.isEmpty(),
                    ("%d connections of hosts that vanished; descriptors %d, %d with them, %d"
                                    + " after %.0f s; the others' longest time without a response"
                                    + " %.2f s, failures: %s%s")
                            .formatted(
                                    held.size(),
                                    before,
                                    most,
                                    descriptors(site),
                                    seconds,
                                    others.longestGap(),
                                    others.failures(),
                                    wrong.isEmpty() ? "" : "; " + wrong));
        } finally {
            close(held);
        }
    }

    /// One third is silent after a response, one within an upload, one takes nothing of a response.
    private static void begin(LossyLink link, int port, List<Caller> held) {
        try {
            for (int i = 0; i < VANISHING; i++) {
                Caller caller = link.connect(port);
                held.add(caller);
                switch (i % 3) {
                    case 0 -> {
                        Caller.Reply _ = caller.get("/hello");
                    }
                    case 1 ->
                            caller.send(
                                    "POST /upload/v HTTP/1.1\r\nHost: a\r\n"
                                            + "Content-Length: 1000000\r\n\r\nbegin");
                    default -> caller.send(Caller.request("/static/1m", ""));
                }
            }
        } catch (IOException _) {
            // What is held is counted.
        }
    }

    private static void close(List<Caller> held) {
        for (Caller caller : held) {
            try {
                caller.close();
            } catch (IOException _) {
                // The server has closed it.
            }
        }
    }

    private static long descriptors(FaultSite site) throws LabException {
        Path folder = Path.of("/proc", Long.toString(site.child().handle().pid()), "fd");
        try (Stream<Path> files = Files.list(folder)) {
            return files.count();
        } catch (IOException e) {
            throw new LabException("descriptors cannot be counted: " + e.getMessage());
        }
    }

    /// @return seconds until there are no more than before
    private static double awaitDescriptors(FaultSite site, long before)
            throws LabException, InterruptedException {
        long begin = System.nanoTime();
        while (descriptors(site) > before && seconds(begin) < VANISHED_SECONDS_MAX) {
            sleep(0.2);
        }
        return seconds(begin);
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }
}
