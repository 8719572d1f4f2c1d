package dev.tandem.files;

import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// A page cache, and what may be sent of it as it is stored there. Safe for all threads.
///
/// @param pages the cache
/// @param coding the coding that it stores whole files in; null if they cannot be sent so, or
///     are not to be
/// @param compression what the folder compresses
record Paging(FileCache pages, @Nullable Coding coding, Compression compression) {

    static Paging of(FileCache pages, Compression compression) {
        for (Coding coding : compression.made()) {
            if (coding.token().equals(pages.coding())) {
                return new Paging(pages, coding, compression);
            }
        }
        return new Paging(pages, null, compression);
    }

    /// Counts in the cache's budget what is laid ready for the loop.
    HotFiles.Loader counted(HotFiles.Loader loader) {
        return place -> {
            HotFile file = loader.load(place);
            if (file != null) {
                pages.countBeside(file.bytes(), file.bytes().capacity());
            }
            return file;
        };
    }

    /// What is left to be compressed by the folder itself, so that no result is held twice.
    Compression others() {
        var made = new ArrayList<>(compression.made());
        made.remove(coding);
        return compression.withMade(made);
    }

    /// Whether a file may be sent as it is stored: a settled one, not in a coding already.
    ///
    /// @param size in bytes
    boolean isStored(Label label, long size) {
        return coding != null
                && label.coding() == null
                && label.isSettled()
                && compression.isForStored(coding, label.type(), size);
    }

    /// Whether the client takes what is stored, and likes no coding better that would have to be
    /// made. Allocates nothing.
    boolean isTakenBy(Accepted accepted) {
        if (coding == null) {
            return false;
        }
        int weight = accepted.weight(coding);
        for (int i = 0; i < compression.made().size(); i++) {
            if (accepted.weight(compression.made().get(i)) > weight) {
                return false;
            }
        }
        return weight > 0;
    }
}
