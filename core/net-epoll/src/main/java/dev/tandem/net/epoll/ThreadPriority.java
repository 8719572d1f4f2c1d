package dev.tandem.net.epoll;

/// The nice value of a thread, which Linux keeps for each thread and not only for the process
/// (`setpriority(2)`, section "C library/kernel differences").
final class ThreadPriority {
    private static final int PROCESS = 0;
    private static final int CALLING_THREAD = 0;

    /// What the kernel returns for a nice value: 20 less it, so that no result is negative.
    private static final int OFFSET = 20;

    private static final int NICE_MAX = 19;

    private ThreadPriority() {}

    /// @param levels above the nice value of the process's first thread, 0 to 19
    /// @return whether the kernel did so: it does not raise a priority without a privilege
    static boolean lower(int levels) {
        int first = (int) ProcessHandle.current().pid();
        SystemCallNumbers calls = SystemCallNumbers.forThisMachine();
        long own = Linux.call(calls.getpriority(), PROCESS, first, 0);
        if (own <= 0) {
            return false;
        }
        long nice = Math.min(NICE_MAX, OFFSET - own + levels);
        return Linux.call(calls.setpriority(), PROCESS, CALLING_THREAD, nice) == 0;
    }
}
