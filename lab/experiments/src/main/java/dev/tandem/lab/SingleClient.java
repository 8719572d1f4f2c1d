package dev.tandem.lab;

import dev.tandem.load.Arrivals;
import dev.tandem.load.Call;
import dev.tandem.load.Check;
import dev.tandem.load.Client;
import dev.tandem.load.Http2;
import dev.tandem.load.Load;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadReport;
import dev.tandem.load.LoadRun;
import dev.tandem.load.Repeat;
import java.time.Duration;

/// A client that has one request for 1 KiB at a time, over HTTP/2: what others notice of a load.
final class SingleClient implements AutoCloseable {
    private static final int FILE_LENGTH = 1_024;

    private final RunningRival server;
    private final LoadRun running;

    private SingleClient(RunningRival server, LoadRun running) {
        this.server = server;
        this.running = running;
    }

    /// @param rampSeconds that are not counted
    /// @param seconds that are
    static SingleClient start(RunningRival server, long seed, double rampSeconds, double seconds)
            throws LabException, InterruptedException {
        Load load =
                Load.of(server.address())
                        .withArrivals(Arrivals.closed(1))
                        .withTime(duration(rampSeconds + seconds))
                        .withWarmup(duration(rampSeconds))
                        .withClient(
                                Client.DEFAULT
                                        .withVersion(Client.Version.HTTP_2)
                                        .withHttp2(new Http2(1, true, 0)))
                        .withSeed(seed);
        Call call = Call.get("/static/1k.bin").withCheck(Check.length(FILE_LENGTH));
        try {
            return new SingleClient(server, load.start(Repeat.endless(call)));
        } catch (LoadException e) {
            server.needsLife();
            throw new LabException(String.valueOf(e.getMessage()));
        }
    }

    private static Duration duration(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    /// Waits for its end.
    ///
    /// @throws LabException if a request has failed
    LoadReport await() throws LabException, InterruptedException {
        try {
            LoadReport report = running.await();
            server.needsLife();
            if (report.replies().ofClass(2) == 0 || report.errorCount() > 0) {
                throw new LabException("the client was not served: " + report.errors());
            }
            return report;
        } catch (LoadException e) {
            server.needsLife();
            throw new LabException(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() {
        running.close();
    }
}
