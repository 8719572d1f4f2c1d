package dev.tandem.net;

import dev.tandem.testkit.interleave.Scenario;
import dev.tandem.testkit.interleave.Steps;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// The ownership of a connection between its loop and a worker, whose steps are interleaved in
/// every order. The
/// loop is modelled by what it does with a connection, the kernel by a poller: level-triggered, as
/// epoll is.
final class HandOverScenarios {
    private static final long FOR_EVER = Long.MAX_VALUE / 4;

    /// How often in a row an event that is not for the loop may be there again, where the worker
    /// only returns the connection.
    private static final int IGNORED_MAX = 2;

    private HandOverScenarios() {}

    /// A poller of one socket, which reports it to the loop as long as it is armed and has input.
    private static final class OneSocketPoller implements Poller {
        /// The kernel's list of what is armed; thread-safe, as the kernel is.
        final AtomicInteger interest = new AtomicInteger(NONE);

        final AtomicInteger input = new AtomicInteger();

        /// How often the interest was set after the close, as another's perhaps.
        final AtomicInteger late = new AtomicInteger();

        private volatile boolean isClosed;
        private volatile ReadinessListener listener = _ -> {};

        /// Reads one byte, if there is one.
        boolean read() {
            int before = input.getAndUpdate(count -> Math.max(0, count - 1));
            return before > 0;
        }

        boolean hasEvent() {
            return (interest.get() & READ) != 0 && input.get() > 0;
        }

        /// Reports one event, as one iteration of a loop does. What was armed for one event is
        /// disarmed in the same step, as by the kernel: never what was armed since.
        void dispatch() {
            interest.getAndUpdate(armed -> (armed & ONCE) != 0 ? NONE : armed);
            listener.ready(READ);
        }

        @Override
        public void add(Pollable pollable, int operations, ReadinessListener readiness) {
            listener = readiness;
            interest.set(operations);
        }

        @Override
        public void setInterest(Pollable pollable, int operations) {
            if (isClosed) {
                late.incrementAndGet();
            }
            interest.set(operations);
        }

        @Override
        public void remove(Pollable pollable) {
            interest.set(NONE);
        }

        @Override
        public void closed(Pollable pollable) {
            isClosed = true;
            interest.set(NONE);
        }

        @Override
        public void poll(long timeoutNanos) {}

        @Override
        public boolean hasNext() {
            return false;
        }

        @Override
        public boolean dispatchNext() {
            return false;
        }

        @Override
        public void wakeup() {}

        @Override
        public void close() {}
    }

    /// What the scenarios share: a connection with a request, whose worker is to run; the next
    /// request comes at any
    /// time. Fields without a modifier belong to the connection's owner: a race between them is a
    /// wrong owner.
    abstract static class OneConnection implements Scenario, Protocol {
        final OneSocketPoller poller = new OneSocketPoller();
        final Loop loop = new Loop(poller, Steps::nanoTime);
        final ScriptedSocket socket = new ScriptedSocket();
        final AtomicInteger handed = new AtomicInteger();
        final AtomicInteger events = new AtomicInteger();
        final Connection connection;
        private int owned;
        private int ignored;
        private volatile boolean isWorkerDone;
        private volatile boolean isAllSent;

        OneConnection() {
            this(true);
        }

