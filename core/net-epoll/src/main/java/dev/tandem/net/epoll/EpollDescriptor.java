package dev.tandem.net.epoll;

import dev.tandem.net.Poller;

/// An object with a file descriptor that epoll can watch.
sealed interface EpollDescriptor extends Poller.Pollable permits EpollSocket, EpollListener {

    int fd();

    /// Returns whether several loops watch the descriptor: it is then registered with
    /// EPOLLEXCLUSIVE (epoll_ctl(2)), because otherwise each event would wake all of them.
    boolean isShared();
}
