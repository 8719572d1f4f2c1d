package dev.tandem.server;

import dev.tandem.net.Loop;
import dev.tandem.net.OutOfDescriptorsException;
import java.io.IOException;
import java.lang.System.Logger.Level;

/// What becomes of an exchange whose handler threw something that no client is to see.
final class Failing {
    /// How many descriptors a file that is sent takes: its own, and its connection's.
    private static final int DESCRIPTORS = 2;

    private Failing() {}

    static void ours(Http1Exchange x, Engine engine, Throwable e) throws IOException {
        if (OutOfDescriptorsException.isCauseOf(e)) {
            starve(x, engine, e);
            return;
        }
        Log.LOG.log(Level.ERROR, LoggedResponse.failure(x), e);
        x.fail(500, "something went wrong on our side");
    }

    /// No descriptor was left for a file, say: not the handler's fault, and over soon.
    private static void starve(Http1Exchange x, Engine engine, Throwable e) throws IOException {
        engine.starved().log(x.routePattern() + " found no descriptor: " + e.getMessage());
        Loop loop = x.connection().loop();
        loop.execute(() -> loop.evict(DESCRIPTORS));
        if (!x.isCommitted()) {
            x.fields().set("Retry-After", "1");
        }
        x.fail(503, "too many files and connections are open: try again soon");
    }
}
