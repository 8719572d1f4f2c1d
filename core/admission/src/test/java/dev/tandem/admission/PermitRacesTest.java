package dev.tandem.admission;

import dev.tandem.testkit.Races;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PermitRacesTest {

    @Test
    void noSlotIsLostOrGrantedTwice(@TempDir Path folder) throws IOException, InterruptedException {
        Races.run(folder, List.of());
    }
}
