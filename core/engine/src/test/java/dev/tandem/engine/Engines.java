package dev.tandem.engine;

import dev.tandem.ErrorPage;
import dev.tandem.Options;
import dev.tandem.admission.Admission;
import dev.tandem.admission.Limits;
import dev.tandem.engine.site.Site;
import dev.tandem.http.Router;
import java.util.List;

/// Engines for parts that are tested alone.
public final class Engines {
    private Engines() {}

    public static Admission admission(Options options) {
        return new Admission(new Limits(1, options.threads().workersMax()));
    }

    /// Returns a pool of one worker: it runs tasks in the order of their submission.
    public static WorkerPool oneWorker() {
        return new WorkerPool(1, () -> IoContext.ofWorker(IoContext.WORKER_BUFFER));
    }

    public static Engine plain() {
        var site =
                new Site(
                        Router.builder().build(),
                        List.of(),
                        ErrorPage.PLAIN,
                        admission(Options.DEFAULT));
        return new Engine(Options.DEFAULT, new MemoryNetwork(), site, null);
    }
}
