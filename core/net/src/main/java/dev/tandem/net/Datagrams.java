package dev.tandem.net;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/// Unix-domain datagrams, which Java lacks: a supervisor is told by them that a server is ready
/// (`sd_notify(3)`), and a process hands its open sockets to another by them (`SCM_RIGHTS` of
/// `unix(7)`). Safe for use by any thread; nothing blocks.
public interface Datagrams {

    /// The most descriptors that one datagram carries: 64, a quarter of what Linux allows.
    int DESCRIPTORS_MAX = 64;

    /// The longest content in bytes: 4,096.
    int CONTENT_MAX = 4096;

    boolean isUsable();

    /// Sends one to whoever has bound an address.
    ///
    /// @param to a path; one that begins with `@` is a name in Linux's abstract space
    /// @param descriptors that the receiver gets copies of
    /// @throws IOException if nobody is there, or what waits there is too much
    /// @throws IllegalArgumentException if the address, the content or the list is too long
    void send(String to, byte[] content, int... descriptors) throws IOException;

    /// Binds a path, which must not be there.
    Receiver bind(Path path) throws IOException;

    /// Where datagrams come to. Used by one thread at a time.
    interface Receiver extends AutoCloseable {

        /// The next one that has come, if there is one.
        Optional<Datagram> receive() throws IOException;

        /// Closes it and deletes its path.
        @Override
        void close();
    }

    /// What came.
    ///
    /// @param descriptors are open, and the receiver's to close or take on
    record Datagram(String content, List<Integer> descriptors) {

        /// Takes a copy of the list.
        public Datagram {
            descriptors = List.copyOf(descriptors);
        }
    }

    /// Those of the first usable provider.
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
