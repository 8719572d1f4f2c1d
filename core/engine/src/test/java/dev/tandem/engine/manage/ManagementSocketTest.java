package dev.tandem.engine.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Management at a Unix-domain socket.
@Timeout(60)
class ManagementSocketTest {
    private final Path socket;

    ManagementSocketTest(@TempDir Path folder) {
        socket = folder.resolve("manage");
    }

    private String asked(String path) throws IOException {
        return asked(path, "localhost:8090");
    }

    private String asked(String path, String host) throws IOException {
        try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            String request = "GET " + path + " HTTP/1.0\r\nHost: " + host + "\r\n\r\n";
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            byte[] all = Channels.newInputStream(channel).readAllBytes();
            return new String(all, StandardCharsets.UTF_8);
        }
    }

    @Test
    void socketIsForItsOwnUserWithoutAToken() throws IOException {
        try (Server server = Tandem.listen("127.0.0.1", 0).manage(socket).start()) {
            var mode = Files.getPosixFilePermissions(socket);
            assertEquals("rw-------", PosixFilePermissions.toString(mode));
            for (String path :
                    new String[] {
                        "/health", "/explain", "/metrics", "/console", "/console/state"
                    }) {
                assertTrue(asked(path).startsWith("HTTP/1.1 200 "), path);
            }
            assertNull(server.managementAddress());
            server.stop(Duration.ofSeconds(1));
            assertFalse(Files.exists(socket));
        }
    }

    /// Browsers reach it by a port that ssh forwards.
    @Test
    void pageOfAnotherOriginWhoseNameResolvesToThisMachineLearnsNothing() throws IOException {
        try (var _ = Tandem.listen("127.0.0.1", 0).manage(socket).start()) {
            assertTrue(asked("/console/state", "evil.example:8090").startsWith("HTTP/1.1 403 "));
            assertTrue(asked("/metrics", "evil.example:8090").startsWith("HTTP/1.1 403 "));
            assertTrue(asked("/metrics", "127.0.0.1:8090").startsWith("HTTP/1.1 200 "));
        }
    }

    @Test
    void tokenIsRequiredHereToo() throws IOException {
        Tandem tandem = Tandem.listen("127.0.0.1", 0).manage(socket);
        try (var _ = tandem.manageToken("0123456789abcdef").start()) {
            assertTrue(asked("/console").startsWith("HTTP/1.1 401 "));
        }
    }

    @Test
    void socketFileOfAKilledServerIsReplaced() throws IOException {
        try (var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(socket));
        }
        assertTrue(Files.exists(socket));
        try (var _ = Tandem.listen("127.0.0.1", 0).manage(socket).start()) {
            assertTrue(asked("/ready").endsWith("ready\n"));
        }
    }
}
