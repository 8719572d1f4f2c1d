package dev.tandem.engine;

import dev.tandem.admission.DatabaseLane;
import dev.tandem.admission.DatabasePermit;
import dev.tandem.engine.site.RouteTiming;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// An exchange with the client speed and the outcome that a test sets.
class FakeExchange implements RunningExchange, RequestAdmission.Admitted, AdmittedRequest {
    private final RouteTiming timing;
    private final ResponseHeaders headers = new ResponseHeaders();
    final AtomicInteger cuts = new AtomicInteger();
    final AtomicInteger detached = new AtomicInteger();
    volatile double rate;
    volatile long runNanos;
    volatile boolean isLongLived;
    volatile boolean isFailed;

    FakeExchange(RouteTiming timing) {
        this.timing = timing;
        this.runNanos = System.nanoTime();
    }

    @Override
    public RunningExchange running() {
        return this;
    }

    @Override
    public boolean run(IoContext context) throws IOException {
        return true;
    }

    @Override
    public String id() {
        return "1";
    }

    @Override
    public String method() {
        return "GET";
    }

    @Override
    public String target() {
        return "/";
    }

    @Override
    public String routePattern() {
        return "/";
    }

    @Override
    public int status() {
        return 200;
    }

    @Override
    public boolean hasResponse() {
        return false;
    }

    @Override
    public ResponseHeaders responseHeaders() {
        return headers;
    }

    @Override
    public long runNanos() {
        return runNanos;
    }

    @Override
    public RouteTiming timing() {
        return timing;
    }

    @Override
    public AdmittedRequest admission() {
        return this;
    }

    @Override
    public boolean isFailed() {
        return isFailed;
    }

    @Override
    public boolean isLongLived() {
        return isLongLived;
    }

    @Override
    public double bytesPerSecond(long nowNanos) {
        return rate;
    }

    @Override
    public void abort() {
        cuts.incrementAndGet();
    }

    // ---- What admission has granted.

    @Override
    public void addDatabase(DatabaseLane lane) {
        throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable DatabasePermit useConnection(DatabaseLane lane, long now) {
        return null;
    }

    @Override
    public boolean hasUsedConnection(DatabaseLane lane) {
        return false;
    }

    @Override
    public void awaitConnection(Runnable wait) {
        wait.run();
    }

    @Override
    public void detach() {
        detached.incrementAndGet();
    }
}
