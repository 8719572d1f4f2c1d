package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.files.ResolvedFiles.ResolvedFile;
import dev.tandem.http.FileStamp;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class VariantsTest {
    private static final long NOW = Long.MAX_VALUE / 2;
    private static final AcceptedCodings GZIP = AcceptedCodings.of("gzip");

    private static Variants variants(long modifiedNanos) {
        var snapshot = new FileSnapshot(new FileStamp(5_000, modifiedNanos, true, false), null);
        var document = new Document("a.txt", Path.of("no/such/a.txt"), snapshot);
        FileMetadata metadata = FileMetadata.of(document, NOW);
        var plain = new ResolvedFile("a.txt", document, metadata, NOW);
        return Variants.of(plain, Compression.DEFAULT);
    }

    @Test
    void incompressibleFileIsRememberedUntilItChanges() {
        Variants first = variants(7);
        assertNotNull(first.choose(GZIP, true));
        first.markIncompressible();
        Variants same = variants(7);
        same.inherit(first);
        assertNull(same.choose(GZIP, true));
        Variants changed = variants(8);
        changed.inherit(first);
        assertNotNull(changed.choose(GZIP, true));
    }

    @Test
    void failedCodingIsNotUsedUntilTheNextLookUp() {
        Variants first = variants(7);
        first.markFailed(Coding.GZIP);
        assertNull(first.choose(GZIP, true));
        Variants next = variants(7);
        next.inherit(first);
        assertNotNull(next.choose(GZIP, true));
    }
}
