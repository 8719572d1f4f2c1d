package dev.tandem.acme;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.FreePort;
import dev.tandem.testkit.LogCapture;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnDemandLogTest {
    private static final int NAMES = 50;

    /// Clients choose the names, as many as they like.
    @Test
    void namesWithoutPermissionDoNotFillTheLog(@TempDir Path folder) throws Exception {
        URI nowhere = URI.create("http://127.0.0.1:" + FreePort.find() + "/allowed");
        AcmeSettings settings =
                AcmeSettings.of(folder, "www.example.org")
                        .withDirectory(nowhere)
                        .withPermission(nowhere);
        var storage = new Storage(settings.storage(), settings.directory());
        var authority = new Authority(settings, storage, new Proofs(), () -> {});
        var renewer = new Renewer(settings, InstantSource.system(), storage, authority, () -> {});
        try (var log = LogCapture.of("dev.tandem.acme")) {
            for (int i = 0; i < NAMES; i++) {
                assertFalse(renewer.isPermitted("name" + i + ".example.org"));
            }
            int lines = log.messages(line -> line.contains("does not reply")).size();
            assertTrue(lines >= 1 && lines <= NAMES / 5, lines + " lines");
        }
    }
}
