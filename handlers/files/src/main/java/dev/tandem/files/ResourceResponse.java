package dev.tandem.files;

import dev.tandem.http.Body;
import dev.tandem.http.ByteRange;
import dev.tandem.http.ByteRanges;
import dev.tandem.http.Exchange;
import dev.tandem.http.Headers;
import dev.tandem.http.HttpException;
import dev.tandem.http.MultipartByteRanges;
import dev.tandem.http.Preconditions;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/// Responds to a GET or HEAD with a resource of the class path: evaluates preconditions (RFC 9110,
/// section 13), then ranges (section 14). Confined to the exchange's worker.
final class ResourceResponse {
    private static final int PIECE = 16_384;

    private final Exchange x;
    private final Resource resource;
    private final FileMetadata metadata;

    ResourceResponse(Exchange x, Resource resource) {
        this.x = x;
        this.resource = resource;
        this.metadata = resource.metadata();
    }

    /// @throws HttpException 412 if a precondition fails
    void send() throws IOException {
        Headers headers = x.request().headers();
        switch (Preconditions.evaluate(x.method(), headers, metadata.validators())) {
            case PROCEED -> sendRanges(headers);
            case PROCEED_WITHOUT_RANGE -> sendWhole();
            case NOT_MODIFIED -> {
                setHeaders(metadata.notModifiedHeaders());
                x.status(304).send();
            }
            case FAILED -> throw new HttpException(412, "the file has changed");
        }
    }

    private void sendRanges(Headers headers) throws IOException {
        // Ranges are defined for GET only (RFC 9110, section 14.2). Two Range headers are malformed
        // when joined, and are ignored.
        boolean mayBePart = x.method().equals("GET") && headers.contains("Range");
        String field = mayBePart ? headers.joined("Range") : null;
        switch (ByteRanges.parse(field, resource.size())) {
            case ByteRanges.Parts(List<ByteRange> ranges) when ranges.size() == 1 ->
                    sendPart(ranges.getFirst());
            // Of one that is not held, each part would be read from the begin.
            case ByteRanges.Parts(List<ByteRange> ranges) when resource.held() != null ->
                    sendParts(ranges);
            case ByteRanges.Unsatisfiable none ->
                    x.status(416).header("Content-Range", none.contentRange()).send();
            case ByteRanges.Parts _, ByteRanges.Ignored _ -> sendWhole();
        }
    }

    private void sendWhole() throws IOException {
        setContentHeaders();
        x.status(200);
        sendBytes(0, resource.size());
    }

    private void sendPart(ByteRange range) throws IOException {
        setContentHeaders();
        x.status(206).header("Content-Range", range.contentRange(resource.size()));
        sendBytes(range.first(), range.length());
    }

    private void sendBytes(long first, long length) throws IOException {
        if (resource.held() != null) {
            x.send(new Body.Bytes(heldBytes((int) first, (int) length)));
        } else {
            x.send(new Body.Stream(length, to -> copy(first, length, to)));
        }
    }

    /// Overlapping ranges are one, so the parts are as long as the resource at most, and their
    /// heads.
    private void sendParts(List<ByteRange> ranges) throws IOException {
        // Random, so that a file with the boundary in it cannot be prepared.
        String boundary = UUID.randomUUID().toString().replace("-", "");
        var parts = new MultipartByteRanges(ranges, resource.size(), metadata.type(), boundary);
        var all = new ByteArrayOutputStream((int) parts.length());
        for (int i = 0; i < ranges.size(); i++) {
            ByteRange range = ranges.get(i);
            all.writeBytes(parts.partHead(i).getBytes(StandardCharsets.ISO_8859_1));
            all.writeBytes(heldBytes((int) range.first(), (int) range.length()));
        }
        all.writeBytes(parts.closeDelimiter().getBytes(StandardCharsets.ISO_8859_1));
        setContentHeaders();
        x.status(206).contentType(parts.contentType()).send(all.toByteArray());
    }

    private byte[] heldBytes(int first, int length) {
        PreparedFile held = resource.held();
        if (held == null) {
            throw new IllegalStateException("not held");
        }
        var bytes = new byte[length];
        held.bytes().get(first, bytes);
        return bytes;
    }

    private void copy(long first, long length, OutputStream to) throws IOException {
        try (InputStream in = resource.source().open()) {
            in.skipNBytes(first);
            var piece = new byte[PIECE];
            long left = length;
            while (left > 0) {
                int count = in.read(piece, 0, (int) Math.min(piece.length, left));
                if (count < 0) {
                    throw new EOFException("a resource became shorter while it was sent");
                }
                to.write(piece, 0, count);
                left -= count;
            }
        }
    }

    private void setContentHeaders() {
        setHeaders(metadata.notModifiedHeaders());
        setHeaders(metadata.contentHeaders());
    }

    private void setHeaders(List<String> headers) {
        for (int i = 0; i < headers.size(); i += 2) {
            x.header(headers.get(i), headers.get(i + 1));
        }
    }
}
