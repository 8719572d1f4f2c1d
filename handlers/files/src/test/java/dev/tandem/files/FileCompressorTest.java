package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.files.ResolvedFiles.ResolvedFile;
import dev.tandem.testkit.Shelved;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCompressorTest {
    private static final String TEXT = "All work and no play makes Jack a dull boy.\n".repeat(200);
    private static final long NOW = Long.MAX_VALUE / 2;

    /// As where the library of zstd is missing, which shows with the first file: that one would be
    /// sent uncompressed to clients that accept gzip, too, until the restart.
    @Test
    void fileWhoseCompressionFailedIsNotIncompressible(@TempDir Path folder) throws Exception {
        assertFalse(Compressors.has(Coding.ZSTD), "here it fails");
        Path file = Shelved.write(folder.resolve("a.txt"), TEXT);
        var document = new Document("a.txt", file, FileSnapshot.of(file));
        FileMetadata metadata = FileMetadata.of(document, NOW);
        var plain = new ResolvedFile("a.txt", document, metadata, NOW);
        Variants variants = Variants.of(plain, Compression.DEFAULT);
        FileMetadata coded = metadata.withVary().withCoding(Coding.ZSTD);
        var zstd = new ResolvedFile("a.txt\0zstd", document, coded, NOW, variants);

        var compressor = new FileCompressor(List.of(Coding.ZSTD, Coding.GZIP));
        assertNull(compressor.load(zstd));
        AcceptedCodings accepted = AcceptedCodings.of("gzip, zstd");
        ResolvedFile gzip = variants.choose(accepted, true);
        assertNotNull(gzip);
        assertNotNull(compressor.load(gzip));
        Variants next = Variants.of(plain, Compression.DEFAULT);
        next.inherit(variants);
        assertNotNull(next.choose(accepted, true));
    }
}
