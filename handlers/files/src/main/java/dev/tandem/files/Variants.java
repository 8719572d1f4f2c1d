package dev.tandem.files;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.files.ResolvedFiles.ResolvedFile;
import dev.tandem.http.FileStamp;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The forms in which a file can be sent beside the one it lies in: those that lie beside it, and
/// those that are made of it. Shared by all threads.
///
/// Each form has a name of its own, under which it is held in memory: the file's, with a NUL,
/// which no path has, and the coding's.
final class Variants {
    private static final Coding[] CODINGS = Coding.values();

    /// A file that has no other form.
    static final Variants NONE = new Variants();

    /// How much older than its file a sibling may be: two seconds, since copying a folder may
    /// change the order, and old file systems count in twos.
    private static final long MODIFIED_TOLERANCE_NANOS = 2_000_000_000L;

    private final @Nullable ResolvedFile[] precompressed =
            new @Nullable ResolvedFile[CODINGS.length];
    private final @Nullable ResolvedFile[] onDemand = new @Nullable ResolvedFile[CODINGS.length];
    private boolean isEmpty = true;

    /// Set by whoever finds that the file does not shrink.
    private volatile boolean isIncompressible;

    private Variants() {}

    /// Looks which forms there are. Blocks.
    ///
    /// @param plain the file as it is; only a settled one has other forms
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

    /// Whether there is no other form than the file as it is.
    boolean isEmpty() {
        return isEmpty;
    }

    /// The form to send, or null for the file as it is. What lies there goes before what is to be
    /// made, where the client likes both the same. Allocates nothing.
    ///
    /// @param allowsOnDemand whether one that has to be made will do
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
                if (file != null && weight > most) {
                    best = file;
                    most = weight;
                }
            }
        }
        return best;
    }

    /// Whether a form that was chosen is one that is made.
    boolean isOnDemand(ResolvedFile variant) {
        Coding coding = variant.metadata().coding();
        return coding != null && onDemand[coding.ordinal()] == variant;
    }

    /// The file does not get smaller: it is sent as it is from now on.
    void markIncompressible() {
        isIncompressible = true;
    }

    /// Every form, or null in its place.
    @Nullable ResolvedFile[] all() {
        var all = new @Nullable ResolvedFile[2 * CODINGS.length];
        System.arraycopy(precompressed, 0, all, 0, CODINGS.length);
        System.arraycopy(onDemand, 0, all, CODINGS.length, CODINGS.length);
        return all;
    }
}
