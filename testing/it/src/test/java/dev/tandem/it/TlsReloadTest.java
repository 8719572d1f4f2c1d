package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.FreePort;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A process that serves a folder over TLS takes a new certificate on SIGHUP.
@DisabledOnOs(OS.WINDOWS)
class TlsReloadTest {
    private final Tool openssl = Tool.openssl();

    @Test
    void newCertificateIsServedAfterSighup(@TempDir Path folder) throws Exception {
        HangUp.assumeNotIgnored();
        TlsPapers.in(folder);
        Path shown = Files.copy(folder.resolve("site.pem"), folder.resolve("shown.pem"));
        Path key = Files.copy(folder.resolve("site.key"), folder.resolve("shown.key"));
        Path root = Files.createDirectory(folder.resolve("root"));
        Files.writeString(root.resolve("index.html"), "here");
        int port = FreePort.find();
        String[] words = {
            "serve",
            root.toString(),
            "--tls",
            "127.0.0.1:" + port,
            "--cert",
            shown.toString(),
            "--key",
            key.toString()
        };
        try (var server = ServerProcess.start(folder, words)) {
            Patience.until("TLS", () -> said(folder, port).contains("subject=CN = site"));
            Files.copy(folder.resolve("other.pem"), shown, StandardCopyOption.REPLACE_EXISTING);
            Files.copy(folder.resolve("other.key"), key, StandardCopyOption.REPLACE_EXISTING);
            server.hangUp();
            Patience.until("the new one", () -> said(folder, port).contains("subject=CN = other"));
            server.terminate();
            assertEquals(0, server.end());
        }
        assertTrue(Files.exists(shown));
    }

    private String said(Path folder, int port) {
        try {
            Path in = Files.writeString(folder.resolve("in"), "GET / HTTP/1.0\r\n\r\n");
            String at = "127.0.0.1:" + port;
            return openssl.reading(in).run(folder, "s_client", "-ign_eof", "-connect", at);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
