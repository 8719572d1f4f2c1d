package dev.tandem.testkit;

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

/// A port of this machine for a server that needs a fixed one, and may be killed and restarted:
/// outside of the range that the system assigns to clients, or a client could get it meanwhile.
/// Reserved until this process ends, through locks in a file that the laboratory's servers use,
/// too.
public final class FreePort {
    /// Below the ranges that Linux, the BSDs and Windows assign to clients.
    private static final int FROM = 20_000;

    private static final int TO = 32_000;
    private static final int TRIES = 1_000;

    /// Ports that were returned before: a test that needs several has not opened the first yet.
    private static final Set<Integer> RETURNED = ConcurrentHashMap.newKeySet();

    /// Byte N is locked while some process has port N. Open until this process ends.
    private static @Nullable FileChannel locks;

    private FreePort() {}

    /// Returns another port at each call.
    ///
    /// @throws IOException if none of a thousand is free
    public static int find() throws IOException {
        IOException last = new IOException("no port was tried");
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FROM, TO);
            if (!RETURNED.add(port) || !isLocked(port)) {
                continue;
            }
            try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return port;
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    private static boolean isLocked(int port) throws IOException {
        try {
            return locks().tryLock(port, 1, false) != null;
        } catch (OverlappingFileLockException e) {
            return false; // the laboratory's, in this process
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