        /// @param isWatched whether the loop waits for the request; else it comes along with the
        ///     connection
        OneConnection(boolean isWatched) {
            connection = new Connection(socket, loop, _ -> this);
            if (!isWatched) {
                poller.input.set(1);
                return;
            }
            try {
                connection.awaitInput();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        /// The loop reads a request and hands it to the worker, once; then it reads what comes.
        @Override
        public void readable() {
            owned++;
            boolean isRead = poller.read();
            if (isRead && events.incrementAndGet() == 1) {
                connection.handOver();
                handed.set(1);
            }
        }

        @Override
        public void readableWhileHandedOver() {}

        @Override
        public void writable() {}

        @Override
        public void expired() {}

        @Override
        public void stopping() {}

        @Override
        public void closed() {}

        @Override
        public boolean isIdle() {
            return true;
        }

        final void loop() {
            boolean isLooking = true;
            while (isLooking) {
                Steps.await("event", () -> poller.hasEvent() || isWorkerDone && isAllSent);
                runTasks();
                isLooking = poller.hasEvent();
                if (isLooking) {
                    poller.dispatch();
                    requireProgress();
                }
            }
        }

        final boolean isDone() {
            return isWorkerDone;
        }

        final void runTasks() {
            try {
                loop.runOnce(0);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        /// An event that is not for the loop is reported until the socket is disarmed. A loop that
        /// does not disarm it while a worker returns the connection polls without a pause, and
        /// keeps the worker from its processor.
        private void requireProgress() {
            if (!poller.hasEvent() || connection.isOwnedByLoop()) {
                ignored = 0;
            } else if (isOnlyReturned()) {
                ignored++;
            } else {
                Thread.yield();
            }
            if (ignored > IGNORED_MAX) {
                throw new AssertionError("an event is reported again and again");
            }
        }

        /// Returns whether the worker does nothing but to return the connection.
        boolean isOnlyReturned() {
            return false;
        }

        final void worker() {
            Steps.await("hand-over", () -> handed.get() == 1);
            int ordered =
                    handed.get(); // what follows comes after what the loop did, as a queue has it
            owned += ordered;
            try {
                work();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            isWorkerDone = true;
        }

        final void kernel() {
            poller.input.incrementAndGet();
            poller.input.incrementAndGet();
            isAllSent = true;
        }

        abstract void work() throws IOException;

        @Override
        public List<Runnable> actors() {
            return List.of(this::loop, this::worker, this::kernel);
        }

        @Override
        public void check() {
            if (poller.input.get() != 0 && !connection.isClosed()) {
                throw new AssertionError(
                        "input is there, and the loop waits for none: " + poller.interest);
            }
        }
    }

    /// The worker returns the connection, while the next request comes.
    static final class Return extends OneConnection {
        @Override
        void work() throws IOException {
            connection.returnToLoop();
        }

        @Override
        boolean isOnlyReturned() {
            return true;
        }
    }

    /// The same, but the loop has something to send as soon as it has the connection, and its
    /// client takes nothing yet: what the loop waits for is not replaced by what the worker sets.
    static final class ReturnAndSend extends OneConnection {
        @Override
        void work() throws IOException {
            connection.returnToLoop();
        }

        private void loopAndSend() {
            for (int i = 0; i < 2; i++) { // a request, and what comes behind it
                Steps.await("event", poller::hasEvent);
                poller.dispatch();
            }
            Steps.await("return", () -> connection.isOwnedByLoop() || isDone());
            runTasks();
            try {
                connection.awaitOutput();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public List<Runnable> actors() {
            return List.of(this::loopAndSend, this::worker, this::kernel);
        }

        @Override
        public void check() {
            if (poller.interest.get() != Poller.WRITE) {
                throw new AssertionError("output waits, and the interest is " + poller.interest);
            }
        }
    }

    /// As [Return], but the loop ends: one of both closes the connection.
    static final class ReturnAndStop extends OneConnection {
        @Override
        void work() throws IOException {
            connection.returnToLoop();
        }

        private void loopAndStop() {
            Steps.await("event", poller::hasEvent);
            poller.dispatch();
            loop.close();
            connection.closeIfOwnedByLoop(); // as it does with all on its list
        }

        @Override
        public List<Runnable> actors() {
            return List.of(this::loopAndStop, this::worker, this::kernel);
        }

        @Override
        public void check() {
            if (socket.closed() != 1) {
                throw new AssertionError("closed " + socket.closed() + " times");
            }
        }
    }

    /// As [Return], but the connection was not watched before.
    static final class FirstReturn extends OneConnection {
        FirstReturn() {
            super(false);
        }

        @Override
        void work() throws IOException {
            connection.returnToLoop();
        }

        @Override
        boolean isOnlyReturned() {
            return true;
        }

        private void startAndLoop() {
            connection.start();
            loop();
        }

        @Override
        public List<Runnable> actors() {
            return List.of(this::startAndLoop, this::worker, this::kernel);
        }
    }

    /// The same, but the loop closes the connection as soon as it has it, to make room: then its
    /// descriptor may be the next connection's.
    static final class FirstReturnAndEnd extends OneConnection {
        FirstReturnAndEnd() {
            super(false);
        }

        @Override
        void work() throws IOException {
            connection.returnToLoop();
        }

        private void startAndClose() {
            connection.start();
            Steps.await("return", connection::isOwnedByLoop);
            connection.close();
        }

        @Override
        public List<Runnable> actors() {
            return List.of(this::startAndClose, this::worker, this::kernel);
        }

        @Override
        public void check() {
            if (poller.late.get() != 0 || socket.closed() != 1) {
                throw new AssertionError("armed after its end");
            }
        }
    }

    /// The worker waits for the second part of its request, and returns the connection.
    static final class WaitAndReturn extends OneConnection {
        @Override
        void work() throws IOException {
            while (!poller.read()) {
                connection.awaitInput(FOR_EVER);
            }
            connection.returnToLoop();
        }
    }

    /// As before, but its wait may end by time at any moment.
    static class TimedWait extends OneConnection {
        /// Returns how long it waits at most, in nanoseconds.
        long patience() {
            return 1000;
        }

        @Override
        void work() throws IOException {
            try {
                connection.awaitInput(patience());
            } catch (TimeoutIOException e) {
                // Then it returns the connection, though a server would close it.
            }
            connection.returnToLoop();
        }
    }

    /// As before, but another thread cancels its wait, or the next one.
    static final class CancelledWait extends TimedWait {
        @Override
        long patience() {
            return FOR_EVER;
        }

        private void sendAndCancel() {
            kernel();
            connection.cancelWait();
        }

        @Override
        public List<Runnable> actors() {
            return List.of(this::loop, this::worker, this::sendAndCancel);
        }
    }

    /// The worker closes the connection, while the next request comes.
    static final class Close extends OneConnection {
        private int closed;

        @Override
        void work() {
            connection.close();
        }

        @Override
        public void closed() {
            closed++;
        }

        @Override
        public void check() {
            if (closed != 1 || socket.closed() != 1) {
                throw new AssertionError("closed " + closed + " times");
            }
        }
    }

    /// The worker leaves the connection watched, as containers do: it is notified once.
    static final class Watch extends OneConnection {
        private final AtomicInteger notices = new AtomicInteger();

        @Override
        void work() throws IOException {
            connection.watchOnce(Poller.READ);
            Steps.await("notice", () -> notices.get() > 0);
            connection.returnToLoop();
        }

        @Override
        public void watchedEvent(int operations) {
            notices.incrementAndGet();
        }

        @Override
        public void check() {
            super.check();
            if (notices.get() != 1) {
                throw new AssertionError("notified " + notices.get() + " times");
            }
        }
    }
}
