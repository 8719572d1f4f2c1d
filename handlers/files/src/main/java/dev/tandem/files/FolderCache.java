package dev.tandem.files;

import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// A page cache, and what may be sent of it as it is stored there. Safe for all threads.
///
/// @param fileCache the cache
/// @param coding the coding that it stores whole files in; null if they cannot be sent so, or
///     are not to be
/// @param compression what the folder compresses
record FolderCache(FileCache fileCache, @Nullable Coding coding, Compression compression) {

    static FolderCache of(FileCache fileCache, Compression compression) {
        for (Coding coding : compression.onDemand()) {
            if (coding.token().equals(fileCache.coding())) {
                return new FolderCache(fileCache, coding, compression);
            }
        }
        return new FolderCache(fileCache, null, compression);
    }

    /// Counts in the cache's budget what is laid ready for the loop.
    InMemoryFiles.Loader countedLoader(InMemoryFiles.Loader loader) {
        return place -> {
            InMemoryFile file = loader.load(place);
            if (file != null) {
                fileCache.countExternal(file.bytes(), file.bytes().capacity());
            }
            return file;
        };
    }

    /// What is left to be compressed by the folder itself, so that no result is held twice.
    Compression withoutStoredCoding() {
        var made = new ArrayList<>(compression.onDemand());
        made.remove(coding);
        return compression.withOnDemand(made);
    }

    /// Whether a file may be sent as it is stored: a settled one, not in a coding already.
    ///
    /// @param size in bytes
    boolean isSendableAsStored(FileMetadata metadata, long size) {
        return coding != null
                && metadata.coding() == null
                && metadata.isStable()
                && compression.isSendableAsStored(coding, metadata.type(), size);
    }

    /// Whether the client takes what is stored, and likes no coding better that would have to be
    /// made. Allocates nothing.
    boolean isAcceptedBy(AcceptedCodings accepted) {
        if (coding == null) {
            return false;
        }
        int weight = accepted.weight(coding);
        for (int i = 0; i < compression.onDemand().size(); i++) {
            if (accepted.weight(compression.onDemand().get(i)) > weight) {
                return false;
            }
        }
        return weight > 0;
    }
}
