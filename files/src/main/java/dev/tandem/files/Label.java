package dev.tandem.files;

import dev.tandem.files.Found.Document;
import dev.tandem.http.FileStamp;
import dev.tandem.http.HttpDate;
import dev.tandem.http.MediaTypes;
import dev.tandem.http.Validators;
import java.util.concurrent.TimeUnit;

/// What an answer's head says of a file.
///
/// @param etag its entity tag, with quotes
/// @param modifiedSeconds its last change, in seconds since 1970-01-01T00:00Z; -1 where that is so
///     near that it does not tell one state from the next
/// @param type its media type
/// @param isSettled whether whatever changes the file from now on changes its tag too
record Label(String etag, long modifiedSeconds, String type, boolean isSettled) {

    /// Two changes within one tick of the file system's clock leave the same time behind, and
    /// perhaps the same size. The tick is 1 to 10 ms on Linux's own file systems, a second on older
    /// ones, two seconds on FAT.
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
    static Label of(Document document, long nowNanos) {
        FileStamp stamp = document.stamp();
        boolean isSettled = stamp.modifiedNanos() <= nowNanos - TICK_MAX_NANOS;
        String state =
                Long.toHexString(stamp.size()) + '-' + Long.toHexString(stamp.modifiedNanos());
        return new Label(
                isSettled ? '"' + state + '"' : "W/\"" + state + "-new\"",
                isSettled ? stamp.modifiedSeconds() : -1,
                MediaTypes.of(document.name()),
                isSettled);
    }

    Validators validators() {
        return new Validators(etag, modifiedSeconds);
    }

    /// The `Last-Modified` field's value.
    ///
    /// @throws IllegalStateException if it is not settled
    String lastModified() {
        if (!isSettled) {
            throw new IllegalStateException("no date for what is not settled: " + etag);
        }
        return HttpDate.format(modifiedSeconds);
    }
}
