package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The demo's pages in Chromium, a real browser.
class BrowserTest {
    private final Path folder;
    private final ServerProcess server;
    private final Tool chromium;

    BrowserTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        server = ServerProcess.start(folder, "demo", "files");
        chromium = Tool.chromium(folder.resolve("profile"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String rendered(String path) throws Exception {
        return chromium.run(
                folder,
                "--virtual-time-budget=10000",
                "--dump-dom",
                "http://127.0.0.1:" + server.address().getPort() + path);
    }

    @Test
    void pageWithThirtyAssetsIsLoaded() throws Exception {
        String page = rendered("/assets30");
        assertTrue(page.contains("<title>30 of 30</title>"), page);
    }

    @Test
    void demosFirstPageIsRendered() throws Exception {
        String page = rendered("/");
        assertTrue(page.contains("Tandem") && page.contains("</html>"), page);
    }
}
