package dev.tandem.specweb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sizes in the benchmark's own configuration.
class FileSetTest {

    private static long bytes(Path folder) throws IOException {
        try (var all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).mapToLong(FileSetTest::size).sum();
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void bank_has200KBForEachOfFiftyUsersASession(@TempDir Path folder) throws Exception {
        FileSet.main(new String[] {folder.toString(), "banking", "0.04"});
        assertEquals(2 * 200_175, bytes(folder.resolve("META-INF/checks")));
        Path one = folder.resolve("META-INF/checks/user0000000001/CIF000000");
        Path other = folder.resolve("META-INF/checks/user0000000002/CIF000000");
        assertNotEquals(-1, Files.mismatch(one, other), "each has cheques of its own");
    }

    @Test
    void shop_hasFiveProductLinesASession(@TempDir Path folder) throws Exception {
        FileSet.main(new String[] {folder.toString(), "ecommerce", "1"});
        assertEquals(5 * 564_495, bytes(folder.resolve("ecommerce/products")));
    }

    @Test
    void support_has17MBASession(@TempDir Path folder) throws Exception {
        FileSet.main(new String[] {folder.toString(), "support", "4"});
        assertEquals(68_472_021, bytes(folder.resolve("support/downloads")), 200);
    }

    @Test
    void everyEmbeddedFile_existsInItsSize(@TempDir Path folder) throws Exception {
        FileSet.main(new String[] {folder.toString(), "banking", "0.02"});
        assertEquals(36_789, Files.size(folder.resolve("banking/images/fornewusers.gif")));
        assertEquals(
                FileSet.CHANGED_MILLIS,
                Files.getLastModifiedTime(folder.resolve("banking/images/logo.gif")).toMillis());
    }
}
