package dev.tandem.engine;

import dev.tandem.testkit.Races;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WakeRacesTest {
    /// One state at a time, so that workers become idle between any two.
    private static final List<String> ONE_BY_ONE =
            List.of("-strideSize", "1", "-strideCount", "32");

    @Test
    void noCallIsLost(@TempDir Path folder) throws IOException, InterruptedException {
        Races.run(folder, ONE_BY_ONE);
    }
}
