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

    /// Near the end of what a long has: the clock's origin is arbitrary, and it may go round.
    private static final long LOOKED = Long.MAX_VALUE - 10;

    private final ResolvedFiles places = new ResolvedFiles(RECHECK);

    @Test
    void whatWasFoundIsKnownForTheRecheckTime() {
        ResolvedFile file = place("a", 0);
        places.put(file);
        assertEquals(file, places.get("a", LOOKED + RECHECK - 1));
        assertNull(places.get("a", LOOKED + RECHECK));
    }

    @Test
    void withoutRecheckTimeNothingIsKnown() {
        var forgetful = new ResolvedFiles(0);
        forgetful.put(place("a", 0));
        assertNull(forgetful.get("a", LOOKED));
    }

    @Test
    void aFileThatIsNotSettledIsNotKnown() {
        places.put(place("a", 0));
        places.put(place("a", LOOKED));
        assertNull(places.get("a", LOOKED));
    }

    @Test
    void whatIsForgottenIsNotKnown() {
        places.put(place("a", 0));
        places.remove("a");
        assertNull(places.get("a", LOOKED));
    }

    /// The two names have the same hash code.
    @Test
    void aNameThatCollidesIsAnother() {
        places.put(place("Aa", 0));
        assertNull(places.get("BB", LOOKED));
    }

    private static ResolvedFile place(String tail, long modifiedNanos) {
        var snapshot = new FileSnapshot(new FileStamp(1, modifiedNanos, true, false), null);
        var document = new Document(tail, Path.of(tail), snapshot);
        return new ResolvedFile(tail, document, FileMetadata.of(document, LOOKED), LOOKED);
    }
}
