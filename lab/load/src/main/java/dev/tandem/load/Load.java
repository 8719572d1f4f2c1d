package dev.tandem.load;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How a workload is run: against which target, when its sessions start, with what clients.
/// Immutable.
///
/// ```
/// LoadReport report = Load.of("http://127.0.0.1:8080")
///         .withArrivals(Arrivals.open(Period.poisson(500)))
///         .withTime(Duration.ofSeconds(30))
///         .run(Repeat.sessions(Call.get("/hello"), 10, Duration.ofSeconds(1)));
/// ```
///
/// Each `with` method returns a copy and throws [IllegalArgumentException], naming limit and value,
/// if the value is out of range.
///
/// @param arrivals when sessions start; by default one user at a time
/// @param time the time during which sessions start, with the warm-up; default 10 s. 0 is without
///     end, and then the arrivals need a [Arrivals#sessionsMax()]. A closed loop ends at once when
///     the time is over, and calls under way are not counted; an open one lets active sessions
///     finish
/// @param warmup the time at the start during which nothing is counted; default 0
/// @param drain the time that active sessions may take to finish after the last one has started;
///     default 30 s. 0 ends them at once. Sessions that have not finished are counted as unfinished
/// @param threads the number of the generator's threads, each an event loop of its own; default 1.
///     1 to 256
/// @param connectionsMax the maximum number of concurrent connections; beyond it a new one is
///     [Outcome#NO_DESCRIPTOR]. The default, 0, means as many as the process's limit on descriptors
///     allows
/// @param seed of all random numbers of the run; default 1
/// @param isOwnTarget declares that the target belongs to the caller; default false. Without it,
///     only this machine's loopback may be loaded
/// @param transcript records all calls; default null, none
public record Load(
        Target target,
        Arrivals arrivals,
        Duration time,
        Duration warmup,
        Duration drain,
        Client client,
        TimeLimits timeLimits,
        int threads,
        int connectionsMax,
        long seed,
        boolean isOwnTarget,
        @Nullable Transcript transcript)
        implements LoadWith {

    /// @throws IllegalArgumentException if a value is out of range; names it
    public Load {
        check("time", time);
        check("warmup", warmup);
        check("drain", drain);
        if (threads < 1 || threads > 256) {
            throw new IllegalArgumentException("threads must be 1..256, was " + threads);
        }
        if (connectionsMax < 0) {
            throw new IllegalArgumentException(
                    "connectionsMax must not be negative, was " + connectionsMax);
        }
    }

    private static void check(String name, Duration time) {
        if (time.isNegative() || time.compareTo(Duration.ofDays(30)) > 0) {
            throw new IllegalArgumentException(name + " must be 0 to 30 days, was " + time);
        }
    }

    public static Load of(Target target) {
        return new Load(
                target,
                Arrivals.closed(1),
                Duration.ofSeconds(10),
                Duration.ZERO,
                Duration.ofSeconds(30),
                Client.DEFAULT,
                TimeLimits.DEFAULT,
                1,
                0,
                1,
                false,
                null);
    }

    /// @throws IllegalArgumentException as [Target#of(String)]
    public static Load of(String uri) {
        return of(Target.of(uri));
    }

    /// Starts the run.
    ///
    /// @throws IllegalArgumentException if the target is not on the loopback and [#isOwnTarget()]
    ///     does not allow it, if there is no end, or if a closed loop has more users than this
    ///     process may have descriptors; the message says what to change
    /// @throws LoadException if the system gives no sockets
    public LoadRun start(Workload workload) throws LoadException {
        return LoadRun.start(this, workload);
    }

    /// Runs to the end.
    ///
    /// @throws LoadException as [#start], or if the workload fails
    public LoadReport run(Workload workload) throws LoadException, InterruptedException {
        try (LoadRun run = start(workload)) {
            return run.await();
        }
    }
}
