package dev.tandem.net;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/// Unix-domain datagrams, which the JDK does not support. They notify a supervisor that the server
/// is ready (`sd_notify(3)`), and pass open sockets to another process (`SCM_RIGHTS` of `unix(7)`).
/// Thread-safe; no method blocks.
public interface Datagrams {

    /// The maximum number of descriptors in a datagram: 64, a quarter of the Linux limit.
    int DESCRIPTORS_MAX = 64;

    /// The maximum length of the content in bytes: 4,096.
    int CONTENT_MAX = 4096;

    boolean isUsable();

    /// Sends a datagram to the receiver that has bound an address.
    ///
    /// @param to a path; one that begins with `@` is a name in the Linux abstract namespace
    /// @param descriptors descriptors of which the receiver gets copies
    /// @throws IOException if there is no receiver, or its queue is full
    /// @throws IllegalArgumentException if the address, the content or the list is too long
    void send(String to, byte[] content, int... descriptors) throws IOException;

    /// Binds a path, which must not exist.
    Receiver bind(Path path) throws IOException;

    /// Receives datagrams. Used by one thread at a time.
    interface Receiver extends AutoCloseable {

        /// Returns the next available datagram, if any.
        Optional<Datagram> receive() throws IOException;

        /// Closes the receiver and deletes its path.
        @Override
        void close();
    }

    /// A received datagram.
    ///
    /// @param descriptors open descriptors that the receiver owns
    record Datagram(String content, List<Integer> descriptors) {

        /// Copies the list.
        public Datagram {
            descriptors = List.copyOf(descriptors);
        }
    }

    /// Returns the implementation of the first usable provider.
    static Optional<Datagrams> find() {
        for (Datagrams found :
                ServiceLoader.load(Datagrams.class, Datagrams.class.getClassLoader())) {
            if (found.isUsable()) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }
}
