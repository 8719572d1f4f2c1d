package dev.tandem.config;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The error log. Immutable.
///
/// @param file empty for standard error
/// @param level what is less severe is not logged
public record ErrorSettings(Optional<Path> file, Level level) implements ErrorSettingsWith {

    /// Everything but debug messages, on standard error.
    public static final ErrorSettings DEFAULT = new ErrorSettings(Optional.empty(), Level.INFO);

    /// Written out: a record's own `equals` is linked at each start
    /// (docs/decisions/0006-start-up.md).
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ErrorSettings(Optional<Path> otherFile, Level otherLevel)
                && file.equals(otherFile)
                && level == otherLevel;
    }

    @Override
    public int hashCode() {
        return 31 * file.hashCode() + level.hashCode();
    }
}
