package dev.tandem.net.epoll;

import org.jspecify.annotations.Nullable;

/// The system call numbers of one processor architecture, from the Linux tables
/// (`arch/x86/entry/syscalls/syscall_64.tbl`, `include/uapi/asm-generic/unistd.h`).
record SystemCallNumbers(
        int read,
        int write,
        int close,
        int writev,
        int sendfile,
        int socket,
        int bind,
        int listen,
        int getsockname,
        int sendto,
        int recvfrom,
        int setsockopt,
        int shutdown,
        int accept4,
        int openat,
        int statx,
        int eventfd2,
        int epollCreate1,
        int epollCtl,
        int epollPwait,
        int connect,
        int getsockopt,
        int getpeername,
        int epollPwait2,
        int pread64,
        int sendmsg,
        int recvmsg,
        int fcntl,
        int ppoll,
        int getpriority,
        int setpriority) {

    private static final SystemCallNumbers X86_64 =
            new SystemCallNumbers(
                    0, 1, 3, 20, 40, 41, 49, 50, 51, 44, 45, 54, 48, 288, 257, 332, 290, 291, 233,
                    281, 42, 55, 52, 441, 17, 46, 47, 72, 271, 140, 141);

    private static final SystemCallNumbers AARCH64 =
            new SystemCallNumbers(
                    63, 64, 57, 66, 71, 198, 200, 201, 204, 206, 207, 208, 210, 242, 56, 291, 19,
                    20, 21, 22, 203, 209, 205, 441, 67, 211, 212, 25, 73, 141, 140);

    private static final @Nullable SystemCallNumbers KNOWN = of(System.getProperty("os.arch", ""));

    private static @Nullable SystemCallNumbers of(String architecture) {
        return switch (architecture) {
            case "amd64", "x86_64" -> X86_64;
            case "aarch64", "arm64" -> AARCH64;
            default -> null;
        };
    }

    static boolean areKnown() {
        return KNOWN != null;
    }

    /// Returns the numbers of this machine.
    static SystemCallNumbers forThisMachine() {
        SystemCallNumbers calls = KNOWN;
        if (calls == null) {
            throw new IllegalStateException("no system call numbers for this architecture");
        }
        return calls;
    }
}
