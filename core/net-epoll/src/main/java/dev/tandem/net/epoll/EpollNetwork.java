package dev.tandem.net.epoll;

import dev.tandem.net.ConnectOptions;
import dev.tandem.net.Listener;
import dev.tandem.net.Network;
import dev.tandem.net.OpenFile;
import dev.tandem.net.Poller;
import dev.tandem.net.Socket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;

/// Sockets and pollers based on epoll: fewer and cheaper system calls than java.nio. Usable on
/// Linux, on x86-64 and aarch64, if native access is enabled for this module
/// (`--enable-native-access`).
public final class EpollNetwork implements Network {

    public EpollNetwork() {}

    @Override
    public String name() {
        return "epoll";
    }

    @Override
    public boolean isUsable() {
        return System.getProperty("os.name", "").equals("Linux")
                && SystemCallNumbers.areKnown()
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
    public Socket connect(ConnectOptions to) throws IOException {
        return EpollSocket.connect(to);
    }

    @Override
    public boolean lowerPriority(int levels) {
        return ThreadPriority.lower(levels);
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
