package dev.tandem.testkit.interleave;

import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// What scenarios use themselves, and what the explored copies of classes call before each step.
/// Without an
/// exploration, and outside of actors, all of it does what the JDK would, or nothing.
public final class Steps {
    private static volatile @Nullable Execution running;

    private Steps() {}

    static void use(@Nullable Execution execution) {
        running = execution;
    }

    private static @Nullable Execution observed() {
        Execution now = running;
        return now != null && now.isActor() ? now : null;
    }

    private static Execution execution() {
        Execution now = observed();
        if (now == null) {
            throw new IllegalStateException("no actor");
        }
        return now;
    }

    // ---- For scenarios.

    /// Waits until a condition holds, which only steps of other actors can make true.
    public static void await(String what, BooleanSupplier condition) {
        execution().await(condition, -1, what);
    }

    /// Makes a step: others may make theirs before.
    public static void step(String what) {
        execution().step(what);
    }

    /// Returns a factory of threads that are actors.
    public static ThreadFactory threads() {
        return body -> {
            Execution now = running;
            return now == null ? new Thread(body) : now.add(body).thread;
        };
    }

    /// Returns the time, in nanoseconds: it passes only where a wait ends by it.
    public static long nanoTime() {
        Execution now = running;
        return now == null ? 0 : now.nanos();
    }

    // ---- Called by explored copies of classes.

    public static void volatileAccess(Object of, String name) {
        Execution now = observed();
        if (now != null) {
            now.step(of, name);
        }
    }

    public static void plainRead(Object of, String name) {
        Execution now = observed();
        if (now != null) {
            now.plain(of, name, false);
        }
    }

    public static void plainWrite(Object of, String name) {
        Execution now = observed();
        if (now != null) {
            now.plain(of, name, true);
        }
    }

    /// A call of a class of `java.util`, or of a variable handle with this object.
    public static void call(@Nullable Object of, String name) {
        Execution now = observed();
        if (now == null || of == null) {
            return;
        }
        String type = of.getClass().getName();
        if (!type.startsWith("java.util.") || type.startsWith("java.util.concurrent.")) {
            now.step(of, name);
        } else if (!type.startsWith("java.util.ImmutableCollections")) {
            now.plain(of, "content", !isReading(name));
        }
    }

    private static boolean isReading(String name) {
        return switch (name) {
            case "get",
                    "size",
                    "isEmpty",
                    "contains",
                    "containsKey",
                    "peek",
                    "iterator",
                    "forEach" ->
                    true;
            default -> false;
        };
    }

    public static void enter(Object of) {
        Execution now = observed();
        if (now != null) {
            now.enter(of);
        }
    }

    public static void exit(Object of) {
        Execution now = running;
        if (now != null) {
            now.exit(of);
        }
    }

    public static void waitFor(Object of) {
        execution().waitFor(of, -1);
    }

    public static void timedWait(Object unit, Object of, long time) {
        execution().waitFor(of, time);
    }

    public static void notifyAll(Object of) {
        Execution now = observed();
        if (now != null) {
            now.notifyAllOf(of);
        }
    }

    public static void park(Object blocker) {
        execution().park(-1);
    }

    public static void parkNanos(Object blocker, long nanos) {
        execution().park(nanos);
    }

    public static void unpark(@Nullable Thread thread) {
        Execution now = observed();
        if (now != null) {
            now.unpark(thread);
        }
    }

    /// Wakes an actor that is parked; it is not marked as interrupted.
    public static void interrupt(Thread thread) {
        unpark(thread);
    }

    /// Starts an actor; other threads do not run.
    public static void start(Thread thread) {
        Execution now = running;
        if (now != null) {
            now.start(thread, now.isActor());
        }
    }

    public static void yieldStep() {
        execution().yieldStep();
    }
}
