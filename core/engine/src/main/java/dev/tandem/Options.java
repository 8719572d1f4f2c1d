package dev.tandem;

import dev.tandem.engine.Descriptors;
import dev.tandem.http.Bounds;
import dev.tandem.http.FormLimits;
import dev.tandem.http.HeadLimits;
import dev.tandem.http.h1.ChunkLimits;
import java.time.Duration;
import java.util.List;

/// The limits, time-outs and threads of a server. [#DEFAULT] suits most.
///
/// ```java
/// Options.DEFAULT
///         .withLimits(l -> l.withBodyMax(1 << 20).withConnectionsMax(10_000))
///         .withTimeouts(t -> t.withHead(Duration.ofSeconds(5)))
///         .withThreads(t -> t.withWorkersMax(50));
/// ```
///
/// Each `with` method returns a copy and throws [IllegalArgumentException], which names the limit
/// and the value, if the value is out of range.
///
/// @param limits on numbers and sizes
/// @param timeouts after which the server stops waiting for a client
/// @param threads that run requests
/// @param http2 of HTTP/2
/// @param sessionCookies names of the cookies that identify a user's session on several
///     connections, so that under overload requests of live sessions go first; default
///     `JSESSIONID` and `SESSION`, which servlet containers and Spring Session use. If empty, only
///     connections identify sessions
public record Options(
        Limits limits, Timeouts timeouts, Threads threads, Http2 http2, List<String> sessionCookies)
        implements OptionsWith {

    public static final Options DEFAULT =
            new Options(
                    Limits.DEFAULT,
                    Timeouts.DEFAULT,
                    Threads.DEFAULT,
                    Http2.DEFAULT,
                    List.of("JSESSIONID", "SESSION"));

    public Options {
        sessionCookies = List.copyOf(sessionCookies);
    }

    /// Limits on numbers and sizes.
    ///
    /// @param connectionsMax maximum number of open connections. Beyond it, a new one replaces the
    ///     one that has been idle longest, or one whose head is incomplete; if all have work, the
    ///     new one gets 503. The default is what the process's limit on descriptors allows, less an
    ///     eighth (at least 64, at most half) for files. At least 1; a start warns of one that the
    ///     process cannot have
    /// @param backlog maximum number of new connections that the kernel queues until they are
    ///     accepted; default 4,096, which the kernel may cap (`net.core.somaxconn`). 1 to 65,535
    /// @param heads of requests; default [HeadLimits#DEFAULT]. `headMax` is 1,024 to 65,536
    /// @param bodyMax maximum length of a request's body, in bytes; default 16 MiB. A longer one
    ///     gets 413, before it is read if its length is announced. 0 to 2^62
    /// @param chunks of requests' bodies in HTTP/1.1; default [ChunkLimits#DEFAULT]
    /// @param forms default [FormLimits#DEFAULT]
    /// @param eventStreamsMax maximum number of open event streams; default 1,000, since each has a
    ///     thread of its own in addition to the workers, about 150 KiB with its buffers. Further
    ///     ones get 503; those of a client that has seven times as many as are free, too. 0 to
    ///     65,536
    public record Limits(
            int connectionsMax,
            int backlog,
            HeadLimits heads,
            long bodyMax,
            ChunkLimits chunks,
            FormLimits forms,
            int eventStreamsMax)
            implements LimitsWith {

        static final Limits DEFAULT =
                new Limits(
                        Descriptors.connectionsMax(),
                        4_096,
                        HeadLimits.DEFAULT,
                        16L << 20,
                        ChunkLimits.DEFAULT,
                        FormLimits.DEFAULT,
                        1_000);

        /// @throws IllegalArgumentException if a limit is out of range; names it and its value
        public Limits {
            Bounds.check("connectionsMax", connectionsMax, 1, Integer.MAX_VALUE);
            Bounds.check("backlog", backlog, 1, 65_535);
            Bounds.check("headMax", heads.headMax(), 1_024, 65_536);
            Bounds.check("bodyMax", bodyMax, 0, 1L << 62);
            Bounds.check("eventStreamsMax", eventStreamsMax, 0, 65_536);
        }
    }

    /// Time limits, each 1 ms to a day unless it says otherwise.
    ///
    /// @param idle how long a connection may be idle; default 0, without limit, since it costs
    ///     little and is closed when connections are scarce. Beyond it, it is closed within an
    ///     eighth of that time; later only behind a request that took longer. 0 to a day
    /// @param head from the first byte of a head to its last; default 20 s, against senders that
    ///     drip. Beyond it: 408
    /// @param handshake of a TLS handshake, from the first wait for the client to the end; default
    ///     10 s, of which the server's own part is at most 5. Beyond it the connection is closed
    /// @param bodyGrace how long a body may be slower than `bodyRateMin`; default 20 s
    /// @param bodyRateMin minimum mean rate of a body after that, in bytes per second; default 500.
    ///     Below it: 408. 0, which then makes `bodyGrace` the maximum time without a byte, to 2^40
    /// @param writeStall how long a client may read nothing of its response; default 60 s. Beyond
    ///     it the connection is closed
    /// @param linger how long a connection that the server ends is still read, so that the client
    ///     gets its response instead of a reset; default 2 s
    /// @param stopGrace how long a stopping server lets running exchanges finish; default 30 s. 0
    ///     to a day
    public record Timeouts(
            Duration idle,
            Duration head,
            Duration handshake,
            Duration bodyGrace,
            long bodyRateMin,
            Duration writeStall,
            Duration linger,
            Duration stopGrace)
            implements TimeoutsWith {

        // Declared before the default, whose constructor uses them.
        private static final Duration MIN = Duration.ofMillis(1);
        private static final Duration MAX = Duration.ofDays(1);

        static final Timeouts DEFAULT =
                new Timeouts(
                        Duration.ZERO,
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(20),
                        500,
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(30));

        /// @throws IllegalArgumentException if a value is out of range; names it
        public Timeouts {
            Bounds.check("timeouts.idle", idle, Duration.ZERO, MAX);
            Bounds.check("timeouts.head", head, MIN, MAX);
            Bounds.check("timeouts.handshake", handshake, MIN, MAX);
            Bounds.check("bodyGrace", bodyGrace, MIN, MAX);
            Bounds.check("bodyRateMin", bodyRateMin, 0, 1L << 40);
            Bounds.check("writeStall", writeStall, MIN, MAX);
            Bounds.check("linger", linger, MIN, MAX);
            Bounds.check("stopGrace", stopGrace, Duration.ZERO, MAX);
        }
    }

    /// HTTP/2.
    ///
    /// @param isEnabled whether listeners offer HTTP/2; default true. Not where a container
    ///     responds
    /// @param isClearTextEverywhere whether listeners without TLS accept HTTP/2 with prior
    ///     knowledge (RFC 9113, section 3.3) from other machines, too; default false: only at
    ///     loopback addresses and Unix-domain sockets
    /// @param streamsMax maximum number of concurrent streams of a connection; default 100. Further
    ///     ones are refused, and clients repeat them. 1 to 65,536
    /// @param ageMax maximum age of a connection, give or take a tenth of it, so that the clients
    ///     of a balancer move to other servers from time to time; default 0, for no maximum. A
    ///     client then opens another connection, and the streams that have begun are completed. 0
    ///     to a day
    public record Http2(
            boolean isEnabled, boolean isClearTextEverywhere, int streamsMax, Duration ageMax)
            implements Http2With {

        static final Http2 DEFAULT = new Http2(true, false, 100, Duration.ZERO);

        /// @throws IllegalArgumentException if a value is out of range; names it
        public Http2 {
            Bounds.check("http2.streamsMax", streamsMax, 1, 65_536);
            Bounds.check("http2.ageMax", ageMax, Duration.ZERO, Duration.ofDays(1));
        }
    }

    /// The threads of a server.
    ///
    /// @param loops number of event loops; default half the processors, since the handlers need the
    ///     others. 1 to 16,384
    /// @param workersMax maximum number of worker threads, on which as many handlers may block at
    ///     once. They start as they are needed and end after a minute without work. Default 50 for
    ///     each processor, at least 200; 1 to 65,536
    /// @param workersMin lower bound of the search for the number of workers that run at once;
    ///     default 0, which is the number of processors. If it is `workersMax`, the number is not
    ///     searched, which is for measurements. 0 to 65,536; more than `workersMax` counts as that
    /// @param isVirtual whether workers are virtual threads, one for each run; default false, since
    ///     platform threads cost a run less and the console sees what they do. As many run at once
    ///     as with platform threads, by the same permits. Linux does not report of virtual threads
    ///     what it reports of others, so their number is found by trials alone, and a handler asks
    ///     for a database's lane only when it wants its connection
    /// @param workersNice nice levels of the workers below event loops and the JVM's threads, which
    ///     so go first when processors are scarce: requests are read and rejected in time, and cold
    ///     code is compiled. Threads that handlers start have the same priority. Default 5, a third
    ///     of the time; 0 to 19. Needs the module `net-epoll`
    /// @param isInPlace whether blocking handlers of routes that are learned to be short run on the
    ///     thread that has the loop; default true. Otherwise all of them run on workers
    public record Threads(
            int loops,
            int workersMax,
            int workersMin,
            boolean isVirtual,
            int workersNice,
            boolean isInPlace)
            implements ThreadsWith {

        static final Threads DEFAULT = of(Runtime.getRuntime().availableProcessors());

        private static Threads of(int processors) {
            int workers = Math.max(200, 50 * processors);
            return new Threads(Math.max(1, processors / 2), workers, 0, false, 5, true);
        }

        /// @throws IllegalArgumentException if a value is out of range; names it
        public Threads {
            Bounds.check("loops", loops, 1, 16_384);
            Bounds.check("workersMax", workersMax, 1, 65_536);
            Bounds.check("workersMin", workersMin, 0, 65_536);
            Bounds.check("workersNice", workersNice, 0, 19);
        }
    }
}
