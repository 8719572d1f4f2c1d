package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.files.ResolvedFiles.ResolvedFile;
import dev.tandem.http.FileStamp;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ResolvedFilesTest {
    private static final long RECHECK = 1_000;

    /// Near the maximum of a long: the clock's origin is arbitrary, and its value may overflow.
    private static final long CHECKED = Long.MAX_VALUE - 10;

    private final ResolvedFiles places = new ResolvedFiles(RECHECK);

    @Test
    void foundFileIsKnownForTheRecheckTime() {
        ResolvedFile file = place("a", 0);
        places.put(file);
        assertEquals(file, places.get("a", CHECKED + RECHECK - 1));
        assertNull(places.get("a", CHECKED + RECHECK));
    }

    @Test
    void nothingIsKnownWithoutRecheckTime() {
        var forgetful = new ResolvedFiles(0);
        forgetful.put(place("a", 0));
        assertNull(forgetful.get("a", CHECKED));
    }

    @Test
    void unstableFileIsNotKnown() {
        places.put(place("a", 0));
        places.put(place("a", CHECKED));
        assertNull(places.get("a", CHECKED));
    }

    @Test
    void removedFileIsNotKnown() {
        places.put(place("a", 0));
        places.remove("a");
        assertNull(places.get("a", CHECKED));
    }

    /// The two names have the same hash code.
    @Test
    void collidingNameIsDistinguished() {
        places.put(place("Aa", 0));
        assertNull(places.get("BB", CHECKED));
    }

    @Test
    void removingANameKeepsAnotherOfItsSlot() {
        ResolvedFile file = place("Aa", 0);
        places.put(file);
        places.remove("BB");
        assertEquals(file, places.get("Aa", CHECKED));
    }

    private static ResolvedFile place(String tail, long modifiedNanos) {
        var snapshot = new FileSnapshot(new FileStamp(1, modifiedNanos, true, false), null);
        var document = new Document(tail, Path.of(tail), snapshot);
        return new ResolvedFile(tail, document, FileMetadata.of(document, CHECKED), CHECKED);
    }
}
