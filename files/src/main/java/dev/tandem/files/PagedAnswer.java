package dev.tandem.files;

import dev.tandem.cache.CachedFile;
import dev.tandem.cache.FileState;
import dev.tandem.cache.PageCache;
import dev.tandem.cache.Sink;
import dev.tandem.cache.StoredFile;
import dev.tandem.files.Found.Document;
import dev.tandem.http.Accept;
import dev.tandem.http.Body;
import dev.tandem.http.Exchange;
import dev.tandem.http.Headers;
import dev.tandem.http.Preconditions;
import dev.tandem.http.Validators;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/// Answers with a file out of the page cache: its bytes, or all of it as it is stored there, to
/// those who take that coding. Confined to the exchange's worker.
///
/// What is sent as stored is another representation, with a tag of its own. The tag is weak,
/// since which pages are compressed may differ from answer to answer, and there are no ranges
/// of it: who asks for one is sent bytes of the file itself.
///
/// @param document the file
/// @param label of the file itself
/// @param pages the cache
record PagedAnswer(Exchange x, Document document, Label label, PageCache pages) {
    private static final int CHUNK_BYTES = 8_192;

    /// What saves less than a sixteenth is sent as it is.
    private static final double SHORTER = 15 / 16.0;

    /// Sends a stretch of the file.
    ///
    /// @throws IOException if the disk fails; or, unless [Exchange#isAnswered], if the file has
    ///     changed
    void send(long offset, long length) throws IOException {
        if (x.method().equals("HEAD") || length == 0) {
            x.send(new Body.Stream(length, _ -> {}));
            return;
        }
        try (CachedFile file = open()) {
            file.prepare(offset, length);
            x.send(new Body.Stream(length, out -> file.copy(offset, length, sink(out))));
        }
    }

    /// Sends the whole file as it is stored, if the client takes that, and it is.
    boolean sendStored() throws IOException {
        String coding = coding();
        if (coding == null || !x.method().equals("GET") || !isWhole()) {
            return false;
        }
        try (CachedFile file = open();
                StoredFile stored = file.stored()) {
            if (stored == null || stored.length() > SHORTER * document.stamp().size()) {
                return false;
            }
            vary();
            x.status(200).type(label.type());
            x.header("ETag", tag(coding)).header("Content-Encoding", coding);
            x.header("Last-Modified", label.lastModified());
            x.header("X-Content-Type-Options", "nosniff");
            x.send(new Body.Stream(stored.length(), out -> stored.copy(sink(out))));
            return true;
        }
    }

    /// Answers 304 if the client has the file as it is stored, in this state.
    boolean isKnownAsStored() throws IOException {
        String coding = coding();
        Headers headers = x.request().headers();
        if (coding == null || !headers.contains("If-None-Match") || headers.contains("If-Match")) {
            return false;
        }
        var validators = new Validators(tag(coding), label.modifiedSeconds());
        var outcome = Preconditions.evaluate(x.method(), headers, validators);
        if (outcome != Preconditions.Outcome.NOT_MODIFIED
                || headers.joined("If-None-Match").equals("*")) {
            return false;
        }
        vary();
        x.status(304).header("ETag", tag(coding)).send();
        return true;
    }

    /// Says that there may be another representation for others.
    void vary() {
        if (pages.coding() != null) {
            x.header("Vary", "Accept-Encoding");
        }
    }

    /// The coding that the client takes at least as gladly as none; null if there is none.
    private @Nullable String coding() {
        String coding = pages.coding();
        Headers headers = x.request().headers();
        if (coding == null || !headers.contains("Accept-Encoding")) {
            return null;
        }
        String accepted = headers.joined("Accept-Encoding");
        int weight = Accept.weight(accepted, coding);
        return weight > 0 && weight >= Accept.weight(accepted, "identity") ? coding : null;
    }

    private boolean isWhole() {
        return !x.request().headers().contains("Range");
    }

    private String tag(String coding) {
        String etag = label.etag(); // strong, since the file is settled
        return "W/" + etag.substring(0, etag.length() - 1) + '-' + coding + '"';
    }

    private CachedFile open() {
        var stamp = document.stamp();
        var state = new FileState(stamp.size(), stamp.modifiedNanos(), document.sight().key());
        return pages.open(document.path(), state);
    }

    private static Sink sink(OutputStream out) {
        if (out instanceof WritableByteChannel channel) {
            return bytes -> {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            };
        }
        return bytes -> copy(bytes, out);
    }

    private static void copy(ByteBuffer bytes, OutputStream out) throws IOException {
        var chunk = new byte[CHUNK_BYTES];
        while (bytes.hasRemaining()) {
            int size = Math.min(chunk.length, bytes.remaining());
            bytes.get(chunk, 0, size);
            out.write(chunk, 0, size);
        }
    }
}
