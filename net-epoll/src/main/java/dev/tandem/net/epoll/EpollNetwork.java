package dev.tandem.net.epoll;

import dev.tandem.net.Listener;
import dev.tandem.net.Network;
import dev.tandem.net.OpenFile;
import dev.tandem.net.Outgoing;
import dev.tandem.net.Poller;
import dev.tandem.net.Socket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;

/// Sockets and readiness by epoll: fewer system calls and less work in each than through
/// java.nio.
/// Usable on Linux, on x86-64 and aarch64, where native access is allowed to this module
/// (`--enable-native-access`).
public final class EpollNetwork implements Network {
    private static final int PRIO_PROCESS = 0;

    /// By so many steps of nice(1): a loop gets three times the share of a worker (weights 1,024
    /// and 335 of `sched_prio_to_weight` in Linux's kernel/sched/core.c), a worker still some of
    /// a processor whose loop has no end of work.
    static final int BEHIND = 5;

    /// The call itself gives 40 for the most important thread and 1 for the least, so that no
    /// result looks like an error.
    private static final int NICE_ORIGIN = 20;

    /// Of the thread that made this, and so of the process, by and large: workers begin workers,
    /// and each would stand further behind.
    private final long ownNice = isUsable() ? nice() : 0;

    /// Made by the service loader.
    public EpollNetwork() {}

    private static long nice() {
        return NICE_ORIGIN - Linux.call(Calls.here().getpriority(), PRIO_PROCESS, 0, 0);
    }

    @Override
    public void standBehind() {
        // The kernel knows no more than 19 and takes more for that. If it forbids it, all stand
        // alike, as elsewhere.
        Linux.call(Calls.here().setpriority(), PRIO_PROCESS, 0, ownNice + BEHIND);
    }

    @Override
    public String name() {
        return "epoll";
    }

    @Override
    public boolean isUsable() {
        return System.getProperty("os.name", "").equals("Linux")
                && Calls.areKnown()
                && EpollNetwork.class.getModule().isNativeAccessEnabled();
    }

    @Override
    public Listener listen(SocketAddress address, int backlog) throws IOException {
        if (address instanceof UnixDomainSocketAddress unix) {
            return EpollListener.open(unix, backlog);
        }
        if (!(address instanceof InetSocketAddress inet) || inet.isUnresolved()) {
            throw new IOException("cannot listen on " + address + ": not an internet address");
        }
        return EpollListener.open(inet, backlog);
    }

    @Override
    public Listener adopt(int descriptor) throws IOException {
        return EpollListener.adopt(descriptor);
    }

    @Override
    public Socket connect(Outgoing to) throws IOException {
        return EpollSocket.connect(to);
    }

    @Override
    public Poller poller() throws IOException {
        return new EpollPoller();
    }

    @Override
    public OpenFile open(Path path) throws IOException {
        return EpollFile.open(path);
    }
}
