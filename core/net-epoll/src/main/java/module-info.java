/// Sockets and pollers based on Linux epoll, through java.lang.foreign. Requires native access.
module dev.tandem.net.epoll {
    requires dev.tandem.net;
    requires static transitive org.jspecify;

    provides dev.tandem.net.Network with
            dev.tandem.net.epoll.EpollNetwork;
    provides dev.tandem.net.Datagrams with
            dev.tandem.net.epoll.UnixDatagrams;
}
