package dev.tandem.engine.manage;

import dev.tandem.Step;
import dev.tandem.engine.ClientWaits;
import dev.tandem.engine.ContextThread;
import dev.tandem.engine.Engine;
import dev.tandem.engine.RunningExchange;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A request that has a thread, as it was seen a moment ago from another one.
///
/// @param path as sent, without its query, which may hold secrets; truncated to [#PATH_MAX]
/// @param route the pattern, or `*`
/// @param protocol such as `HTTP/2.0`
/// @param streamId identifier of its stream in a connection of HTTP/2; 0 for HTTP/1
/// @param step HANDLE, or WRITE once its response has begun
/// @param ageNanos since its handler began
/// @param thread its name
/// @param doing the thread's activity: `runs`, `waits`, `waits for a lock` or `waits for its
///     client`
public record RunningRequest(
        String method,
        String path,
        String route,
        String protocol,
        int streamId,
        Step step,
        long ageNanos,
        String thread,
        String doing) {
    /// 120 characters: a line of a table.
    static final int PATH_MAX = 120;

    /// Returns all of a server's, the oldest first.
    ///
    /// @param nowNanos by [System#nanoTime()]
    public static List<RunningRequest> of(Engine engine, long nowNanos) {
        return engine.threads()
                .map(thread -> of(thread, engine.waits(), nowNanos))
                .filter(Objects::nonNull)
                .sorted(Comparator.comparingLong(RunningRequest::ageNanos).reversed())
                .toList();
    }

    private static @Nullable RunningRequest of(Thread thread, ClientWaits waits, long nowNanos) {
        RunningExchange x = thread instanceof ContextThread t ? t.context().running() : null;
        if (x == null || x.runNanos() == 0) {
            return null;
        }
        return new RunningRequest(
                x.method(),
                path(x.target()),
                x.routePattern(),
                x.version().protocol(),
                x.streamId(),
                x.hasResponse() ? Step.WRITE : Step.HANDLE,
                Math.max(0, nowNanos - x.runNanos()),
                thread.getName(),
                waits.has(x) ? "waits for its client" : doing(thread));
    }

    private static String path(String raw) {
        int query = raw.indexOf('?');
        String path = query < 0 ? raw : raw.substring(0, query);
        return path.length() <= PATH_MAX ? path : path.substring(0, PATH_MAX) + "…";
    }

    private static String doing(Thread thread) {
        return switch (thread.getState()) {
            case BLOCKED -> "waits for a lock";
            case WAITING, TIMED_WAITING -> "waits";
            default -> "runs";
        };
    }
}
