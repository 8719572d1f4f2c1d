package dev.tandem.pagecache.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.pagecache.CompressionEngine;
import dev.tandem.pagecache.Engines;
import dev.tandem.pagecache.PageCodec;
import org.junit.jupiter.api.Test;

/// The setting `engine` with this module; without the libraries of CUDA, or with them.
class ByNameTest {
    @Test
    void gpuIsFoundByItsName() {
        try (CompressionEngine engine = Engines.open("gpu", PageCodec.lz4(), Pages.PAGE)) {
            assertTrue(engine.isAvailable());
        } catch (IllegalStateException e) {
            String message = String.valueOf(e.getMessage());
            assertTrue(message.startsWith("no GPU can be used: "), message);
        }
    }

    @Test
    void autoIsAlwaysAnEngine() {
        try (CompressionEngine engine = Engines.open("auto", PageCodec.lz4(), Pages.PAGE)) {
            assertEquals("lz4", engine.codec().name());
        }
    }

    @Test
    void unknownNameIsAnErrorWithTheKnownOnes() {
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Engines.open("fast", PageCodec.lz4(), Pages.PAGE));
        assertEquals(
                "the engine must be one of cache, workers, helper, auto, gpu, was 'fast'",
                e.getMessage());
    }
}
