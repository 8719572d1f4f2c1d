package dev.tandem.files;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.http.FileStamp;
import dev.tandem.http.HttpDate;
import dev.tandem.http.MediaTypes;
import dev.tandem.http.Validators;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A file's representation metadata, as sent in responses.
///
/// @param etag the entity tag, with quotes
/// @param modifiedSeconds last modification, in seconds since 1970-01-01T00:00Z; -1 if it is too
///     recent to identify a state
/// @param type the media type
/// @param isStable whether every later change of the file will change its tag
/// @param coding the content coding, or null
/// @param vary the value of `Vary`: `Accept-Encoding` if the file has other variants, for clients
///     that accept them, and `Accept` for a page that only requests for pages get; empty if neither
/// @param cacheControl the value of `Cache-Control`, or null
record FileMetadata(
        String etag,
        long modifiedSeconds,
        String type,
        boolean isStable,
        @Nullable Coding coding,
        String vary,
        @Nullable String cacheControl) {

    /// The value of `Vary` of a file with other variants.
    static final String ENCODING = "Accept-Encoding";

    /// Returns the metadata of a file in its current state.
    ///
    /// A file that was modified less than two seconds ago, or in the future, may change again
    /// without a visible difference. So its tag is weak, which prevents clients from combining
    /// ranges of two states (RFC 9110, section 8.8.1), and differs from the tag of the same file
    /// once it is stable, so that a client with an outdated state asks again. There is no date
    /// either, since a date is less precise (section 8.8.2.2), and a future one must not be sent.
    ///
    /// @param nowNanos time of day, in nanoseconds since 1970-01-01T00:00Z, taken before the stamp
    static FileMetadata of(Document document, long nowNanos) {
        FileStamp stamp = document.stamp();
        boolean isStable = stamp.modifiedNanos() <= nowNanos - FileState.TICK_MAX_NANOS;
        String state =
                Long.toHexString(stamp.size()) + '-' + Long.toHexString(stamp.modifiedNanos());
        return new FileMetadata(
                isStable ? '"' + state + '"' : "W/\"" + state + "-new\"",
                isStable ? stamp.modifiedSeconds() : -1,
                MediaTypes.of(document.name()),
                isStable,
                null,
                "",
                null);
    }

    /// Returns the same for a file with other variants.
    FileMetadata withVary() {
        if (vary.endsWith(ENCODING)) {
            return this;
        }
        return withVary(vary.isEmpty() ? ENCODING : vary + ", " + ENCODING);
    }

    /// Returns the same for a page that only requests for pages get, for one without variants yet.
    FileMetadata withVaryByAccept() {
        return withVary("Accept");
    }

    private FileMetadata withVary(String by) {
        return new FileMetadata(etag, modifiedSeconds, type, isStable, coding, by, cacheControl);
    }

    /// Returns the same for another variant of the file.
    FileMetadata withCoding(Coding in, String tag) {
        return new FileMetadata(tag, modifiedSeconds, type, isStable, in, vary, cacheControl);
    }

    /// Returns the same for the file compressed here. The tag is weak: compressing the same content
    /// again, or by another version, may give different bytes.
    ///
    /// Only for a stable file.
    FileMetadata withCoding(Coding in) {
        String open = etag.substring(0, etag.length() - 1);
        return withCoding(in, "W/" + open + '-' + in.token() + '"');
    }

    /// Returns the same with a `Cache-Control`.
    FileMetadata withCacheControl(@Nullable String control) {
        return new FileMetadata(etag, modifiedSeconds, type, isStable, coding, vary, control);
    }

    /// Returns the headers that a 304 has, too (RFC 9110, section 15.4.5), as name, value, name,
    /// value.
    List<String> notModifiedHeaders() {
        var headers = new ArrayList<String>(6);
        headers.add("ETag");
        headers.add(etag);
        if (!vary.isEmpty()) {
            headers.add("Vary");
            headers.add(vary);
        }
        if (cacheControl != null) {
            headers.add("Cache-Control");
            headers.add(cacheControl);
        }
        return headers;
    }

    /// Returns all other headers except the length, in the same form.
    List<String> contentHeaders() {
        var headers = new ArrayList<String>(10);
        if (isStable) {
            headers.add("Last-Modified");
            headers.add(lastModified());
        }
        headers.add("Accept-Ranges");
        headers.add("bytes");
        headers.add("Content-Type");
        headers.add(type);
        if (coding != null) {
            headers.add("Content-Encoding");
            headers.add(coding.token());
        }
        headers.add("X-Content-Type-Options");
        headers.add("nosniff");
        return headers;
    }

    Validators validators() {
        return new Validators(etag, modifiedSeconds);
    }

    /// Returns the value of `Last-Modified`.
    ///
    /// @throws IllegalStateException if the file is not stable
    String lastModified() {
        if (!isStable) {
            throw new IllegalStateException("a file that is not stable has no date: " + etag);
        }
        return HttpDate.format(modifiedSeconds);
    }
}
