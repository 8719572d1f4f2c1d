package dev.tandem.acme;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A lack of memory for a moment, which also keeps log lines from being written: nothing would be
/// renewed until the restart.
@Timeout(60)
class LackOfMemoryTest {
    /// The lines on a failed order, on its name, whose step failed by that, and on all the steps.
    private static final int LINES = 3;

    @Test
    void threadThatRenewsContinues(@TempDir Path folder) throws Exception {
        AcmeSettings settings =
                AcmeSettings.of(folder.resolve("acme"), "www.example.org")
                        .withDirectory(URI.create("http://127.0.0.1:1/no-authority"));
        try (var log = LogCapture.of("dev.tandem.acme").failing(LINES);
                AcmeCertificates acme = AcmeCertificates.open(settings)) {
            acme.start(() -> {});
            Thread renewing = thread();
            Patience.until("they have failed", () -> log.lines().size() == LINES);
            renewing.join(Duration.ofSeconds(1));
            assertTrue(renewing.isAlive());
        }
    }

    private static Thread thread() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().equals("tandem-acme"))
                .findFirst()
                .orElseThrow();
    }
}
