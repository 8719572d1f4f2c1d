package dev.tandem.engine;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The threads that run blocking handlers.
///
/// Waking is chained: at most one worker is being woken at any time, and once it has a task it
/// wakes the next if more tasks wait. A burst of tasks so costs the loop one wake-up, and only as
/// many workers are woken as find work. The worker that became idle last is woken first, its stack
/// still in the processor's cache.
///
/// Tasks may come from any thread. Started and stopped once.
public final class WorkerPool {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);

    /// 1 ms after a failure, which may last.
    private static final long PAUSE_NANOS = 1_000_000;

    private static final String FAILURE = "a worker's task failed";

    private final Queue<Task> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isOneWaking = new AtomicBoolean();
    private final Supplier<IoContext> contexts;
    private final int sizeMax;

    /// What each thread does first.
    private final Runnable atThreadStart;

    /// Used instead of threads of its own if handlers run on virtual threads.
    private final @Nullable VirtualWorkers virtual;

    /// Guards the fields below: taken when a worker becomes idle, is woken, starts or ends; not for
    /// every task.
    private final Object lock = new Object();

    private final List<Worker> idle = new ArrayList<>();
    private final List<Worker> all = new ArrayList<>();

    private long started;
    private volatile int activeCount;

    /// Whether workers look up their kernel thread numbers.
    private volatile boolean isWatched;
    private volatile boolean isStopped;

    /// What a worker runs.
    @FunctionalInterface
    public interface Task {
        /// @param context the worker's own
        void run(IoContext context);
    }

    /// @param sizeMax maximum number of threads, at least 1
    /// @param contexts makes each worker's I/O context
    WorkerPool(int sizeMax, Supplier<IoContext> contexts) {
        this(sizeMax, contexts, () -> {});
    }

    /// @param sizeMax maximum number of threads, at least 1
    /// @param contexts makes each worker's I/O context
    /// @param atThreadStart what each thread does first, such as lowering its priority
    WorkerPool(int sizeMax, Supplier<IoContext> contexts, Runnable atThreadStart) {
        this(sizeMax, contexts, atThreadStart, null);
    }

    private WorkerPool(
            int sizeMax,
            Supplier<IoContext> contexts,
            Runnable atThreadStart,
            @Nullable VirtualWorkers virtual) {
        this.sizeMax = sizeMax;
        this.contexts = contexts;
        this.atThreadStart = atThreadStart;
        this.virtual = virtual;
    }

    /// Returns a pool that runs each task on a virtual thread.
    static WorkerPool virtual(Supplier<IoContext> contexts) {
        return new WorkerPool(Integer.MAX_VALUE, contexts, () -> {}, new VirtualWorkers(contexts));
    }

    /// Has a worker run the task, soon; in order of submission. If this fails, as without memory,
    /// the task is not run.
    public void submit(Task task) {
        if (Thread.currentThread() instanceof Worker worker && worker.isAtEnd) {
            submitAtEnd(task);
            return;
        }
        if (virtual != null) {
            virtual.submit(task);
            return;
        }
        tasks.add(task);
        wakeOne();
    }

    /// Runs code that may submit tasks, on a thread that has finished its own task: a worker runs
    /// one of them itself, and no other thread is woken for it.
    void atEnd(Runnable submits) {
        if (!(Thread.currentThread() instanceof Worker worker)) {
            submits.run();
            return;
        }
        worker.isAtEnd = true;
        try {
            submits.run();
        } finally {
            worker.isAtEnd = false;
        }
    }

    /// As [#submit], from a thread that has finished its own task: if it is a worker, it runs one
    /// such task itself, and no other thread is woken for it.
    void submitAtEnd(Task task) {
        if (virtual != null) {
            virtual.submit(task);
            return;
        }
        tasks.add(task);
        if (!(Thread.currentThread() instanceof Worker worker && worker.runsNext())) {
            wakeOne();
        }
    }

    /// The task before may have left the calling worker interrupted: that is no affair of the next
    /// one, of another client. Once the pool has stopped, all are interrupted.
    void forgetInterruption() {
        boolean _ = Thread.interrupted();
        if (isStopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// Returns the number of threads.
    public int size() {
        if (virtual != null) {
            return virtual.count();
        }
        synchronized (lock) {
            return all.size();
        }
    }

    /// Returns the threads, each a [ContextThread] unless it is virtual.
    List<Thread> threads() {
        if (virtual != null) {
            return virtual.threads();
        }
        synchronized (lock) {
            return List.copyOf(all);
        }
    }

    /// Returns the kernel's numbers of the threads that are not idle: of all that have looked them
    /// up since this was first called.
    List<Long> kernelThreads() {
        isWatched = true;
        synchronized (lock) {
            return all.stream()
                    .filter(worker -> worker.kernelThread > 0 && !idle.contains(worker))
                    .map(worker -> worker.kernelThread)
                    .toList();
        }
    }

    /// Returns the number of threads that are not idle.
    int activeCount() {
        return virtual == null ? activeCount : virtual.count();
    }

    private void count() {
        activeCount = all.size() - idle.size();
    }

    /// Stops: interrupts running tasks. What is queued is run, too, and what comes later, each on
    /// an interrupted thread: a task that was dropped would keep its connection open. Requests that
    /// have not begun are closed instead ([RequestAdmission#run]). Threads without a task end.
    public void stop() {
        isStopped = true;
        if (virtual != null) {
            virtual.stop();
        }
        synchronized (lock) {
            all.forEach(Thread::interrupt);
        }
    }

    /// Wakes a worker, or starts one. That this fails, as without memory, does not concern the
    /// caller: the task is queued, and runs when others have run, or with the next one.
    private void wakeOne() {
        try {
            wakeOneIfWanted();
        } catch (Throwable e) {
            Log.failure("no worker was woken", e);
        }
    }

    private void wakeOneIfWanted() {
        // If all are busy, each checks the queue before it becomes idle, after counting itself out:
        // then either it sees this task, or this thread sees it idle.
        boolean isWanted = activeCount < sizeMax;
        // A worker that is being woken checks the queue when it runs, and so sees this task.
        while (isWanted && !isOneWaking.get() && isOneWaking.compareAndSet(false, true)) {
            boolean isWoken = false;
            try {
                isWoken = wakeOrStart();
            } finally {
                // Also after a failure, such as for lack of memory: no worker would be woken again.
                if (!isWoken) {
                    isOneWaking.set(false);
                }
            }
            if (isWoken) {
                return;
            }
            // All are busy, and each checks the queue before it becomes idle. One that did so at
            // this moment saw the task, but also that a worker was being woken, and woke none.
            isWanted = !tasks.isEmpty() && isOneIdle();
        }
    }

    private boolean isOneIdle() {
        synchronized (lock) {
            return !idle.isEmpty();
        }
    }

    private boolean wakeOrStart() {
        Worker woken;
        synchronized (lock) {
            if (idle.isEmpty()) {
                return all.size() < sizeMax && startOne();
            }
            woken = idle.removeLast();
            woken.isCalled = true;
            count();
        }
        LockSupport.unpark(woken);
        return true;
    }

    private boolean startOne() {
        try {
            var worker = new Worker("tandem-worker-" + (started + 1), contexts.get());
            worker.start();
            started++;
            all.add(worker);
            count();
            return true;
        } catch (OutOfMemoryError e) {
            Log.LOG.log(Level.ERROR, "no more worker threads: " + e.getMessage());
            return false;
        }
    }

    private final class Worker extends Thread implements ContextThread {
        private final IoContext context;

        /// Taken off the idle list to run something; guarded by the lock, read by its thread.
        private volatile boolean isCalled;

        /// 0 before it was looked up; -1 if the system does not report it.
        private volatile long kernelThread;

        /// Whether it has finished its task, and submits others before it takes the next.
        private boolean isAtEnd;

        /// Whether there is a task for it when it has finished its current one.
        private boolean hasNext;

        Worker(String name, IoContext context) {
            super(null, null, name, 0, false);
            this.context = context;
            setDaemon(true);
        }

        @Override
        public IoContext context() {
            return context;
        }

        @Override
        public void run() {
            boolean hasStarted = false;
            boolean hasEnded = false;
            // Without memory, anything at the start or between two tasks may fail, too. A thread
            // that was woken and ended would leave the mark that one is being woken.
            while (!hasEnded) {
                try {
                    if (!hasStarted) {
                        hasStarted = true;
                        atThreadStart.run();
                    }
                    context.during(this::work);
                    hasEnded = true;
                } catch (Throwable e) {
                    Log.failure(FAILURE, e);
                    LockSupport.parkNanos(this, PAUSE_NANOS);
                }
            }
        }

        private void work() {
            boolean isWoken = true;
            while (true) {
                Task task = tasks.poll();
                if (isWoken) {
                    isWoken = false;
                    isOneWaking.set(false);
                    if (!tasks.isEmpty()) {
                        wakeOne();
                    }
                }
                if (task != null) {
                    work(task);
                } else if (awaitCall()) {
                    isWoken = true;
                } else {
                    return;
                }
            }
        }

        private boolean runsNext() {
            boolean isFirst = !hasNext;
            hasNext = true;
            return isFirst;
        }

        private void work(Task task) {
            hasNext = false;
            forgetInterruption();
            if (isWatched && kernelThread == 0) {
                lookUp();
            }
            try {
                task.run(context);
            } catch (Throwable e) {
                Log.failure(FAILURE, e);
            }
        }

        /// Looks its kernel thread number up. If that fails, as without memory, the task is run
        /// nevertheless, and the next one tries again.
        private void lookUp() {
            try {
                kernelThread = KernelThreads.own();
            } catch (Throwable e) {
                Log.failure("a thread's number is not known", e);
            }
        }

        /// Waits to be woken.
        ///
        /// @return true if it was woken, false if the worker ends
        private boolean awaitCall() {
            isCalled = false;
            synchronized (lock) {
                idle.add(this);
                count();
            }
            // A task that was submitted before this worker was on the list has woken none.
            if (!tasks.isEmpty()) {
                wakeOne();
            }
            long until = System.nanoTime() + IDLE_NANOS;
            while (!isCalled) {
                long left = until - System.nanoTime();
                if ((left <= 0 || isStopped) && leave()) {
                    return false;
                }
                LockSupport.parkNanos(WorkerPool.this, Math.max(left, 1));
                boolean _ = Thread.interrupted(); // its task is over
            }
            return true;
        }

        /// Ends this worker unless it was woken at this very moment.
        private boolean leave() {
            synchronized (lock) {
                return !isCalled && idle.remove(this) && all.remove(this);
            }
        }
    }
}
