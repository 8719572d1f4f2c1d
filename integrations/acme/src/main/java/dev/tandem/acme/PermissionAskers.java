package dev.tandem.acme;

import dev.tandem.net.NanoClock;
import dev.tandem.net.RateLimitedLog;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;

/// Threads that ask the site about the names that clients requested. Four, since a name about which
/// the site is slow to reply, or unknown ones without end, would keep a permitted one waiting.
final class PermissionAskers {
    /// How many names are asked about at the same time: 4, which a site notices little.
    static final int THREADS = 4;

    private final RequestedNames requested;
    private final InstantSource clock;
    private final Question question;
    private final BlockingQueue<String> permitted;
    private final List<Thread> threads = new ArrayList<>();

    /// Clients choose the names, as many as they like.
    private final RateLimitedLog failed =
            new RateLimitedLog(NanoClock.SYSTEM, line -> Log.LOG.log(Level.ERROR, line));

    /// Asks whether a name may have a certificate.
    @FunctionalInterface
    interface Question {
        boolean isPermitted(String name) throws InterruptedException;
    }

    /// @param question called by several threads at the same time
    /// @param permitted gets the names that may have a certificate; none are asked about while it
    ///     is full. Who takes one must call [RequestedNames#decided]
    PermissionAskers(
            RequestedNames requested,
            InstantSource clock,
            Question question,
            BlockingQueue<String> permitted) {
        this.requested = requested;
        this.clock = clock;
        this.question = question;
        this.permitted = permitted;
    }

    /// Called once.
    void start() {
        for (int i = 0; i < THREADS; i++) {
            threads.add(Thread.ofVirtual().name("tandem-acme-permission-" + i).start(this::run));
        }
    }

    private void run() {
        try {
            while (true) {
                askGuarded();
            }
        } catch (InterruptedException _) {
            // closed
        }
    }

    /// A defect, or a lack of memory, must not end the questions about others.
    private void askGuarded() throws InterruptedException {
        try {
            ask();
        } catch (RuntimeException | Error e) {
            logFailure("a name", e);
        }
    }

    private void ask() throws InterruptedException {
        String name = requested.take(clock);
        boolean isPermitted = false;
        try {
            isPermitted = isPermitted(name);
            if (isPermitted) {
                permitted.put(name);
            } else {
                requested.refuse(name, clock.instant());
            }
        } finally {
            if (!isPermitted) {
                requested.decided(name);
            }
        }
    }

    private boolean isPermitted(String name) throws InterruptedException {
        try {
            return question.isPermitted(name);
        } catch (RuntimeException | Error e) {
            logFailure(name, e);
            return false;
        }
    }

    private void logFailure(String name, Throwable e) {
        try {
            failed.log(name + ": cannot be asked about: " + e);
        } catch (OutOfMemoryError _) {
            // There is none for the message, either.
        }
    }

    /// A question that is being asked is abandoned.
    void close() {
        threads.forEach(Thread::interrupt);
    }
}
