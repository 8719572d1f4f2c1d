package dev.tandem.files;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.http.Body;
import dev.tandem.http.ByteRange;
import dev.tandem.http.ByteRanges;
import dev.tandem.http.Exchange;
import dev.tandem.http.Headers;
import dev.tandem.http.HttpException;
import dev.tandem.http.MultipartByteRanges;
import dev.tandem.http.Preconditions;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Responds to a GET or HEAD with a file from disk: evaluates preconditions (RFC 9110, section 13),
/// then ranges (section 14). Confined to the exchange's worker.
final class FileResponse {
    private final Exchange x;
    private final Document document;
    private final FileMetadata metadata;
    private final @Nullable FileCacheResponse cached;

    /// @param cache source of the content; null: the kernel
    FileResponse(
            Exchange x, Document document, FileMetadata metadata, @Nullable FolderCache cache) {
        this.x = x;
        this.document = document;
        this.metadata = metadata;
        this.cached =
                cache == null || document.stamp().size() == 0
                        ? null
                        : new FileCacheResponse(x, document, metadata, cache);
    }

    /// Sends the response, unless the file has changed before anything was sent. Headers set so far
    /// are then overwritten by the next attempt, or have no effect: a `Content-Range` outside of
    /// 206 and 416, or a `Last-Modified` before the real one.
    ///
    /// @return false if the file has changed and must be looked up again
    /// @throws HttpException 412 if a precondition fails
    boolean send() throws IOException {
        Headers headers = x.request().headers();
        if (cached != null && cached.sendNotModifiedAsStored()) {
            return true;
        }
        return switch (Preconditions.evaluate(x.method(), headers, metadata.validators())) {
            case PROCEED -> sendRanges(headers);
            case PROCEED_WITHOUT_RANGE -> sendWhole();
            case NOT_MODIFIED -> {
                setHeaders(metadata.notModifiedHeaders());
                x.status(304).send();
                yield true;
            }
            case FAILED -> throw new HttpException(412, "the file has changed");
        };
    }

    private boolean sendRanges(Headers headers) throws IOException {
        // Ranges are defined for GET only (RFC 9110, section 14.2). Two Range headers are malformed
        // when joined, and are ignored.
        boolean mayBePart = x.method().equals("GET") && headers.contains("Range");
        String field = mayBePart ? headers.joined("Range") : null;
        ByteRanges parsed = ByteRanges.parse(field, size());
        if (parsed instanceof ByteRanges.Parts(List<ByteRange> ranges)) {
            return ranges.size() == 1 ? sendPart(ranges.getFirst()) : sendParts(ranges);
        }
        if (parsed instanceof ByteRanges.Unsatisfiable none) {
            x.status(416).header("Content-Range", none.contentRange()).send();
            return true;
        }
        return sendWhole();
    }

    private boolean sendWhole() throws IOException {
        if (cached != null && cached.sendStored()) {
            return true;
        }
        setContentHeaders().status(200);
        return sendRegion(0, size());
    }

    private boolean sendPart(ByteRange range) throws IOException {
        setContentHeaders().status(206);
        x.header("Content-Range", range.contentRange(size()));
        return sendRegion(range.first(), range.length());
    }

    private boolean sendRegion(long offset, long length) throws IOException {
        return attempt(
                () -> {
                    if (cached != null) {
                        cached.send(offset, length);
                    } else {
                        var path = document.path();
                        x.send(new Body.FileRegion(path, offset, length, document.stamp()));
                    }
                });
    }

    private boolean sendParts(List<ByteRange> ranges) throws IOException {
        // Random, so that a file with the boundary in it cannot be prepared.
        String boundary = UUID.randomUUID().toString().replace("-", "");
        var parts = new MultipartByteRanges(ranges, size(), metadata.type(), boundary);
        return attempt(
                () -> {
                    MultipartSegments.Source source =
                            cached != null
                                    ? cached.source(ranges.getFirst())
                                    : OpenDocument.open(document);
                    setContentHeaders().status(206).contentType(parts.contentType());
                    x.send(
                            new Body.Segmented(
                                    parts.length(), new MultipartSegments(parts, source)));
                });
    }

    /// Sends a part of the file.
    @FunctionalInterface
    private interface SendAction {
        void send() throws IOException;
    }

    /// Returns false if the file has changed before anything was sent.
    private boolean attempt(SendAction sending) throws IOException {
        try {
            sending.send();
            return true;
        } catch (IOException e) {
            // A removed or unreadable file fails in other ways than a replaced one.
            boolean isOpenable = document.isUnchanged() && Files.isReadable(document.path());
            if (x.isCommitted() || isOpenable) {
                throw e;
            }
            return false;
        }
    }

    /// Sets the headers of every response with content of the file.
    private Exchange setContentHeaders() {
        setHeaders(metadata.notModifiedHeaders());
        setHeaders(metadata.contentHeaders());
        return x;
    }

    private void setHeaders(List<String> headers) {
        for (int i = 0; i < headers.size(); i += 2) {
            x.header(headers.get(i), headers.get(i + 1));
        }
    }

    private long size() {
        return document.stamp().size();
    }
}
