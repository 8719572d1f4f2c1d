package dev.tandem.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FuzzCorpusTest {
    /// Fails with the second of its two inputs.
    static final class FailingTarget {
        private FailingTarget() {}

        public static void fuzzerTestOneInput(byte[] input) {
            if (input.length > 1) {
                throw new IllegalStateException("found");
            }
        }
    }

    @Test
    void failureNamesItsInput() {
        var failure =
                assertThrows(
                        AssertionError.class,
                        () -> FuzzCorpus.replay(MethodHandles.lookup(), FailingTarget.class));
        assertEquals("FailingTarget with YWI=", failure.getMessage());
    }

    @Test
    void missingCorpusFails() {
        var failure =
                assertThrows(
                        AssertionError.class,
                        () -> FuzzCorpus.replay(MethodHandles.lookup(), NewTarget.class));
        assertTrue(String.valueOf(failure.getMessage()).contains("bin/fuzz.sh"));
    }

    /// Has no inputs.
    static final class NewTarget {
        private NewTarget() {}

        public static void fuzzerTestOneInput(byte[] input) {
            assertEquals(0, input.length);
        }
    }

    @Test
    void packedInputsAreUnpacked(@TempDir Path folder) throws IOException {
        Path inputs = Files.createDirectory(folder.resolve("inputs"));
        Files.writeString(inputs.resolve("a"), "longer");
        Files.write(inputs.resolve("b"), new byte[] {0, -1});
        Path corpus = folder.resolve("X.corpus");
        FuzzCorpus.main("pack", inputs.toString(), corpus.toString());
        assertEquals("AP8=\nbG9uZ2Vy\n", Files.readString(corpus));
        Path again = folder.resolve("again");
        FuzzCorpus.main("unpack", corpus.toString(), again.toString());
        assertArrayEquals(new byte[] {0, -1}, Files.readAllBytes(again.resolve("kept-0")));
        String longer = Files.readString(again.resolve("kept-1"), StandardCharsets.US_ASCII);
        assertEquals("longer", longer);
    }
}
