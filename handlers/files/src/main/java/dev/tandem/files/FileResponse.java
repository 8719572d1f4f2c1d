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

/// Answers a GET or HEAD with a file from disk: the conditions first (RFC 9110, section 13), then
/// the ranges (section 14). Confined to the exchange's worker.
final class FileResponse {
    private final Exchange x;
    private final Document document;
    private final FileMetadata metadata;
    private final @Nullable FileCacheResponse cached;

    /// @param cache where content comes from; null: from the kernel
    FileResponse(
            Exchange x, Document document, FileMetadata metadata, @Nullable FolderCache cache) {
        this.x = x;
        this.document = document;
        this.metadata = metadata;
        // What changed a moment ago may change again and look the same: the disk is asked each
        // time.
        if (cache == null || !metadata.isStable() || document.stamp().size() == 0) {
            this.cached = null;
        } else {
            this.cached = new FileCacheResponse(x, document, metadata, cache);
        }
    }

    /// Answers, unless the file is found to have changed before anything was sent. What is set
    /// then is overwritten by the next try, or says nothing: a `Content-Range` outside of 206 and
    /// 416, or a `Last-Modified` before the real one.
    ///
    /// @return false if it has changed, and has to be looked for again
    /// @throws HttpException 412 if the client wants another state of the file
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
            case FAILED -> throw new HttpException(412, "the file is another one by now");
        };
    }

    private boolean sendRanges(Headers headers) throws IOException {
        // Ranges are defined for GET alone (RFC 9110, section 14.2). Two Range fields are one
        // malformed one when joined, and do not count.
        boolean mayBePart = x.method().equals("GET") && headers.contains("Range");
        String field = mayBePart ? headers.joined("Range") : null;
        return switch (ByteRanges.parse(field, size())) {
            case ByteRanges.Ignored _ -> sendWhole();
            case ByteRanges.Unsatisfiable none -> {
                x.status(416).header("Content-Range", none.contentRange()).send();
                yield true;
            }
            case ByteRanges.Parts(List<ByteRange> ranges) when ranges.size() == 1 ->
                    sendPart(ranges.getFirst());
            case ByteRanges.Parts(List<ByteRange> ranges) -> sendParts(ranges);
        };
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
        // Random, so that no one can prepare a file that has the boundary in it.
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

    /// Sends some of the file.
    @FunctionalInterface
    private interface SendAction {
        void send() throws IOException;
    }

    /// Whether it was sent; not if the file turns out to be another before anything was.
    private boolean attempt(SendAction sending) throws IOException {
        try {
            sending.send();
            return true;
        } catch (IOException e) {
            // A file removed, or not to be read any more, fails in other ways than one replaced.
            boolean isOpenable = document.isUnchanged() && Files.isReadable(document.path());
            if (x.isCommitted() || isOpenable) {
                throw e;
            }
            return false;
        }
    }

    /// What every answer with bytes of the file says of it.
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
