package dev.tandem.files;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.http.Body;
import dev.tandem.http.ByteRange;
import dev.tandem.http.Exchange;
import dev.tandem.http.Headers;
import dev.tandem.http.Preconditions;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Responds with a file from the file cache: with its content, or, for clients that accept the
/// coding, with the whole file as it is stored. Confined to the exchange's worker.
///
/// The stored form is another representation, with a tag of its own. The tag is weak, since
/// responses may differ in which pages are compressed, and there are no ranges of it: a range
/// request gets bytes of the file itself.
///
/// @param document the file
/// @param metadata of the file itself
/// @param cache the cache
record FileCacheResponse(Exchange x, Document document, FileMetadata metadata, FolderCache cache) {
    /// Sends a range of the file.
    ///
    /// @throws IOException if the disk fails; or, unless [Exchange#isCommitted], if the file has
    ///     changed
    void send(long offset, long length) throws IOException {
        if (x.method().equals("HEAD") || length == 0) {
            x.send(new Body.Stream(length, _ -> {}));
            return;
        }
        x.send(prepared(offset, length).range(offset, length));
    }

    /// Returns a source for several ranges, after making sure that the first is available.
    ///
    /// @throws IOException as [#send]
    MultipartSegments.Source source(ByteRange first) throws IOException {
        return new FileSource(prepared(first.first(), first.length()));
    }

    private FileCache.Content prepared(long offset, long length) throws IOException {
        FileCache.Content file = open();
        boolean isPrepared = false;
        try {
            file.prepare(offset, length);
            isPrepared = true;
        } finally {
            if (!isPrepared) {
                file.close();
            }
        }
        return file;
    }

    /// Sends the whole file as it is stored, if that is available and the client accepts it.
    boolean sendStored() throws IOException {
        FileMetadata other = stored();
        if (other == null || !x.method().equals("GET") || !isWholeRequested()) {
            return false;
        }
        FileCache.Stored stored;
        try (FileCache.Content file = open()) {
            stored = file.stored();
        }
        if (stored == null) {
            return false;
        }
        if (!stored.isWorthSending(document.stamp().size())) {
            stored.close();
            return false;
        }
        setHeaders(other.notModifiedHeaders());
        setHeaders(other.contentHeaders());
        x.status(200).send(stored.whole());
        return true;
    }

    /// Sends 304 if the client has the file in the stored form and this state.
    boolean sendNotModifiedAsStored() throws IOException {
        FileMetadata other = stored();
        Headers headers = x.request().headers();
        if (other == null || !headers.contains("If-None-Match") || headers.contains("If-Match")) {
            return false;
        }
        var outcome = Preconditions.evaluate(x.method(), headers, other.validators());
        if (outcome != Preconditions.Outcome.NOT_MODIFIED
                || headers.joined("If-None-Match").equals("*")) {
            return false;
        }
        setHeaders(other.notModifiedHeaders());
        x.status(304).send();
        return true;
    }

    /// Returns the metadata of the stored form; null if it is not to be sent, or the client does
    /// not accept it.
    private @Nullable FileMetadata stored() {
        Coding coding = cache.coding();
        if (coding == null || !cache.isSendableAsStored(metadata, document.stamp().size())) {
            return null;
        }
        AcceptedCodings accepted =
                AcceptedCodings.of(x.request().headers().first("Accept-Encoding"));
        return cache.isAcceptedBy(accepted) ? metadata.withCoding(coding) : null;
    }

    private void setHeaders(List<String> headers) {
        for (int i = 0; i < headers.size(); i += 2) {
            x.header(headers.get(i), headers.get(i + 1));
        }
    }

    private boolean isWholeRequested() {
        return !x.request().headers().contains("Range");
    }

    private FileCache.Content open() {
        var stamp = document.stamp();
        var state = new FileState(stamp.size(), stamp.modifiedNanos(), document.snapshot().key());
        // A file that changed recently may change again without a visible difference: it is read
        // each time, in pieces that are checked.
        return metadata.isStable()
                ? cache.fileCache().open(document.path(), state)
                : FileCache.uncached(document.path(), state);
    }

    /// Any ranges of the file.
    private record FileSource(FileCache.Content file) implements MultipartSegments.Source {
        @Override
        public int transferTo(long offset, long length, Body.Sink to) throws IOException {
            return file.transferTo(offset, length, to);
        }

        @Override
        public boolean fetch(long offset, Runnable ready) {
            return file.fetch(offset, ready);
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
