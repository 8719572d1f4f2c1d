package dev.tandem.workloads.surge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SurgeFilesTest {
    private static final SurgeSettings SMALL =
            SurgeSettings.DEFAULT.withFiles(150).withRequests(2_000);
    private static final Surge SURGE = Surge.of(SMALL);

    private final Path folder;
    private final SurgeFiles files = new SurgeFiles(SURGE);
    private final List<String> reported = new ArrayList<>();

    SurgeFilesTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void writeReportsFirstAndWritesAllFiles() throws IOException {
        var written =
                files.write(
                        folder,
                        line -> {
                            reported.add(line);
                            assertFalse(
                                    Files.exists(folder.resolve(SURGE.files().getFirst().path())));
                        });
        assertEquals(new SurgeFiles.Written(150, SURGE.bytes()), written);
        assertEquals(
                List.of(
                        "surge: writing 150 files, "
                                + (SURGE.bytes() >> 20)
                                + " MiB, to "
                                + folder),
                reported);
        for (SurgeFile file : SURGE.files()) {
            assertTrue(files.isRight(file, 0, Files.readAllBytes(folder.resolve(file.path()))));
        }
        assertEquals(151, count(), "the files, and the manifest");
    }

    /// Such as a server that root starts and that runs as another user.
    @Test
    void otherUsersMayReadTheFiles() throws IOException {
        files.write(folder, reported::add);
        for (SurgeFile file : SURGE.files()) {
            Path path = folder.resolve(file.path());
            assertTrue(
                    Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_READ),
                    path.toString());
        }
    }

    @Test
    void equalSetIsReused() throws IOException {
        files.write(folder, reported::add);
        reported.clear();
        var again = new SurgeFiles(Surge.of(SMALL)).write(folder, reported::add);
        assertEquals(new SurgeFiles.Written(0, 0), again);
        assertEquals(List.of("surge: 150 files are in " + folder), reported);
    }

    @Test
    void filesAreReusedForMoreRequests() throws IOException {
        files.write(folder, reported::add);
        var longer = Surge.of(SMALL.withRequests(4_000));
        assertEquals(0, new SurgeFiles(longer).write(folder, reported::add).files());
    }

    @Test
    void incompleteSetIsCompletedAndRepaired() throws IOException {
        files.write(folder, reported::add);
        var missing = SURGE.files().get(3);
        var cut = SURGE.files().get(4);
        var changed = SURGE.files().get(5);
        Files.delete(folder.resolve(missing.path()));
        Files.write(folder.resolve(cut.path()), new byte[(int) cut.bytes() - 1]);
        Files.write(folder.resolve(changed.path()), new byte[(int) changed.bytes()]);
        var written = files.write(folder, reported::add);
        assertEquals(
                new SurgeFiles.Written(3, missing.bytes() + cut.bytes() + changed.bytes()),
                written);
        assertEquals(0, files.write(folder, reported::add).files());
    }

    @Test
    void folderWithAnotherSetIsRejected() throws IOException {
        files.write(folder, reported::add);
        var other = new SurgeFiles(Surge.of(SMALL.withSeed(2)));
        var exception = assertThrows(IOException.class, () -> other.write(folder, reported::add));
        assertEquals(
                folder
                        + " holds another file set (see surge.manifest there): take another folder,"
                        + " or delete it",
                exception.getMessage());
        assertEquals(0, files.write(folder, reported::add).files());
    }

    @Test
    void foreignFolderIsRejected() throws IOException {
        Files.writeString(folder.resolve("letter.txt"), "Dear");
        var exception = assertThrows(IOException.class, () -> files.write(folder, reported::add));
        assertEquals(
                folder + " is not empty and holds no file set: take another folder",
                exception.getMessage());
        assertEquals(1, count());
        assertEquals(List.of(), reported);
    }

    @Test
    void setLargerThanTheFreeSpaceIsRejected() {
        var tight = new SurgeFiles(SURGE, path -> 20L << 20);
        var exception = assertThrows(IOException.class, () -> tight.write(folder, reported::add));
        assertEquals(
                ("%s has 20 MiB free, and %d MiB are needed:"
                                + " take another folder, or fewer files")
                        .formatted(folder, (SURGE.bytes() + (16 << 20)) >> 20),
                exception.getMessage());
        assertEquals(List.of(), reported);
    }

    @Test
    void writeErrorNamesTheFileAndAllowsAnotherTry() throws IOException {
        // A file in the place of a folder: the set's second hundred cannot be written.
        files.write(folder, reported::add);
        Path second = folder.resolve("d01");
        deleteAll(second);
        Files.writeString(second, "in the way");
        var exception = assertThrows(IOException.class, () -> files.write(folder, reported::add));
        assertTrue(exception.toString().contains("cannot be written, after 0 of 50 files"));
        assertTrue(exception.toString().contains("the same call continues from there"));
        Files.delete(second);
        assertEquals(50, files.write(folder, reported::add).files());
    }

    @Test
    void failedMoveLeavesNoTemporaryFile() throws IOException {
        files.write(folder, reported::add);
        var file = SURGE.files().get(7);
        Path place = folder.resolve(file.path());
        Files.delete(place);
        Files.createDirectories(place.resolve("in/the/way"));
        assertThrows(IOException.class, () -> files.write(folder, reported::add));
        try (Stream<Path> all = Files.walk(folder)) {
            assertTrue(all.noneMatch(path -> path.toString().endsWith(".part")));
        }
    }

    @Test
    void wrongBytesAreDetected() throws IOException {
        files.write(folder, reported::add);
        var file = SURGE.files().stream().filter(f -> f.bytes() > 9_000).findFirst().orElseThrow();
        var other = SURGE.files().stream().filter(f -> f != file).findFirst().orElseThrow();
        byte[] bytes = Files.readAllBytes(folder.resolve(file.path()));
        for (int offset : new int[] {0, 1, 63, 64, 4_095, 4_096, 5_000}) {
            for (int length : new int[] {0, 1, 64, 4_000}) {
                byte[] part = Arrays.copyOfRange(bytes, offset, offset + length);
                assertTrue(files.isRight(file, offset, part), offset + "+" + length);
                assertEquals(length == 0, files.isRight(file, offset + 7, part));
            }
        }
        byte[] start = Arrays.copyOf(bytes, 64);
        assertFalse(files.isRight(other, 0, start));
        assertFalse(new SurgeFiles(Surge.of(SMALL.withSeed(2))).isRight(file, 0, start));
        assertFalse(files.isRight(file, 1, bytes), "longer than the file");
        assertFalse(files.isRight(file, -1, start));
        bytes[8_999] ^= 1;
        assertFalse(files.isRight(file, 0, bytes));
    }

    @Test
    void eachBlockIdentifiesItsFile() {
        byte[] block = new byte[SurgeContent.BLOCK_BYTES];
        new SurgeContent(-2).fill(742, 3, block);
        String text = new String(block, StandardCharsets.US_ASCII);
        assertEquals(
                "surge fffffffffffffffe file 00000742 block 00000003 ...........",
                text.lines().findFirst().orElseThrow());
        assertEquals(64, text.lines().count());
    }

    @Test
    void textCompressesToAboutAThird() {
        byte[] text = new byte[100 * SurgeContent.BLOCK_BYTES];
        byte[] block = new byte[SurgeContent.BLOCK_BYTES];
        for (int number = 0; number < 100; number++) {
            new SurgeContent(1).fill(1, number, block);
            System.arraycopy(block, 0, text, number * block.length, block.length);
        }
        try (var deflater = new Deflater()) {
            deflater.setInput(text);
            deflater.finish();
            double ratio = (double) deflater.deflate(new byte[text.length]) / text.length;
            assertEquals(0.33, ratio, 0.05);
        }
    }

    private long count() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).count();
        }
    }

    private static void deleteAll(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            for (Path path : all.toList()) {
                Files.delete(path);
            }
        }
        Files.delete(folder);
    }
}
