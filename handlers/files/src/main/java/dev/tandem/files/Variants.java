package dev.tandem.files;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.files.ResolvedFiles.ResolvedFile;
import dev.tandem.http.FileStamp;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The variants in which a file can be sent in addition to the uncompressed one: precompressed
/// files and compression on demand. Shared by all threads.
///
/// Each variant has a name under which it is held in memory: that of the file, a NUL, which no path
/// contains, and that of the coding.
final class Variants {
    private static final Coding[] CODINGS = Coding.values();

    /// The variants of a file that has none.
    static final Variants NONE = new Variants();

    /// How much older than its original a precompressed file may be: two seconds, since copying a
    /// folder may change the order, and old file systems have a resolution of two seconds.
    private static final long MODIFIED_TOLERANCE_NANOS = 2_000_000_000L;

    private final @Nullable ResolvedFile[] precompressed =
            new @Nullable ResolvedFile[CODINGS.length];
    private final @Nullable ResolvedFile[] onDemand = new @Nullable ResolvedFile[CODINGS.length];
    private boolean isEmpty = true;

    /// Set when the file turns out to be incompressible.
    private volatile boolean isIncompressible;

    /// The coding in which compression failed, which says nothing about the file; or null.
    private volatile @Nullable Coding failed;

    private Variants() {}

    /// Finds the variants of a file. Blocks.
    ///
    /// @param plain the uncompressed file; only a stable one has variants
    static Variants of(ResolvedFile plain, Compression compression) {
        if (!plain.metadata().isStable()) {
            return NONE;
        }
        var variants = new Variants();
        for (Coding coding : compression.precompressed()) {
            variants.precompressed[coding.ordinal()] = findPrecompressed(plain, coding);
        }
        Document document = plain.document();
        if (compression.isCompressible(plain.metadata().type(), document.stamp().size())) {
            for (Coding coding : compression.onDemand()) {
                if (!Compressors.has(coding)) {
                    continue;
                }
                FileMetadata metadata = plain.metadata().withVary().withCoding(coding);
                variants.onDemand[coding.ordinal()] =
                        new ResolvedFile(
                                key(plain, coding),
                                document,
                                metadata,
                                plain.checkedNanos(),
                                variants);
            }
        }
        variants.isEmpty = !variants.hasAny();
        return variants.isEmpty ? NONE : variants;
    }

    private static @Nullable ResolvedFile findPrecompressed(ResolvedFile plain, Coding coding) {
        Document document = plain.document();
        Path path = document.path().resolveSibling(document.path().getFileName() + coding.suffix());
        FileSnapshot snapshot;
        try {
            snapshot = FileSnapshot.of(path);
        } catch (IOException _) {
            return null;
        }
        FileStamp stamp = snapshot.stamp();
        boolean isFit =
                stamp.isRegular()
                        && stamp.modifiedNanos() + MODIFIED_TOLERANCE_NANOS
                                >= document.stamp().modifiedNanos()
                        && java.nio.file.Files.isReadable(path);
        if (!isFit) {
            return null;
        }
        var found = new Document(document.name(), path, snapshot);
        String tag =
                '"'
                        + Long.toHexString(stamp.size())
                        + '-'
                        + Long.toHexString(stamp.modifiedNanos())
                        + '-'
                        + coding.token()
                        + '"';
        FileMetadata metadata = plain.metadata().withVary().withCoding(coding, tag);
        return new ResolvedFile(key(plain, coding), found, metadata, plain.checkedNanos(), NONE);
    }

    private static String key(ResolvedFile plain, Coding coding) {
        return plain.tail() + '\0' + coding.token();
    }

    private boolean hasAny() {
        for (Coding coding : CODINGS) {
            if (precompressed[coding.ordinal()] != null || onDemand[coding.ordinal()] != null) {
                return true;
            }
        }
        return false;
    }

    /// Returns whether there is no variant.
    boolean isEmpty() {
        return isEmpty;
    }

    /// Returns the variant to send, or null for the uncompressed file. A precompressed one is
    /// preferred to one on demand of equal weight. Allocates nothing.
    ///
    /// @param allowsOnDemand whether compression on demand is allowed
    @Nullable ResolvedFile choose(AcceptedCodings accepted, boolean allowsOnDemand) {
        ResolvedFile best = null;
        int most = 0;
        for (Coding coding : CODINGS) {
            ResolvedFile sibling = precompressed[coding.ordinal()];
            int weight = accepted.weight(coding);
            if (sibling != null && weight > most) {
                best = sibling;
                most = weight;
            }
        }
        if (allowsOnDemand && !isIncompressible) {
            for (Coding coding : CODINGS) {
                ResolvedFile file = onDemand[coding.ordinal()];
                int weight = accepted.weight(coding);
                if (file != null && weight > most && coding != failed) {
                    best = file;
                    most = weight;
                }
            }
        }
        return best;
    }

    /// Returns whether a chosen variant is one on demand.
    boolean isOnDemand(ResolvedFile variant) {
        Coding coding = variant.metadata().coding();
        return coding != null && onDemand[coding.ordinal()] == variant;
    }

    /// Marks the file as incompressible: it is sent uncompressed from now on.
    void markIncompressible() {
        isIncompressible = true;
    }

    /// Marks a coding as one in which compression failed: the file is not compressed in it until
    /// the next look-up.
    void markFailed(Coding coding) {
        failed = coding;
    }

    /// Marks the file as incompressible if it turned out to be so after an earlier look-up, and is
    /// unchanged since.
    void inherit(Variants earlier) {
        for (int i = 0; i < CODINGS.length; i++) {
            ResolvedFile now = onDemand[i];
            ResolvedFile before = earlier.onDemand[i];
            if (now != null && before != null && now.document().equals(before.document())) {
                if (earlier.isIncompressible) {
                    markIncompressible();
                }
            }
        }
    }

    /// Returns all variants, with null for missing ones.
    @Nullable ResolvedFile[] all() {
        var all = new @Nullable ResolvedFile[2 * CODINGS.length];
        System.arraycopy(precompressed, 0, all, 0, CODINGS.length);
        System.arraycopy(onDemand, 0, all, CODINGS.length, CODINGS.length);
        return all;
    }
}
