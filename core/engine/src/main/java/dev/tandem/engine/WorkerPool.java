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
/// Waking is chained: at most one worker is on its way up at any time, and once it has a task it
/// wakes the next if more wait. A burst of tasks so costs the loop one wake-up, and only as many
/// workers rise as find work. The worker that rested last is woken first, its stack still warm.
///
/// Tasks come from any thread. Started and stopped once.
public final class WorkerPool {
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Queue<Task> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isOneRising = new AtomicBoolean();
    private final Supplier<IoContext> kits;
    private final int sizeMax;

    /// In place of threads of its own, if handlers run on virtual ones.
    private final @Nullable VirtualWorkers virtual;

    /// Guards what follows: touched when a worker rests, rises, starts or ends; not for every task.
    private final Object lock = new Object();

    private final List<Worker> resting = new ArrayList<>();
    private final List<Worker> all = new ArrayList<>();

    private long started;
    private volatile int activeCount;

    /// Whether workers are to say which threads of the kernel they are.
    private volatile boolean isWatched;
    private volatile boolean isStopped;

    /// What a worker runs.
    @FunctionalInterface
    public interface Task {
        /// @param context the worker's own
        void run(IoContext context);
    }

    /// @param sizeMax the most threads, at least 1
    /// @param kits makes each worker's equipment
    WorkerPool(int sizeMax, Supplier<IoContext> kits) {
        this(sizeMax, kits, null);
    }

    private WorkerPool(int sizeMax, Supplier<IoContext> kits, @Nullable VirtualWorkers virtual) {
        this.sizeMax = sizeMax;
        this.kits = kits;
        this.virtual = virtual;
    }

    /// Such as run each task on a virtual thread.
    static WorkerPool virtual(Supplier<IoContext> kits) {
        return new WorkerPool(Integer.MAX_VALUE, kits, new VirtualWorkers(kits));
    }

    /// Has the task run by a worker, soon; in order of submission.
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

    /// Runs what may submit tasks, on a thread that has done its own: a worker takes one of them
    /// itself, and no other need be woken for it.
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

    /// The same, by a thread that is done with its own: if it is a worker, it takes one such task
    /// itself, and nobody need be woken for it.
    void submitAtEnd(Task task) {
        if (virtual != null) {
            virtual.submit(task);
            return;
        }
        tasks.add(task);
        if (!(Thread.currentThread() instanceof Worker worker && worker.takesOne())) {
            wakeOne();
        }
    }

    /// How many threads there are.
    public int size() {
        if (virtual != null) {
            return virtual.count();
        }
        synchronized (lock) {
            return all.size();
        }
    }

    /// The threads that there are, each [ContextThread] unless it is virtual.
    List<Thread> threads() {
        if (virtual != null) {
            return virtual.threads();
        }
        synchronized (lock) {
            return List.copyOf(all);
        }
    }

    /// The kernel's numbers of the threads that are not resting: of all that have told them since
    /// this was first asked.
    List<Long> kernelThreads() {
        isWatched = true;
        synchronized (lock) {
            return all.stream()
                    .filter(worker -> worker.kernelThread > 0 && !resting.contains(worker))
                    .map(worker -> worker.kernelThread)
                    .toList();
        }
    }

    /// How many threads are not resting.
    int activeCount() {
        return virtual == null ? activeCount : virtual.count();
    }

    private void count() {
        activeCount = all.size() - resting.size();
    }

    /// Takes no more from the queue and interrupts what runs.
    public void stop() {
        isStopped = true;
        if (virtual != null) {
            virtual.stop();
        }
        synchronized (lock) {
            all.forEach(Thread::interrupt);
        }
    }

    private void wakeOne() {
        // Where all are at work, each looks at the queue before it rests, having counted itself out
        // first: then either it sees this task, or this thread sees it resting.
        boolean isWanted = activeCount < sizeMax;
        // Whoever is rising looks at the queue when it is up, and so sees this task.
        while (isWanted && !isOneRising.get() && isOneRising.compareAndSet(false, true)) {
            if (raise()) {
                return;
            }
            // All are busy, and each looks at the queue before it rests. One that did so in this
            // very moment saw the task, but also that somebody was rising, and woke nobody.
            isOneRising.set(false);
            isWanted = !tasks.isEmpty() && isOneResting();
        }
    }

    private boolean isOneResting() {
        synchronized (lock) {
            return !resting.isEmpty();
        }
    }

    private boolean raise() {
        Worker rested;
        synchronized (lock) {
            if (resting.isEmpty()) {
                return all.size() < sizeMax && !isStopped && begin();
            }
            rested = resting.removeLast();
            rested.isCalled = true;
            count();
        }
        LockSupport.unpark(rested);
        return true;
    }

    private boolean begin() {
        try {
            var worker = new Worker("tandem-worker-" + (started + 1), kits.get());
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

        /// Taken off the resting list to run something; guarded by the lock, read by its thread.
        private volatile boolean isCalled;

        /// 0 if nobody wanted to know; -1 if the system does not tell.
        private volatile long kernelThread;

        /// Whether it has done its task, and submits others before it takes the next.
        private boolean isAtEnd;

        /// Whether there is something for it when it has done what it does now.
        private boolean hasOne;

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
            context.during(this::work);
        }

        private void work() {
            boolean isRising = true;
            while (!isStopped) {
                Task task = tasks.poll();
                if (isRising) {
                    isRising = false;
                    isOneRising.set(false);
                    if (!tasks.isEmpty()) {
                        wakeOne();
                    }
                }
                if (task != null) {
                    work(task);
                } else if (rest()) {
                    isRising = true;
                } else {
                    return;
                }
            }
        }

        private boolean takesOne() {
            boolean isFirst = !hasOne;
            hasOne = true;
            return isFirst;
        }

        private void work(Task task) {
            hasOne = false;
            if (isWatched && kernelThread == 0) {
                kernelThread = KernelThreads.own();
            }
            try {
                task.run(context);
            } catch (Throwable e) {
                Log.LOG.log(Level.ERROR, "a worker's task failed", e);
            }
        }

        /// Waits to be called.
        ///
        /// @return true if it was called, false if the worker is to end
        private boolean rest() {
            isCalled = false;
            synchronized (lock) {
                resting.add(this);
                count();
            }
            // A task that came before this worker was on the list called nobody.
            if (!tasks.isEmpty()) {
                wakeOne();
            }
            long until = System.nanoTime() + REST_NANOS;
            while (!isCalled) {
                long left = until - System.nanoTime();
                if ((left <= 0 || isStopped) && leave()) {
                    return false;
                }
                LockSupport.parkNanos(WorkerPool.this, Math.max(left, 1));
                boolean _ = Thread.interrupted(); // what it ran is over
            }
            return true;
        }

        /// Ends this worker unless it was called at this very moment.
        private boolean leave() {
            synchronized (lock) {
                return !isCalled && resting.remove(this) && all.remove(this);
            }
        }
    }
}
