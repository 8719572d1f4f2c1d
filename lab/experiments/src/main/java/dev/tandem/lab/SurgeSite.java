package dev.tandem.lab;

import dev.tandem.load.Client;
import dev.tandem.workloads.surge.Surge;
import dev.tandem.workloads.surge.SurgeFiles;
import dev.tandem.workloads.surge.SurgeSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.IntPredicate;

/// Surge's files in a folder, and its clients.
///
/// Time can pass faster: think times, pauses, keep-alive time-outs and patience are divided by the
/// same *pace*. A processor of today serves some twenty times as many clients per second as the
/// papers' did. At twenty times the pace as many are connected at once as there were then, so the
/// competition for threads is the same; and it takes a twentieth of the time until as many sessions
/// end as begin.
///
/// @param root the folder
/// @param callsEach mean number of requests of a session
/// @param pace how many times faster time passes
record SurgeSite(Path root, ModelWorkload workload, double callsEach, double pace) {
    static final Setting FILES = new Setting("files", "N", "2000", "number of Surge's files");
    static final Setting PACE =
            new Setting("pace", "X", "20", "how many times faster time passes for clients");
    static final Setting KEEP_ALIVE =
            new Setting("keep-alive", "S", "15", "the rival's time-out, in seconds, before --pace");
    static final Setting PATIENCE =
            new Setting("patience", "S", "10", "that of clients, in seconds, before --pace");

    /// Every file is there: an error instead of one, which is cheaper, ends the session as failed.
    private static final int CLIENT_ERROR = 400;

    /// Enough requests to request each file once: ten for each is a little more.
    private static final int REQUESTS_EACH = 10;

    /// @throws LabException if the files cannot be written
    static SurgeSite make(Run run, WorkFolder workFolder) throws LabException {
        double pace = run.settings().decimal(PACE, 0.1, 100);
        Surge surge = surge(run);
        Path root = workFolder.folder().resolve("surge");
        try {
            new SurgeFiles(surge).write(root, run::say);
        } catch (IOException e) {
            throw new LabException(String.valueOf(e.getMessage()));
        }
        return of(surge, root, pace);
    }

    private static Surge surge(Run run) {
        int files = run.settings().number(FILES, 500, 20_000);
        return Surge.of(
                SurgeSettings.DEFAULT
                        .withSeed(run.seed())
                        .withFiles(files)
                        .withRequests(REQUESTS_EACH * files));
    }

    private static SurgeSite of(Surge surge, Path root, double pace) {
        double calls = (double) surge.settings().requests() / surge.sessions();
        var workload = ModelWorkload.repeating(surge, surge.sessions(), pace);
        return new SurgeSite(root, workload, calls, pace);
    }

    /// Returns the same files, with clients at another pace.
    SurgeSite withPace(Run run, double other) {
        return of(surge(run), root, other);
    }

    /// Scales a time by the pace, for the server.
    Duration faster(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9 / pace));
    }

    AppliedLoad play(Run run, AppliedLoad.Timing timing) {
        Duration patience = faster(run.settings().decimal(PATIENCE, 0.1, 600));
        Client client =
                Client.DEFAULT
                        .withTls(BoringClients.TLS)
                        .withFailingStatuses((IntPredicate) status -> status >= CLIENT_ERROR);
        var clients = new LoadClients(workload, callsEach, client, patience);
        return new AppliedLoad(clients, timing, run.seed());
    }

    /// What a reader must know of the site.
    String note() {
        return "Time passes "
                + Figures.show(pace, 0)
                + " times faster for clients than in Surge: think times, pauses, keep-alive"
                + " time-outs and patience are divided by that, so that as many clients are"
                + " connected at once as in the paper, whose processor was as much slower.";
    }
}
