package dev.tandem.files;

import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// A file cache, and what may be sent as it is stored there. Thread safe.
///
/// @param fileCache the cache
/// @param coding the coding in which it stores whole files; null if they cannot or must not be sent
///     like that
/// @param compression the folder's options
record FolderCache(FileCache fileCache, @Nullable Coding coding, Compression compression) {

    static FolderCache of(FileCache fileCache, Compression compression) {
        for (Coding coding : compression.onDemand()) {
            if (coding.token().equals(fileCache.coding())) {
                return new FolderCache(fileCache, coding, compression);
            }
        }
        return new FolderCache(fileCache, null, compression);
    }

    /// Counts files held in memory for the event loop against the cache's budget.
    InMemoryFiles.Loader countedLoader(InMemoryFiles.Loader loader) {
        return resolved -> {
            InMemoryFile file = loader.load(resolved);
            if (file != null) {
                fileCache.countExternal(file.bytes(), file.bytes().capacity());
            }
            return file;
        };
    }

    /// Returns the folder's own compression without the cache's coding, so that no result is held
    /// twice.
    Compression withoutStoredCoding() {
        var made = new ArrayList<>(compression.onDemand());
        made.remove(coding);
        return compression.withOnDemand(made);
    }

    /// Returns whether a file may be sent as it is stored: a stable one without a content coding.
    ///
    /// @param size in bytes
    boolean isSendableAsStored(FileMetadata metadata, long size) {
        return coding != null
                && metadata.coding() == null
                && metadata.isStable()
                && compression.isSendableAsStored(coding, metadata.type(), size);
    }

    /// Returns whether the client accepts the stored form, and prefers no coding that would have to
    /// be produced. Allocates nothing.
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
