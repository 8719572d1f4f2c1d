package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.http.FileStamp;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileMetadataTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long NOW = 1_800_000_000L * SECOND;

    @Test
    void fileThatChangedTwoSecondsAgoIsStable() {
        assertTrue(label(16, NOW - 2 * SECOND).isStable());
    }

    @ParameterizedTest
    @ValueSource(longs = {NOW - 2 * SECOND + 1, NOW, NOW + 1, NOW + 3600 * SECOND, Long.MAX_VALUE})
    void fileThatChangedJustNowOrInTheFutureIsNotStable(long modifiedNanos) {
        assertFalse(label(16, modifiedNanos).isStable());
    }

    @Test
    void tagOfAStableFileIsStrong() {
        assertEquals("\"10-" + Long.toHexString(NOW - 5 * SECOND) + "\"", old(16).etag());
    }

    @Test
    void tagOfAnUnstableFileIsWeak() {
        assertEquals("W/\"10-" + Long.toHexString(NOW) + "-new\"", label(16, NOW).etag());
    }

    @Test
    void tagDependsOnTheSize() {
        assertNotEquals(old(16).etag(), old(17).etag());
    }

    @Test
    void tagDependsOnNanoseconds() {
        assertNotEquals(label(1, 5).etag(), label(1, 6).etag());
    }

    @Test
    void unstableFileHasNoDate() {
        assertEquals(-1, label(16, NOW).modifiedSeconds());
        assertThrows(IllegalStateException.class, () -> label(16, NOW).lastModified());
    }

    @Test
    void dateBefore1970IsRoundedDown() {
        assertEquals("Wed, 31 Dec 1969 23:59:58 GMT", label(1, -SECOND - 1).lastModified());
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, 0, NOW, Long.MAX_VALUE})
    void everyTagIsAnEntityTag(long modifiedNanos) {
        FileMetadata metadata = label(Long.MAX_VALUE, modifiedNanos);
        assertEquals(metadata.etag(), metadata.validators().etag());
    }

    private static FileMetadata old(long size) {
        return label(size, NOW - 5 * SECOND);
    }

    private static FileMetadata label(long size, long modifiedNanos) {
        var stamp = new FileStamp(size, modifiedNanos, true, false);
        return FileMetadata.of(
                new Document("a.txt", Path.of("a.txt"), new FileSnapshot(stamp, null)), NOW);
    }
}
