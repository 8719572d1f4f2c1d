package dev.tandem.lab;

import dev.tandem.Options;
import dev.tandem.Tandem;
import dev.tandem.engine.tuning.EngineTuning;
import dev.tandem.files.Folder;
import dev.tandem.http.Handler;
import dev.tandem.lab.rivals.BlockingNetwork;
import dev.tandem.lab.rivals.KeepAlive;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A target on one of the two architectures that the papers compare the hybrid with. Both use the
/// same engine, codec and handlers; they differ only in which thread runs what:
///
/// - *multi-threaded*: a thread for each connection, which blocks in its reads and writes. Idle
///   connections keep theirs until a keep-alive time-out; new clients wait for a free one.
/// - *event-driven*: a loop does everything, files included, and never waits for a client: what
///   would have to wait is cut off. It has `/hello` and files only, since a handler that blocks
///   would delay all others.
///
/// `/lab-stats` serves [#stats()]. Closing it closes the database; stop the server first.
public final class RivalTarget implements AutoCloseable {
    /// Buffer of a multi-threaded server's thread, in bytes: there are many threads, and each reads
    /// the requests of one connection only.
    private static final int THREAD_BUFFER = 16_384;

    /// The same with TLS: two records, an incomplete one and one that completes it.
    private static final int TLS_BUFFER = 34_816;

    /// A loop each: see [Options.Threads#loops()].
    private static final int THREADS_MAX = 16_384;

    /// Prefix of [#stats()] in the output of an ending process.
    public static final String STATS_MARK = "lab-stats ";

    private final Path root;
    private final Options options;
    private final EngineTuning tuning;

    /// Null if event-driven.
    private final @Nullable BlockingNetwork blocking;

    private final Target target;

    private RivalTarget(Path root, int loops, int loopBuffer, @Nullable BlockingNetwork blocking) {
        this(
                root,
                Options.DEFAULT.withThreads(t -> t.withLoops(loops)),
                EngineTuning.DEFAULT.withAllOnLoop(true).withLoopBuffer(loopBuffer),
                blocking,
                new Target(root));
    }

    private RivalTarget(
            Path root,
            Options options,
            EngineTuning tuning,
            @Nullable BlockingNetwork blocking,
            Target target) {
        this.root = root;
        this.options = options;
        this.tuning = tuning;
        this.blocking = blocking;
        this.target = target;
    }

    /// @param root the folder whose files are at `/`
    /// @param threads 1 to 16,384
    /// @param keepAlive how long a connection may be idle, 1 ms to a day
    /// @param isShortened whether the time-out is shortened, by Coyote's rule, as threads run out
    /// @throws IllegalArgumentException if a value is out of range
    public static RivalTarget multiThreaded(
            Path root, int threads, Duration keepAlive, boolean isShortened) {
        if (threads < 1 || threads > THREADS_MAX) {
            throw new IllegalArgumentException(
                    "threads must be 1.." + THREADS_MAX + ", was " + threads);
        }
        var network = new BlockingNetwork(KeepAlive.of(keepAlive, isShortened));
        return new RivalTarget(root, threads, THREAD_BUFFER, network);
    }

    /// @param loops number of threads, each with a loop: 1 to 16,384
    /// @throws IllegalArgumentException if the number is out of range
    public static RivalTarget eventDriven(Path root, int loops) {
        return new RivalTarget(root, loops, EngineTuning.DEFAULT.loopBuffer(), null);
    }

    /// Returns a target with thread buffers that are large enough for TLS; it replaces this one. A
    /// thread that blocks in its reads accepts no bodies over TLS that come in parts of a record.
    public RivalTarget withTls() {
        int size = Math.max(TLS_BUFFER, tuning.loopBuffer());
        return new RivalTarget(root, options, tuning.withLoopBuffer(size), blocking, target);
    }

    /// Adds the routes, and configures the architecture.
    ///
    /// @return `server`
    public Tandem addTo(Tandem server) {
        BlockingNetwork sockets = blocking;
        if (sockets != null) {
            target.addTo(server).network(sockets);
        } else {
            server.get("/hello", Handler.nonBlocking(Target::hello))
                    .get("/hello-loop", Handler.nonBlocking(Target::hello))
                    .get("/{path...}", Folder.of(root));
        }
        return server.options(options)
                .tuning(tuning)
                .get("/lab-stats", Handler.nonBlocking(x -> x.json(stats())));
    }

    /// Configures the architecture of a server with other content, such as web applications.
    public void threads(Tandem server) {
        BlockingNetwork sockets = blocking;
        server.options(options).tuning(tuning);
        if (sockets != null) {
            server.network(sockets);
        }
    }

    /// As JSON, such as `{"closedByTimeout":3}`: how many connections were closed by the idle
    /// time-out.
    public String stats() {
        return "{\"closedByTimeout\":" + (blocking == null ? 0 : blocking.timedOutCount()) + "}";
    }

    @Override
    public void close() {
        target.close();
    }
}
