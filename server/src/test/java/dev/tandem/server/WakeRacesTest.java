package dev.tandem.server;

import dev.tandem.testkit.Races;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WakeRacesTest {

    /// One state at a time, so that workers go to rest between any two.
    @Test
    void noCallIsLost(@TempDir Path folder) throws IOException, InterruptedException {
        Races.run(
                folder,
                "-c",
                "2",
                "-iters",
                "1",
                "-time",
                "200",
                "-strideSize",
                "1",
                "-strideCount",
                "32");
    }
}
