package dev.tandem.net;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/// The files of Unix-domain sockets. A killed process leaves its file behind.
public final class SocketFiles {
    private SocketFiles() {}

    /// Deletes the file at an address if it is a stale socket file.
    ///
    /// @throws IOException if the socket has a listener, or another kind of file exists; names the
    ///     reason
    public static void deleteStale(UnixDomainSocketAddress address) throws IOException {
        Path path = address.getPath();
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        var attributes =
                Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isOther()) {
            throw new IOException(
                    "cannot listen on " + path + ": the file exists and is not a socket");
        }
        if (hasListener(address)) {
            throw new IOException("cannot listen on " + path + ": address already in use");
        }
        Files.deleteIfExists(path);
    }

    private static boolean hasListener(UnixDomainSocketAddress address) throws IOException {
        try (var _ = SocketChannel.open(address)) {
            return true;
        } catch (ConnectException _) {
            return false;
        } catch (SocketException e) {
            throw new IOException(
                    "cannot determine whether "
                            + address.getPath()
                            + " has a listener: "
                            + e.getMessage(),
                    e);
        }
    }
}
