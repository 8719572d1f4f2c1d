package dev.tandem.lab;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.pagecache.CompressionEngine;
import dev.tandem.pagecache.PageCodec;
import dev.tandem.pagecache.PageJob;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OffloadExperimentTest {

    @Test
    void everyEngineGetsItsPages() throws Exception {
        List<ByteBuffer> pages = OffloadPages.generated(4, 38);
        for (var engine :
                List.of(
                        CompressionEngine.of(PageCodec.lz4()),
                        CompressionEngine.workers(PageCodec.zstd(1), 1))) {
            try (engine) {
                var passes = new EnginePasses(engine, pages);
                assertTrue(passes.ratio() > 0.2 && passes.ratio() < 0.6, passes.ratio() + "");
                for (PageJob.Operation operation : PageJob.Operation.values()) {
                    EnginePasses.Result result = passes.run(operation, 3, 0.01);
                    assertTrue(result.rate() > 0 && result.latencyMicros() > 0, result.toString());
                }
            }
        }
    }

    @Test
    void wholePagesOfAFolderAreTaken(@TempDir Path folder) throws Exception {
        Files.write(folder.resolve("small"), new byte[1_000]);
        Files.write(folder.resolve("large"), new byte[200_000]);
        List<ByteBuffer> pages = OffloadPages.ofFolder(folder, 10);
        assertEquals(3, pages.size());
        assertEquals(65_536, requireNonNull(pages.getFirst()).remaining());
    }
}
