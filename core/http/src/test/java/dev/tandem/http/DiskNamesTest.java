package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Names on disk, compared as on a file system that ignores case.
class DiskNamesTest {
    private final DiskNames names = new DiskNames(true);
    private Path root;

    @BeforeEach
    void makeFolder(@TempDir Path folder) throws IOException {
        root = folder.toRealPath();
        Files.createDirectories(root.resolve("admin"));
        Files.createFile(root.resolve("admin/List.html"));
        Files.createFile(root.resolve("e\u0301"));
        Files.createSymbolicLink(root.resolve("link"), root.resolve("admin"));
    }

    @ParameterizedTest
    @CsvSource({
        "'', true",
        "admin, true",
        "ADMIN, false",
        "admin/List.html, true",
        "admin/list.html, false",
        "link/List.html, true",
        "link/LIST.html, false",
        "LINK, false",
        "e\u0301, true",
        "\u00e9, true",
        "E\u0301, false",
        "admi~1, false"
    })
    void namesMustBeAsOnDisk(String path, boolean isAsWritten) throws IOException {
        assertEquals(isAsWritten, names.areAsWritten(root, root.resolve(path)));
    }

    @Test
    void fileSystemIsTried() throws IOException {
        boolean isCaseIgnored = Files.exists(root.resolve("ADMIN"));
        Path other = root.resolve("ADMIN");
        assertEquals(!isCaseIgnored, DiskNames.of(root).areAsWritten(root, other));
        assertEquals(!isCaseIgnored, DiskNames.of(root.resolve("admin")).areAsWritten(root, other));
        Path empty = Files.createDirectory(root.resolve("empty"));
        assertEquals(!isCaseIgnored, DiskNames.of(empty).areAsWritten(root, other));
    }

    /// Only where case matters there are two such names.
    @Test
    void twoNamesThatDifferInCaseAreNoSignThatItIsIgnored() throws IOException {
        Path folder = Files.createDirectory(root.resolve("both"));
        Files.createFile(folder.resolve("readme"));
        if (!Files.exists(folder.resolve("README"))) {
            Files.createSymbolicLink(folder.resolve("README"), folder.resolve("readme"));
            Files.createSymbolicLink(folder.resolve("current"), folder.resolve("nowhere"));
            assertTrue(DiskNames.of(folder).areAsWritten(root, root.resolve("ADMIN")));
        }
    }

    @Test
    void nothingIsReadWhereCaseMatters() throws IOException {
        assertTrue(new DiskNames(false).areAsWritten(root, root.resolve("none/x")));
    }

    /// A folder without names with letters is tried by its own name.
    @Test
    void emptyFolderIsTried() throws IOException {
        Path empty = Files.createDirectory(root.resolve("empty"));
        boolean isCaseIgnored = Files.exists(root.resolve("EMPTY"));
        assertEquals(!isCaseIgnored, DiskNames.of(empty).areAsWritten(root, root.resolve("EMPTY")));
        assertFalse(names.areAsWritten(root, root.resolve("EMPTY")));
    }
}
