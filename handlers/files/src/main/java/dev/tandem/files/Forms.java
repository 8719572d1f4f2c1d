package dev.tandem.files;

import dev.tandem.files.Found.Document;
import dev.tandem.files.Places.Place;
import dev.tandem.http.FileStamp;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The forms in which a file can be sent beside the one it lies in: those that lie beside it, and
/// those that are made of it. Shared by all threads.
///
/// Each form has a name of its own, under which it is held in memory: the file's, with a NUL,
/// which no path has, and the coding's.
final class Forms {
    private static final Coding[] CODINGS = Coding.values();

    /// A file that has no other form.
    static final Forms NONE = new Forms();

    /// How much older than its file a sibling may be: two seconds, since copying a folder may
    /// change the order, and old file systems count in twos.
    private static final long SLACK_NANOS = 2_000_000_000L;

    private final @Nullable Place[] siblings = new @Nullable Place[CODINGS.length];
    private final @Nullable Place[] made = new @Nullable Place[CODINGS.length];
    private boolean isEmpty = true;

    /// Set by whoever finds that the file does not shrink.
    private volatile boolean isHopeless;

    private Forms() {}

    /// Looks which forms there are. Blocks.
    ///
    /// @param plain the file as it is; only a settled one has other forms
    static Forms of(Place plain, Compression compression) {
        if (!plain.label().isSettled()) {
            return NONE;
        }
        var forms = new Forms();
        for (Coding coding : compression.siblings()) {
            forms.siblings[coding.ordinal()] = sibling(plain, coding);
        }
        Document document = plain.document();
        if (compression.isFor(plain.label().type(), document.stamp().size())) {
            for (Coding coding : compression.made()) {
                if (!Compressors.has(coding)) {
                    continue;
                }
                Label label = plain.label().varied().coded(coding);
                forms.made[coding.ordinal()] =
                        new Place(key(plain, coding), document, label, plain.lookedNanos(), forms);
            }
        }
        forms.isEmpty = !forms.hasAny();
        return forms.isEmpty ? NONE : forms;
    }

    private static @Nullable Place sibling(Place plain, Coding coding) {
        Document document = plain.document();
        Path path = document.path().resolveSibling(document.path().getFileName() + coding.suffix());
        Sight sight;
        try {
            sight = Sight.of(path);
        } catch (IOException _) {
            return null;
        }
        FileStamp stamp = sight.stamp();
        boolean isFit =
                stamp.isRegular()
                        && stamp.modifiedNanos() + SLACK_NANOS >= document.stamp().modifiedNanos()
                        && java.nio.file.Files.isReadable(path);
        if (!isFit) {
            return null;
        }
        var found = new Document(document.name(), path, sight);
        String tag =
                '"'
                        + Long.toHexString(stamp.size())
                        + '-'
                        + Long.toHexString(stamp.modifiedNanos())
                        + '-'
                        + coding.token()
                        + '"';
        Label label = plain.label().varied().coded(coding, tag);
        return new Place(key(plain, coding), found, label, plain.lookedNanos(), NONE);
    }

    private static String key(Place plain, Coding coding) {
        return plain.tail() + '\0' + coding.token();
    }

    private boolean hasAny() {
        for (Coding coding : CODINGS) {
            if (siblings[coding.ordinal()] != null || made[coding.ordinal()] != null) {
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
    /// @param mayBeMade whether one that has to be made will do
    @Nullable Place choose(Accepted accepted, boolean mayBeMade) {
        Place best = null;
        int most = 0;
        for (Coding coding : CODINGS) {
            Place sibling = siblings[coding.ordinal()];
            int weight = accepted.weight(coding);
            if (sibling != null && weight > most) {
                best = sibling;
                most = weight;
            }
        }
        if (mayBeMade && !isHopeless) {
            for (Coding coding : CODINGS) {
                Place place = made[coding.ordinal()];
                int weight = accepted.weight(coding);
                if (place != null && weight > most) {
                    best = place;
                    most = weight;
                }
            }
        }
        return best;
    }

    /// Whether a form that was chosen is one that is made.
    boolean isMade(Place form) {
        Coding coding = form.label().coding();
        return coding != null && made[coding.ordinal()] == form;
    }

    /// The file does not get smaller: it is sent as it is from now on.
    void giveUp() {
        isHopeless = true;
    }

    /// Every form, or null in its place.
    @Nullable Place[] all() {
        var all = new @Nullable Place[2 * CODINGS.length];
        System.arraycopy(siblings, 0, all, 0, CODINGS.length);
        System.arraycopy(made, 0, all, CODINGS.length, CODINGS.length);
        return all;
    }
}
