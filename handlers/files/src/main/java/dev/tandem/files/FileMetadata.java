package dev.tandem.files;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.http.FileStamp;
import dev.tandem.http.HttpDate;
import dev.tandem.http.MediaTypes;
import dev.tandem.http.Validators;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What an answer's head says of a file.
///
/// @param etag its entity tag, with quotes
/// @param modifiedSeconds its last change, in seconds since 1970-01-01T00:00Z; -1 where that is
///     so near that it does not tell one state from the next
/// @param type its media type
/// @param isStable whether whatever changes the file from now on changes its tag too
/// @param coding the coding that the content is in, or null
/// @param hasVary whether there are other forms of it, for clients that take them
/// @param cacheControl how long it may be kept, or null if that is not said
record FileMetadata(
        String etag,
        long modifiedSeconds,
        String type,
        boolean isStable,
        @Nullable Coding coding,
        boolean hasVary,
        @Nullable String cacheControl) {

    /// Two changes within one tick of the file system's clock leave the same time behind, and
    /// perhaps the same size. The tick is 1 to 10 ms on Linux's own file systems, a second on
    /// older ones, two seconds on FAT.
    private static final long TICK_MAX_NANOS = TimeUnit.SECONDS.toNanos(2);

    /// Labels a file as it is now.
    ///
    /// A file that changed less than two seconds ago, or in the future, may change again and look
    /// the same. So its tag is weak, which keeps clients from joining parts of two states (RFC
    /// 9110, section 8.8.1), and is another one than the same file will have once it is settled,
    /// so that a client that took the wrong state for it asks once more. It has no date either,
    /// since a date tells even less (section 8.8.2.2), and one in the future may not be sent.
    ///
    /// @param nowNanos time of day, in nanoseconds since 1970-01-01T00:00Z, from before the stamp
    ///     was taken
    static FileMetadata of(Document document, long nowNanos) {
        FileStamp stamp = document.stamp();
        boolean isStable = stamp.modifiedNanos() <= nowNanos - TICK_MAX_NANOS;
        String state =
                Long.toHexString(stamp.size()) + '-' + Long.toHexString(stamp.modifiedNanos());
        return new FileMetadata(
                isStable ? '"' + state + '"' : "W/\"" + state + "-new\"",
                isStable ? stamp.modifiedSeconds() : -1,
                MediaTypes.of(document.name()),
                isStable,
                null,
                false,
                null);
    }

    /// The same of a file that has other forms.
    FileMetadata withVary() {
        return new FileMetadata(etag, modifiedSeconds, type, isStable, coding, true, cacheControl);
    }

    /// The same of another form of the file.
    FileMetadata withCoding(Coding in, String tag) {
        return new FileMetadata(tag, modifiedSeconds, type, isStable, in, hasVary, cacheControl);
    }

    /// The same of the file compressed here. The tag is weak: the same content compressed another
    /// time, or by another version, is not the same bytes.
    ///
    /// Only for a settled file.
    FileMetadata withCoding(Coding in) {
        String open = etag.substring(0, etag.length() - 1);
        return withCoding(in, "W/" + open + '-' + in.token() + '"');
    }

    /// The same with a `Cache-Control`.
    FileMetadata withCacheControl(@Nullable String control) {
        return new FileMetadata(etag, modifiedSeconds, type, isStable, coding, hasVary, control);
    }

    /// The fields that a 304 has, too (RFC 9110, section 15.4.5), as name, value, name, value.
    List<String> notModifiedHeaders() {
        var headers = new ArrayList<String>(6);
        headers.add("ETag");
        headers.add(etag);
        if (hasVary) {
            headers.add("Vary");
            headers.add("Accept-Encoding");
        }
        if (cacheControl != null) {
            headers.add("Cache-Control");
            headers.add(cacheControl);
        }
        return headers;
    }

    /// All the others, but the length, likewise.
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

    /// The `Last-Modified` field's value.
    ///
    /// @throws IllegalStateException if it is not settled
    String lastModified() {
        if (!isStable) {
            throw new IllegalStateException("no date for what is not settled: " + etag);
        }
        return HttpDate.format(modifiedSeconds);
    }
}
