package dev.tandem.net.epoll;

import dev.tandem.net.Poller;

/// What epoll can watch: something with a file descriptor.
sealed interface EpollDescriptor extends Poller.Pollable permits EpollSocket, EpollListener {

    int fd();

    /// What is asked of epoll besides readiness; without it, each event wakes every loop that
    /// watches the same listener (epoll_ctl(2), EPOLLEXCLUSIVE).
    boolean isShared();
}
