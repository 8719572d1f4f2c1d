package dev.tandem.logs;

import dev.tandem.http.Bounds;
import java.nio.file.Path;
import java.util.Optional;

/// Settings of the access log. Immutable.
///
/// @param file empty for standard output
/// @param rotateAt the size at which the file is renamed and started anew, in bytes; 0 never, else
///     at least 4,096
/// @param keep how many renamed files are kept; 0 to 1,000
/// @param queueMax maximum number of lines waiting to be written; 1,024 to 2^20. More are lost, and
///     counted
public record AccessSettings(
        Optional<Path> file, AccessFormat format, long rotateAt, int keep, int queueMax)
        implements AccessSettingsWith {
    private static final int ROTATE_MIN = 4096;

    /// - standard output, in httpd's combined format;
    /// - no rotation; seven old files, a week of daily ones;
    /// - 65,536 queued lines: a third of a second of all that two cores can serve, about 20 MB;
    ///   fewer if they are long: all have at most 32 MiB, and a sixteenth of the heap.
    public static final AccessSettings DEFAULT =
            new AccessSettings(Optional.empty(), AccessFormat.DEFAULT, 0, 7, 65_536);

    /// @throws IllegalArgumentException if a value is out of range; names it
    public AccessSettings {
        if (rotateAt != 0 && rotateAt < ROTATE_MIN) {
            throw new IllegalArgumentException(
                    "rotate must be 0 or at least " + ROTATE_MIN + " bytes, was " + rotateAt);
        }
        Bounds.check("keep", keep, 0, 1000);
        Bounds.check("queue", queueMax, 1024, 1 << 20);
    }
}
