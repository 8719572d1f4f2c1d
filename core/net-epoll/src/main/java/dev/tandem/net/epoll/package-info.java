/// Sockets and pollers based on Linux epoll (epoll(7)), through java.lang.foreign.
@NullMarked
package dev.tandem.net.epoll;

import org.jspecify.annotations.NullMarked;
