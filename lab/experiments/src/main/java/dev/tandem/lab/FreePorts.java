package dev.tandem.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// Ports for servers that are started later, each reserved until this process ends: by this
/// process and, through locks in a file, by other processes that use this class.
final class FreePorts {
    /// Below the range that Linux assigns to clients, and above the ports of well-known servers.
    private static final int FROM = 20_000;

    private static final int TO = 32_000;
    private static final int TRIES = 1_000;

    private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

    /// Byte N is locked while some process has port N. Open until this process ends.
    private static @Nullable FileChannel locks;

    private FreePorts() {}

    /// Returns a free port, another one at each call: outside of the range that the system assigns
    /// to clients, or a client could have it before it is used, or while a server is restarted.
    ///
    /// @throws LabException if there is none, or the file of the locks cannot be opened
    static int next() throws LabException {
        IOException last = new IOException("no port was tried");
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FROM, TO);
            if (!TAKEN.add(port) || !isLocked(port)) {
                continue;
            }
            try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return port;
            } catch (IOException e) {
                last = e;
            }
        }
        throw new LabException("no free port: " + last.getMessage());
    }

    private static boolean isLocked(int port) throws LabException {
        try {
            return locks().tryLock(port, 1, false) != null;
        } catch (OverlappingFileLockException e) {
            return false; // a test's, in this process
        } catch (IOException e) {
            throw new LabException("cannot reserve a port: " + e.getMessage());
        }
    }

    private static synchronized FileChannel locks() throws IOException {
        FileChannel open = locks;
        if (open == null) {
            String user = System.getProperty("user.name");
            Path file = Path.of(System.getProperty("java.io.tmpdir"), "tandem-ports-" + user);
            open = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            locks = open;
        }
        return open;
    }
}
