package dev.tandem.net.epoll;

import dev.tandem.net.Poller;

/// An object with a file descriptor that epoll can watch. It is closed under its monitor only: a
/// thread that has that, and finds it open, uses the descriptor before it may be another's.
sealed interface EpollDescriptor extends Poller.Pollable permits EpollSocket, EpollListener {

    int fd();

    boolean isClosed();

    /// Returns whether several loops watch the descriptor: it is then registered with
    /// EPOLLEXCLUSIVE (epoll_ctl(2)), because otherwise each event would wake all of them.
    boolean isShared();
}
